/* libc's own functions, looked up behind this library. */
#include "shim.h"

#include <dlfcn.h>

#pragma weak dlvsym /* musl has none, and would refuse to start a program over it */

struct real_functions real;

/* Since glibc 2.3.2 condition variables have another layout; a plain dlsym may find the older, incompatible version. */
static void *condition_function(const char *name) {
    void *found = dlvsym ? dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2") : NULL;
    return found ? found : dlsym(RTLD_NEXT, name);
}

/* Also called by a wrapper that runs before our constructor: other libraries' constructors may be earlier. */
void resolve_real_functions(void) {
    if (real.syscall)
        return;
#define LOOK_UP(result, name, parameters) real.name = (result(*) parameters)dlsym(RTLD_NEXT, #name);
    REAL_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    real.pthread_cond_timedwait = (int (*)(pthread_cond_t *, pthread_mutex_t *,
                                           const struct timespec *))condition_function("pthread_cond_timedwait");
}
