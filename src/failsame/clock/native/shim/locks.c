/* Timed waits for other threads: semaphores, futexes, and locks with a deadline. */
#include "shim.h"

#include <linux/futex.h>
#include <mqueue.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <threads.h>

/* Python's locks are semaphores. */
static int semaphore_until(sem_t *semaphore, int64_t deadline) {
    int result;
    if (sem_trywait(semaphore) == 0)
        return 0;
    WAIT_UNTIL(
        deadline,
        {
            struct timespec until = timespec_of(real_now() + left);
            result = real.sem_clockwait(semaphore, CLOCK_MONOTONIC, &until);
        },
        result < 0 && errno == ETIMEDOUT, result < 0 && errno == EINTR);
    return result;
}

static bool valid(const struct timespec *moment) {
    return moment && moment->tv_sec >= 0 && moment->tv_nsec >= 0 && moment->tv_nsec < NS_PER_S;
}

EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
    resolve_real_functions();
    if (!world || !is_virtual(clock) || !valid(until))
        return real.sem_clockwait(semaphore, clock, until);
    return semaphore_until(semaphore, nanoseconds(until) - wall_offset_of(clock));
}

EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
    resolve_real_functions();
    if (!world || !valid(until))
        return real.sem_timedwait(semaphore, until);
    return semaphore_until(semaphore, nanoseconds(until) - world->wall_offset);
}

/* futex(2): FUTEX_WAIT counts from now, FUTEX_WAIT_BITSET until a moment. */
static long futex_until(const long *a, int operation) {
    const struct timespec *timeout = (const struct timespec *)a[3];
    bool from_now = operation == FUTEX_WAIT;
    int64_t deadline = from_now ? virtual_now() + nanoseconds(timeout)
                                : nanoseconds(timeout) - (a[1] & FUTEX_CLOCK_REALTIME ? world->wall_offset : 0);
    long bits = from_now ? (long)FUTEX_BITSET_MATCH_ANY : a[5];
    long result;
    WAIT_UNTIL(
        deadline,
        {
            struct timespec until = timespec_of(real_now() + left);
            result =
                real.syscall(SYS_futex, a[0], FUTEX_WAIT_BITSET | (a[1] & FUTEX_PRIVATE_FLAG), a[2], &until, 0L, bits);
        },
        result < 0 && errno == ETIMEDOUT, result < 0 && errno == EINTR);
    return result;
}

static long sleep_by_number(const long *a) {
    int error = clock_nanosleep((clockid_t)a[0], (int)a[1], (const struct timespec *)a[2], (struct timespec *)a[3]);
    errno = error ? error : errno;
    return error ? -1 : 0;
}

/* Rust's standard library and abseil wait through libc's syscall(). What is not listed here and has a timeout is seen
 * by the arbiter as a wait that nobody published: real time. libuv makes its io_uring through it (Node 22's has one for
 * epoll_ctl that UV_USE_IO_URING does not switch off), and does without on a kernel that has none: the kernel would work
 * for it unseen. */
