/* Timers that the kernel keeps. They can neither stand still nor jump, so V has to run while one may fire. */
#include "shim.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

/* V has started at 2^20 s and the wall clock in 1970: an absolute moment says by its size which of the two it is of. */
#define IS_WALL_MOMENT(ns) ((ns) > 1000000000LL * NS_PER_S)

void run_in_real_time(void) {
    int64_t standing_still = 0;
    atomic_compare_exchange_strong(&world->running_since, &standing_still, real_now());
}

static void arm(enum timer_kind kind) {
    struct world_process *process = world ? own_process() : NULL;
    if (!process)
        return;
    atomic_fetch_or(&process->timers, kind);
    run_in_real_time();
}

static void disarm(enum timer_kind kind) {
    struct world_process *process = world ? own_process() : NULL;
    if (process)
        atomic_fetch_and(&process->timers, ~(uint32_t)kind);
}

static void note(enum note_kind kind) {
    struct world_process *process = own_process();
    if (process)
        atomic_fetch_or(&process->notes, kind);
}

static void note_user_timeout(int64_t ns) {
    int64_t shortest = atomic_load(&world->user_timeout_ns);
    while ((shortest == 0 || ns < shortest) && !atomic_compare_exchange_weak(&world->user_timeout_ns, &shortest, ns))
        ;
    note(NOTE_USER_TIMEOUT);
}

static bool is_socket_timeout(int level, int option) {
#ifdef SO_RCVTIMEO_NEW
    if (level == SOL_SOCKET && (option == SO_RCVTIMEO_NEW || option == SO_SNDTIMEO_NEW))
        return true;
#endif
    return level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO);
}

EXPORT int setsockopt(int socket, int level, int option, const void *value, socklen_t size) {
    resolve_real_functions();
    if (!world || !value)
        return real.setsockopt(socket, level, option, value, size);
    if (is_socket_timeout(level, option) && size >= sizeof(struct timeval)) {
        const struct timeval *timeout = value;
        struct world_process *process = own_process();
        if ((timeout->tv_sec || timeout->tv_usec) && process) /* nothing runs yet: the arbiter sees the waits */
            atomic_fetch_or(&process->timers, TIMER_SOCKET);
    }
    if (size >= sizeof(int) && *(const int *)value > 0) {
        if (level == SOL_SOCKET && option == SO_KEEPALIVE)
            note(NOTE_KEEPALIVE);
        if (level == IPPROTO_TCP && option == TCP_USER_TIMEOUT)
            note_user_timeout(*(const int *)value * NS_PER_MS);
    }
    return real.setsockopt(socket, level, option, value, size);
}

/* From a moment of V to the same moment of the kernel's clock, given that V runs from now on. */
static struct timespec kernel_moment(const struct timespec *moment) {
    int64_t asked = nanoseconds(moment);
    bool wall = IS_WALL_MOMENT(asked);
    struct timespec now;
    real.clock_gettime(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
    int64_t ahead = asked - (wall ? world->wall_offset : 0) - virtual_now();
    return timespec_of(nanoseconds(&now) + (ahead > 0 ? ahead : 0));
}

static bool is_armed(const struct itimerspec *timer) {
    return timer && (timer->it_value.tv_sec || timer->it_value.tv_nsec);
}

/* A moment of 0 would disarm, so a moment that has passed must not become one: kernel_moment never returns 0. */
long guarded_timerfd_settime(int fd, int flags, const struct itimerspec *timer, struct itimerspec *old) {
    if (!is_armed(timer))
        return real.timerfd_settime(fd, flags, timer, old);
    struct itimerspec asked = *timer;
    run_in_real_time();
    if (flags & TFD_TIMER_ABSTIME)
        asked.it_value = kernel_moment(&timer->it_value);
    int result = real.timerfd_settime(fd, flags, &asked, old);
    run_in_real_time(); /* again: the arbiter may have looked just before the timer was armed */
    return result;
}

EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *timer, struct itimerspec *old) {
    resolve_real_functions();
    return world ? (int)guarded_timerfd_settime(fd, flags, timer, old) : real.timerfd_settime(fd, flags, timer, old);
}

EXPORT int timer_settime(timer_t id, int flags, const struct itimerspec *timer, struct itimerspec *old) {
    resolve_real_functions();
    if (!world || !is_armed(timer))
        return real.timer_settime(id, flags, timer, old);
    struct itimerspec asked = *timer;
    arm(TIMER_POSIX); /* for the rest of the process: its other timers may still be armed when this one is not */
    if (flags & TIMER_ABSTIME)
        asked.it_value = kernel_moment(&timer->it_value);
    return real.timer_settime(id, flags, &asked, old);
}

EXPORT int setitimer(__itimer_which_t which, const struct itimerval *timer, struct itimerval *old) {
    resolve_real_functions();
    if (!world || which != ITIMER_REAL || !timer) /* the others count processor time */
        return real.setitimer(which, timer, old);
    if (timer->it_value.tv_sec || timer->it_value.tv_usec)
        arm(TIMER_INTERVAL);
    else
        disarm(TIMER_INTERVAL);
    return real.setitimer(which, timer, old);
}

EXPORT unsigned alarm(unsigned seconds) {
    resolve_real_functions();
    if (world && seconds)
        arm(TIMER_INTERVAL);
    else
        disarm(TIMER_INTERVAL);
    return real.alarm(seconds);
}
