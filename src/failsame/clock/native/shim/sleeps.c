/* Sleeps. */
#include "shim.h"

#include <unistd.h>

/* Like clock_nanosleep: returns an error's number. `rest` is told what was left if a signal of the program came. */
static int sleep_until(int64_t deadline, struct timespec *rest) {
    int error;
    WAIT_UNTIL(
        deadline,
        {
            struct timespec at_most = timespec_of(left);
            error = real.clock_nanosleep(CLOCK_MONOTONIC, 0, &at_most, NULL);
        },
        error == 0, error == EINTR);
    if (error == EINTR && rest)
        *rest = timespec_of(deadline - virtual_now());
    return error;
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *rest) {
    resolve_real_functions();
    bool valid = duration->tv_sec >= 0 && duration->tv_nsec >= 0 && duration->tv_nsec < NS_PER_S;
    if (!world || !is_virtual(clock) || !valid)
        return real.clock_nanosleep(clock, flags, duration, rest);
    if (flags & TIMER_ABSTIME)
        return sleep_until(nanoseconds(duration) - wall_offset_of(clock), NULL);
    return sleep_until(virtual_now() + nanoseconds(duration), rest);
}

EXPORT int nanosleep(const struct timespec *duration, struct timespec *rest) {
    int error = clock_nanosleep(CLOCK_MONOTONIC, 0, duration, rest);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

EXPORT int usleep(useconds_t microseconds) {
    struct timespec duration = timespec_of(microseconds * 1000LL);
    return nanosleep(&duration, NULL);
}

EXPORT unsigned sleep(unsigned seconds) {
    struct timespec rest = {0}, duration = {.tv_sec = seconds};
    return nanosleep(&duration, &rest) ? (unsigned)(rest.tv_sec + (rest.tv_nsec > 0)) : 0;
}
