/* Reading the clock. CPU clocks stay the kernel's. */
#include "shim.h"

#include <string.h>
#include <unistd.h>

bool is_virtual(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
        return true;
    default:
        return false;
    }
}

int64_t wall_offset_of(clockid_t clock) {
    bool wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
    return wall ? world->wall_offset : 0;
}

int64_t nanoseconds(const struct timespec *time) {
    int64_t seconds = time->tv_sec;
    if (seconds > 4000000000LL) /* "for ever": keep it from overflowing */
        seconds = 4000000000LL;
    return seconds * NS_PER_S + time->tv_nsec;
}

struct timespec timespec_of(int64_t ns) {
    if (ns < 0)
        ns = 0;
    return (struct timespec){.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
}

int64_t real_now(void) {
    struct timespec now;
    resolve_real_functions();
    real.clock_gettime(CLOCK_MONOTONIC, &now);
    return nanoseconds(&now);
}

int64_t virtual_now(void) {
    return world_peek(world, real_now(), NULL);
}

int64_t real_left(int64_t deadline) {
    int64_t lease, now = world_peek(world, real_now(), &lease);
    return now >= deadline ? 0 : deadline - now + lease;
}

struct timespec real_moment(int64_t deadline) {
    return timespec_of(real_now() + real_left(deadline));
}

static int64_t read_clock(clockid_t clock) {
    return world_read(world, real_now()) + wall_offset_of(clock);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *told) {
    resolve_real_functions();
    if (!world || !is_virtual(clock))
        return real.clock_gettime(clock, told);
    *told = timespec_of(read_clock(clock));
    return 0;
}

EXPORT int gettimeofday(struct timeval *restrict told, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *told = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    if (zone)
        memset(zone, 0, sizeof(struct timezone));
    return 0;
}

EXPORT time_t time(time_t *told) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (told)
        *told = now.tv_sec;
    return now.tv_sec;
}

EXPORT int timespec_get(struct timespec *told, int base) {
    resolve_real_functions();
    if (!world || base != TIME_UTC)
        return real.timespec_get(told, base);
    clock_gettime(CLOCK_REALTIME, told);
    return base;
}

/* Its parameter counts processor time, its result counts clock ticks since some moment. */
EXPORT clock_t times(struct tms *processor) {
    resolve_real_functions();
    clock_t ticks = real.times(processor);
    if (!world || ticks == (clock_t)-1)
        return ticks;
    return (clock_t)(read_clock(CLOCK_MONOTONIC) / (NS_PER_S / sysconf(_SC_CLK_TCK)));
}
