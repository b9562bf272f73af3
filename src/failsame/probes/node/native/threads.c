/* Which threads there are: the child of a fork has none but the one that forked.
 *
 * Where it ends, Node joins V8's threads and its own (NodePlatform::Shutdown), and glibc, which has reclaimed their
 * memory, would read from it (nptl/pthread_join_common.c). In a child those are over already. What a thread is known by
 * is its stack, and glibc would give the reclaimed ones to new threads: so a child's have stacks of their own. */
#include "forks.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_OWN = 2048 }; /* libuv starts 1,024 at most */

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int join_function(pthread_t, void **);

static bool is_child;
static _Atomic pthread_t own[MAX_OWN]; /* the threads that a child has started; 0: none */

void forget_threads(void) {
    is_child = true;
}

/* A stack that was set ends at an address; where none was, glibc counts down from zero. */
static bool has_stack(const pthread_attr_t *attributes) {
    void *lowest;
    size_t size;
    return pthread_attr_getstack(attributes, &lowest, &size) == 0 && (uintptr_t)lowest + size != 0;
}

/* It stays mapped when its thread ends: a child does not live long. */
static int give_stack(pthread_attr_t *attributes) {
    size_t size, guard = (size_t)sysconf(_SC_PAGESIZE);
    pthread_attr_getstacksize(attributes, &size);
    size = (size + guard - 1) / guard * guard;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    char *memory = mmap(NULL, guard + size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0)
        return EAGAIN;
    return pthread_attr_setstack(attributes, memory + guard, size);
}

/* Where there is no room, the thread is taken for one that is over. */
static int create_own(create_function *create, pthread_t *thread, pthread_attr_t attributes, void *(*start)(void *),
                      void *argument) {
    int result = has_stack(&attributes) ? 0 : give_stack(&attributes);
    result = result ? result : create(thread, &attributes, start, argument);
    for (int i = 0; result == 0 && i < MAX_OWN; i++) {
        pthread_t none = 0;
        if (atomic_compare_exchange_strong(&own[i], &none, *thread))
            break;
    }
    return result;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                          void *(*start)(void *), void *argument) {
    create_function *create = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
    pthread_attr_t usual;
    if (!is_child)
        return create(thread, attributes, start, argument);
    pthread_attr_init(&usual);
    /* A copy is as good as the original while that lives: what is not in it, it points to. */
    int result = create_own(create, thread, attributes ? *attributes : usual, start, argument);
    pthread_attr_destroy(&usual);
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
