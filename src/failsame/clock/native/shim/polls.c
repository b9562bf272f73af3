/* Waits for descriptors. */
#include "shim.h"

#include <limits.h>
#include <string.h>

enum { MAX_SELECT_SETS = 8 }; /* of 1,024 descriptors each; more than that run unpublished, so in real time */

/* A wait without a deadline needs no publishing: the arbiter reads in /proc that it has none. But a kick that was on
 * its way when the wait before this one ended must not look like a signal of the program. */
#define WAIT_FOREVER(ATTEMPT)                                                                                          \
    do {                                                                                                               \
        expect_kick();                                                                                                 \
        ATTEMPT;                                                                                                       \
    } while (result < 0 && errno == EINTR && was_kicked())

#define INTERRUPTED (result < 0 && errno == EINTR)

static int poll_until(struct pollfd *set, nfds_t count, int64_t duration, const sigset_t *mask) {
    int result;
    int64_t deadline = virtual_now() + duration;
    WAIT_UNTIL(
        deadline,
        {
            struct timespec at_most = timespec_of(left);
            result = real.ppoll(set, count, &at_most, mask);
        },
        result == 0, INTERRUPTED);
    return result;
}

EXPORT int poll(struct pollfd *set, nfds_t count, int milliseconds) {
    resolve_real_functions();
    if (!world || milliseconds == 0)
        return real.poll(set, count, milliseconds);
    if (milliseconds > 0)
        return poll_until(set, count, milliseconds * NS_PER_MS, NULL);
    int result;
    WAIT_FOREVER(result = real.poll(set, count, milliseconds));
    return result;
}

EXPORT int ppoll(struct pollfd *set, nfds_t count, const struct timespec *duration, const sigset_t *mask) {
    sigset_t space;
    resolve_real_functions();
    if (!world)
        return real.ppoll(set, count, duration, mask);
    mask = without_kick(mask, &space);
    if (duration && nanoseconds(duration) > 0)
        return poll_until(set, count, nanoseconds(duration), mask);
    if (duration)
        return real.ppoll(set, count, duration, mask);
    int result;
    WAIT_FOREVER(result = real.ppoll(set, count, NULL, mask));
    return result;
}

/* What programs call that were compiled with _FORTIFY_SOURCE. */
EXPORT int __poll_chk(struct pollfd *set, nfds_t count, int milliseconds, size_t size) {
    (void)size;
    return poll(set, count, milliseconds);
}

EXPORT int __ppoll_chk(struct pollfd *set, nfds_t count, const struct timespec *duration, const sigset_t *mask,
                       size_t size) {
    (void)size;
    return ppoll(set, count, duration, mask);
}

/* select overwrites its sets, so each attempt needs them anew. */
struct sets {
    fd_set read[MAX_SELECT_SETS], write[MAX_SELECT_SETS], except[MAX_SELECT_SETS];
};

static void copy_set(fd_set *to, const fd_set *from, int count) {
    enum { BITS = 8 * (int)sizeof(long) };
    if (to && from)
        memcpy(to, from, (size_t)((count + BITS - 1) / BITS) * sizeof(long));
}

static int select_until(int count, fd_set *read, fd_set *write, fd_set *except, int64_t deadline,
                        const sigset_t *mask) {
    int result;
    struct sets asked;
    copy_set(asked.read, read, count);
    copy_set(asked.write, write, count);
    copy_set(asked.except, except, count);
    WAIT_UNTIL(
        deadline,
        {
            struct timespec at_most = timespec_of(left);
            copy_set(read, asked.read, count);
            copy_set(write, asked.write, count);
            copy_set(except, asked.except, count);
            result = real.pselect(count, read, write, except, &at_most, mask);
        },
        result == 0, INTERRUPTED);
    return result;
}

EXPORT int pselect(int count, fd_set *read, fd_set *write, fd_set *except, const struct timespec *duration,
                   const sigset_t *mask) {
    sigset_t space;
    resolve_real_functions();
    if (!world || count < 0 || count > MAX_SELECT_SETS * FD_SETSIZE)
        return real.pselect(count, read, write, except, duration, mask);
    mask = without_kick(mask, &space);
    if (duration && nanoseconds(duration) > 0)
        return select_until(count, read, write, except, virtual_now() + nanoseconds(duration), mask);
    if (duration)
        return real.pselect(count, read, write, except, duration, mask);
    int result;
    struct timespec *none = NULL;
    WAIT_FOREVER(result = real.pselect(count, read, write, except, none, mask));
    return result;
}

EXPORT int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *duration) {
    resolve_real_functions();
    if (!world || !duration)
        return pselect(count, read, write, except, NULL, NULL);
    int64_t ns = nanoseconds(&(struct timespec){.tv_sec = duration->tv_sec, .tv_nsec = duration->tv_usec * 1000});
    if (ns <= 0 || count < 0 || count > MAX_SELECT_SETS * FD_SETSIZE)
        return real.select(count, read, write, except, duration);
    int64_t deadline = virtual_now() + ns;
    int result = select_until(count, read, write, except, deadline, NULL);
    struct timespec rest = timespec_of(deadline - virtual_now()); /* Linux tells select's caller what was left */
    *duration = (struct timeval){.tv_sec = rest.tv_sec, .tv_usec = rest.tv_nsec / 1000};
    return result;
}

static int epoll_until(int epoll, struct epoll_event *events, int count, int64_t duration, const sigset_t *mask) {
    int result;
    int64_t deadline = virtual_now() + duration;
    WAIT_UNTIL(
        deadline,
        {
            int64_t milliseconds = (left + NS_PER_MS - 1) / NS_PER_MS;
            result = real.epoll_pwait(epoll, events, count, milliseconds > INT_MAX ? INT_MAX : (int)milliseconds, mask);
        },
        result == 0, INTERRUPTED);
    return result;
}

EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int count, int milliseconds, const sigset_t *mask) {
    sigset_t space;
    resolve_real_functions();
    mask = without_kick(mask, &space);
    if (!world || milliseconds == 0)
        return real.epoll_pwait(epoll, events, count, milliseconds, mask);
    if (milliseconds > 0)
        return epoll_until(epoll, events, count, milliseconds * NS_PER_MS, mask);
    int result;
    WAIT_FOREVER(result = real.epoll_pwait(epoll, events, count, milliseconds, mask));
    return result;
}

EXPORT int epoll_wait(int epoll, struct epoll_event *events, int count, int milliseconds) {
    return epoll_pwait(epoll, events, count, milliseconds, NULL);
}

EXPORT int epoll_pwait2(int epoll, struct epoll_event *events, int count, const struct timespec *duration,
                        const sigset_t *mask) {
    sigset_t space;
    resolve_real_functions();
    if (!world)
        return real.epoll_pwait2(epoll, events, count, duration, mask);
    if (!duration)
        return epoll_pwait(epoll, events, count, -1, mask);
    mask = without_kick(mask, &space);
    if (nanoseconds(duration) <= 0)
        return real.epoll_pwait2(epoll, events, count, duration, mask);
    return epoll_until(epoll, events, count, nanoseconds(duration), mask);
}
