/* Which threads there are: the child of a fork has none but the one that forked.
 *
 * Where it ends, Node joins V8's and its own (NodePlatform::Shutdown), and glibc, which has reclaimed their memory,
 * would read from it (nptl/pthread_join_common.c). In a child they are over already. */
#include "forks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

enum { MAX_OWN = 2048 }; /* libuv starts 1,024 at most */

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int join_function(pthread_t, void **);

static bool is_child;
static _Atomic pthread_t own[MAX_OWN]; /* the threads that a child has started; 0: none */

void forget_threads(void) {
    is_child = true;
}

/* Where there is no room, the thread is taken for one that is over. */
__attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                          void *(*start)(void *), void *argument) {
    create_function *create = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
    int result = create(thread, attributes, start, argument);
    for (int i = 0; is_child && result == 0 && i < MAX_OWN; i++) {
        pthread_t none = 0;
        if (atomic_compare_exchange_strong(&own[i], &none, *thread))
            break;
    }
    return result;
}

__attribute__((visibility("default"))) int pthread_join(pthread_t thread, void **result) {
    join_function *join = (join_function *)dlsym(RTLD_NEXT, "pthread_join");
    if (!is_child)
        return join(thread, result);
    for (int i = 0; i < MAX_OWN; i++) {
        pthread_t found = thread;
        if (atomic_compare_exchange_strong(&own[i], &found, 0))
            return join(thread, result);
    }
    return 0;
}
