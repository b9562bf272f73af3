/* Condition variables. glibc waits on after a signal, so a kick is no use; a helper thread in each process that waits
 * for one broadcasts instead, after each jump. To the program that is a spurious wake-up, which POSIX allows and every
 * correct program survives by testing its predicate again. */
#include "shim.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>

#pragma weak dladdr1 /* glibc only; see real.c */

enum { MAX_CONDITIONS = 256, HELPER_STACK = 65536 };

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *waited_for[MAX_CONDITIONS];
static bool helper_runs;

static void *help(void *argument) {
    uint32_t seen = (uint32_t)(uintptr_t)argument;
    for (;;) {
        real.syscall(SYS_futex, &world->generation, FUTEX_WAIT, seen, NULL, NULL, 0);
        uint32_t generation = atomic_load(&world->generation);
        if (generation == seen)
            continue;
        seen = generation;
        pthread_mutex_lock(&table_lock);
        for (int i = 0; i < MAX_CONDITIONS; i++)
            if (waited_for[i])
                pthread_cond_broadcast(waited_for[i]);
        pthread_mutex_unlock(&table_lock);
    }
    return NULL;
}

/* With all signals blocked, so that the program's signals go where they went before. */
static void start_helper(void) {
    sigset_t all, old;
    pthread_t thread;
    pthread_attr_t attributes;
    sigfillset(&all);
    real.pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, HELPER_STACK);
    void *seen = (void *)(uintptr_t)atomic_load(&world->generation);
    helper_runs = pthread_create(&thread, &attributes, help, seen) == 0;
    pthread_attr_destroy(&attributes);
    real.pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* Returns a place in the table, or -1 if there is none: then nobody can wake this wait early. */
static int enter(pthread_cond_t *condition) {
    int place = -1;
    pthread_mutex_lock(&table_lock);
    if (!helper_runs)
        start_helper();
    for (int i = 0; i < MAX_CONDITIONS && place < 0; i++)
        if (!waited_for[i] && helper_runs)
            waited_for[place = i] = condition;
    pthread_mutex_unlock(&table_lock);
    return place;
}

static void leave(int place) {
    pthread_mutex_lock(&table_lock);
    waited_for[place] = NULL;
    pthread_mutex_unlock(&table_lock);
}

void forget_conditions(void) {
    helper_runs = false;
    pthread_mutex_init(&table_lock, NULL);
    memset(waited_for, 0, sizeof waited_for);
}

/* CPython hands its interpreter lock over after a timed wait of 5 ms (Python/ceval_gil.c). Its condition variable lies
 * inside _PyRuntime, with the state of the main interpreter. */
static struct { const char *start, *end; } runtime;
static pthread_once_t runtime_once = PTHREAD_ONCE_INIT;

static void find_runtime(void) {
    Dl_info info;
    ElfW(Sym) *symbol = NULL;
    void *address = dlsym(RTLD_DEFAULT, "_PyRuntime");
    if (!address || !dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
        return;
    runtime.start = address;
    runtime.end = runtime.start + symbol->st_size;
}

static bool is_interpreter_lock(const void *condition) {
    pthread_once(&runtime_once, find_runtime);
    return (const char *)condition >= runtime.start && (const char *)condition < runtime.end;
}

/* Real time, whatever V does: it is a slice of processor time, not a timer of the program. */
static int wait_for_interpreter(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t duration) {
    struct world_wait *published = publish(NEVER, WAIT_INTERPRETER);
    struct timespec until = timespec_of(real_now() + (duration > 0 ? duration : 0));
    int error = real.pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &until);
    retire(published);
    return error;
}

static int wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline) {
    int64_t duration = deadline - virtual_now();
    if (is_interpreter_lock(condition))
        return wait_for_interpreter(condition, mutex, duration);
    int place = duration > 0 ? enter(condition) : -1;
    struct world_wait *published = place >= 0 ? publish(deadline, WAIT_BROADCAST) : NULL;
    struct timespec until = real_moment(deadline);
    int error = real.pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &until);
    retire(published);
    if (place >= 0)
        leave(place);
    /* A broadcast of ours at the deadline returns 0: the caller tests its predicate, waits again and times out at once.
     * A timeout before the deadline (a lease was renewed meanwhile) becomes a spurious wake-up. */
    return error == ETIMEDOUT && virtual_now() < deadline ? 0 : error;
}

/* glibc keeps the clock a condition variable was made with in bit 1 of __wrefs (nptl/pthread_cond_common.c). */
static clockid_t clock_of(const pthread_cond_t *condition) {
    return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *until) {
    resolve_real_functions();
    if (!world || !is_virtual(clock))
        return real.pthread_cond_clockwait(condition, mutex, clock, until);
    return wait_until(condition, mutex, nanoseconds(until) - wall_offset_of(clock));
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                                  const struct timespec *restrict until) {
    resolve_real_functions();
    if (!world)
        return real.pthread_cond_timedwait(condition, mutex, until);
    return wait_until(condition, mutex, nanoseconds(until) - wall_offset_of(clock_of(condition)));
}

/* glibc's cnd_t and mtx_t are a pthread_cond_t and a pthread_mutex_t inside. */
EXPORT int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until) {
    int error = pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, until);
    return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}
