/* What other threads wait for, so that the child of a fork, which has none of them, can wait for it and signal it anew.
 *
 * glibc up to 2.40 lets a signal wait until those who waited before have left (nptl/pthread_cond_common.c,
 * __condvar_quiesce_and_switch_g1). V8's workers, gone in a child, never will, and V8 signals them even where they are
 * to do nothing. POSIX has a condition variable made anew by pthread_cond_init once nobody uses it. */
#include "forks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#pragma weak dlvsym /* musl has none, and would refuse to start a program over it */

enum { MAX_WAITS = 2048 }; /* libuv has 1,024 threads at most, V8 a few */

typedef int wait_function(pthread_cond_t *, pthread_mutex_t *);

static _Atomic(pthread_cond_t *) waited_for[MAX_WAITS];
static pthread_mutex_t *mutexes[MAX_WAITS];
static atomic_bool overflow, known;

/* Since glibc 2.3.2 condition variables have another layout; a plain dlsym may find the older, incompatible version. */
static wait_function *real_wait(void) {
    static _Atomic(wait_function *) real;
    wait_function *found = atomic_load(&real);
    if (!found) {
        found = (wait_function *)(dlvsym ? dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2") : NULL);
        if (!found)
            found = (wait_function *)dlsym(RTLD_NEXT, "pthread_cond_wait");
        atomic_store(&real, found);
    }
    return found;
}

/* No thread of Node's is ever cancelled here, so that what it has entered it leaves. */
__attribute__((visibility("default"))) int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    wait_function *wait = real_wait();
    atomic_store(&known, true);
    for (int i = 0; i < MAX_WAITS; i++) {
        pthread_cond_t *free = NULL;
        if (!atomic_compare_exchange_strong(&waited_for[i], &free, condition))
            continue;
        mutexes[i] = mutex;
        int result = wait(condition, mutex);
        atomic_store(&waited_for[i], NULL);
        return result;
    }
    atomic_store(&overflow, true);
    return wait(condition, mutex);
}

bool conditions_are_known(void) {
    return atomic_load(&known) && !atomic_load(&overflow);
}

void renew_conditions(void) {
    for (int i = 0; i < MAX_WAITS; i++) {
        pthread_cond_t *condition = atomic_exchange(&waited_for[i], NULL);
        if (!condition)
            continue;
        /* Whoever waits counts among the mutex's users, or it could be destroyed under them: nptl/pthread_cond_wait.c.
         */
        mutexes[i]->__data.__nusers--;
        /* Bit 1 of __wrefs is the clock of timed waits, as the clock's shim reads it too. */
        bool monotonic = condition->__data.__wrefs & 2;
        pthread_condattr_t attributes;
        pthread_condattr_init(&attributes);
        pthread_condattr_setclock(&attributes, monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME);
        pthread_cond_init(condition, &attributes);
        pthread_condattr_destroy(&attributes);
    }
}