EXPORT long syscall(long number, ...) {
    resolve_real_functions();
    long a[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(arguments, long);
    va_end(arguments);
    int operation = (int)a[1] & FUTEX_CMD_MASK;
    if (world && number == SYS_futex && (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) && a[3])
        return futex_until(a, operation);
    if (world && number == SYS_clock_gettime)
        return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
    if (world && number == SYS_gettimeofday)
        return gettimeofday((struct timeval *)a[0], (void *)a[1]);
    if (world && number == SYS_io_uring_setup) {
        errno = ENOSYS;
        return -1;
    }
    if (world && number == SYS_clock_nanosleep)
        return sleep_by_number(a);
    if (world && number == SYS_nanosleep)
        return nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
    if (world && number == SYS_timerfd_settime)
        return guarded_timerfd_settime((int)a[0], (int)a[1], (const struct itimerspec *)a[2],
                                       (struct itimerspec *)a[3]);
    if (world && number == SYS_io_uring_setup) {
        errno = ENOSYS; /* libuv sets a ring up whatever UV_USE_IO_URING says, and does without if it gets none */
        return -1;
    }
    return real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Locks with a deadline cannot be kicked: glibc waits on after a signal. They wait in real time, and so does the world;
 * only if they have to wait at all. Their deadlines are moments of V, which the kernel's clocks do not know. */
#define KERNEL_WAIT(CLOCK, UNTIL, CALL)                                                                                \
    ({                                                                                                                 \
        int64_t deadline_ = nanoseconds(UNTIL) - wall_offset_of(CLOCK);                                                \
        struct world_wait *published_ = publish(deadline_, WAIT_KERNEL);                                               \
        run_in_real_time();                                                                                            \
        struct timespec now_;                                                                                          \
        real.clock_gettime(CLOCK, &now_);                                                                              \
        struct timespec moment = timespec_of(nanoseconds(&now_) + real_left(deadline_));                               \
        __typeof__(CALL) result_ = CALL;                                                                               \
        retire(published_);                                                                                            \
        result_;                                                                                                       \
    })

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
    resolve_real_functions();
    if (!world || !is_virtual(clock) || !valid(until))
        return real.pthread_mutex_clocklock(mutex, clock, until);
    int error = pthread_mutex_trylock(mutex);
    return error == EBUSY ? KERNEL_WAIT(clock, until, real.pthread_mutex_clocklock(mutex, clock, &moment)) : error;
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
    resolve_real_functions();
    if (!world || !valid(until))
        return real.pthread_mutex_timedlock(mutex, until);
    int error = pthread_mutex_trylock(mutex);
    return error == EBUSY ? KERNEL_WAIT(CLOCK_REALTIME, until, real.pthread_mutex_timedlock(mutex, &moment)) : error;
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
    resolve_real_functions();
    if (!world || !is_virtual(clock) || !valid(until))
        return real.pthread_rwlock_clockrdlock(lock, clock, until);
    int error = pthread_rwlock_tryrdlock(lock);
    return error == EBUSY ? KERNEL_WAIT(clock, until, real.pthread_rwlock_clockrdlock(lock, clock, &moment)) : error;
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
    resolve_real_functions();
    if (!world || !is_virtual(clock) || !valid(until))
        return real.pthread_rwlock_clockwrlock(lock, clock, until);
    int error = pthread_rwlock_trywrlock(lock);
    return error == EBUSY ? KERNEL_WAIT(clock, until, real.pthread_rwlock_clockwrlock(lock, clock, &moment)) : error;
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
    resolve_real_functions();
    if (!world || !valid(until))
        return real.pthread_rwlock_timedrdlock(lock, until);
    int error = pthread_rwlock_tryrdlock(lock);
    return error == EBUSY ? KERNEL_WAIT(CLOCK_REALTIME, until, real.pthread_rwlock_timedrdlock(lock, &moment)) : error;
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
    resolve_real_functions();
    if (!world || !valid(until))
        return real.pthread_rwlock_timedwrlock(lock, until);
    int error = pthread_rwlock_trywrlock(lock);
    return error == EBUSY ? KERNEL_WAIT(CLOCK_REALTIME, until, real.pthread_rwlock_timedwrlock(lock, &moment)) : error;
}

EXPORT int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until) {
    resolve_real_functions();
    if (!world || !valid(until))
        return real.pthread_timedjoin_np(thread, result, until);
    int error = pthread_tryjoin_np(thread, result);
    return error == EBUSY ? KERNEL_WAIT(CLOCK_REALTIME, until, real.pthread_timedjoin_np(thread, result, &moment))
                          : error;
}

EXPORT int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *until) {
    resolve_real_functions();
    if (!world || !is_virtual(clock) || !valid(until))
        return real.pthread_clockjoin_np(thread, result, clock, until);
    int error = pthread_tryjoin_np(thread, result);
    return error == EBUSY ? KERNEL_WAIT(clock, until, real.pthread_clockjoin_np(thread, result, clock, &moment))
                          : error;
}

EXPORT int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until) {
    int error = pthread_mutex_timedlock((pthread_mutex_t *)mutex, until); /* glibc's mtx_t is one inside */
    return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : error == EBUSY ? thrd_busy : thrd_error;
}

EXPORT ssize_t mq_timedreceive(mqd_t queue, char *restrict text, size_t size, unsigned *restrict priority,
                               const struct timespec *restrict until) {
    resolve_real_functions();
    if (!world || !valid(until))
        return real.mq_timedreceive(queue, text, size, priority, until);
    return KERNEL_WAIT(CLOCK_REALTIME, until, real.mq_timedreceive(queue, text, size, priority, &moment));
}

EXPORT int mq_timedsend(mqd_t queue, const char *text, size_t size, unsigned priority, const struct timespec *until) {
    resolve_real_functions();
    if (!world || !valid(until))
        return real.mq_timedsend(queue, text, size, priority, until);
    return KERNEL_WAIT(CLOCK_REALTIME, until, real.mq_timedsend(queue, text, size, priority, &moment));
}
