/* Preloaded into an arbiter: a kernel without CONFIG_SCHED_INFO, where schedstat reads zero. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>

int open(const char *path, int flags, ...) {
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    return real(strstr(path, "/schedstat") ? "/dev/null" : path, flags, 0600);
}
