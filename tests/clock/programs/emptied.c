/* Preloaded into an arbiter: a kernel in which files whose path contains $EMPTIED have nothing to say. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

int open(const char *path, int flags, ...) {
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    return real(strstr(path, getenv("EMPTIED")) ? "/dev/null" : path, flags, 0600);
}
