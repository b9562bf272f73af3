/* The shim: preloaded into every participant (LD_PRELOAD), it lets the program read the world's clock, and publishes
 * its timed waits, so that the arbiter knows until when nothing happens.
 *
 * Without an arbiter, or with one that died, all of it is plain real time: every wait carries a real timeout that ends
 * it at the right moment by itself.
 */
#ifndef FAILSAME_SHIM_H
#define FAILSAME_SHIM_H

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <time.h>

#include "../world.h"

#define EXPORT __attribute__((visibility("default")))

/* The functions of libc that this library stands in front of. */
#define REAL_FUNCTIONS(X)                                                                                              \
    X(int, clock_gettime, (clockid_t, struct timespec *))                                                              \
    X(int, timespec_get, (struct timespec *, int))                                                                     \
    X(clock_t, times, (struct tms *))                                                                                  \
    X(int, poll, (struct pollfd *, nfds_t, int))                                                                       \
    X(int, ppoll, (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))                                \
    X(int, select, (int, fd_set *, fd_set *, fd_set *, struct timeval *))                                              \
    X(int, pselect, (int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *))                    \
    X(int, epoll_pwait, (int, struct epoll_event *, int, int, const sigset_t *))                                       \
    X(int, epoll_pwait2, (int, struct epoll_event *, int, const struct timespec *, const sigset_t *))                  \
    X(int, clock_nanosleep, (clockid_t, int, const struct timespec *, struct timespec *))                              \
    X(int, sem_timedwait, (sem_t *, const struct timespec *))                                                          \
    X(int, sem_clockwait, (sem_t *, clockid_t, const struct timespec *))                                               \
    X(int, pthread_cond_timedwait, (pthread_cond_t *, pthread_mutex_t *, const struct timespec *))                     \
    X(int, pthread_cond_clockwait, (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *))          \
    X(int, pthread_mutex_timedlock, (pthread_mutex_t *, const struct timespec *))                                      \
    X(int, pthread_mutex_clocklock, (pthread_mutex_t *, clockid_t, const struct timespec *))                           \
    X(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *, const struct timespec *))                                  \
    X(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *, const struct timespec *))                                  \
    X(int, pthread_rwlock_clockrdlock, (pthread_rwlock_t *, clockid_t, const struct timespec *))                       \
    X(int, pthread_rwlock_clockwrlock, (pthread_rwlock_t *, clockid_t, const struct timespec *))                       \
    X(int, pthread_timedjoin_np, (pthread_t, void **, const struct timespec *))                                        \
    X(int, pthread_clockjoin_np, (pthread_t, void **, clockid_t, const struct timespec *))                             \
    X(long, mq_timedreceive, (int, char *, size_t, unsigned *, const struct timespec *))                               \
    X(int, mq_timedsend, (int, const char *, size_t, unsigned, const struct timespec *))                               \
    X(int, pthread_sigmask, (int, const sigset_t *, sigset_t *))                                                       \
    X(int, sigprocmask, (int, const sigset_t *, sigset_t *))                                                           \
    X(int, sigaction, (int, const struct sigaction *, struct sigaction *))                                             \
    X(sighandler_t, signal, (int, sighandler_t))                                                                       \
    X(int, setsockopt, (int, int, int, const void *, socklen_t))                                                       \
    X(int, timerfd_settime, (int, int, const struct itimerspec *, struct itimerspec *))                                \
    X(int, setitimer, (int, const struct itimerval *, struct itimerval *))                                             \
    X(unsigned, alarm, (unsigned))                                                                                     \
    X(int, timer_settime, (timer_t, int, const struct itimerspec *, struct itimerspec *))                              \
    X(int, execve, (const char *, char *const *, char *const *))                                                       \
    X(int, execv, (const char *, char *const *))                                                                       \
    X(int, execvp, (const char *, char *const *))                                                                      \
    X(int, execvpe, (const char *, char *const *, char *const *))                                                      \
    X(long, syscall, (long, ...))

#define FAILSAME_DECLARE(result, name, parameters) result(*name) parameters;
struct real_functions {
    REAL_FUNCTIONS(FAILSAME_DECLARE)
};
#undef FAILSAME_DECLARE

extern struct real_functions real;
extern struct world *world; /* NULL outside a world: every function then does what libc's does */

/* real.c */
void resolve_real_functions(void);

/* attach.c: this process in the world's table */
struct world_process *own_process(void);
int32_t real_tid(void);

/* clocks.c */
bool is_virtual(clockid_t clock);
int64_t wall_offset_of(clockid_t clock); /* what to take from a reading of `clock` to get V */
int64_t real_now(void);                  /* CLOCK_MONOTONIC of the kernel */
int64_t virtual_now(void);               /* V, without moving the floor */
int64_t real_left(int64_t deadline);     /* real nanoseconds until V is there, if nobody jumps or renews the lease */
int64_t nanoseconds(const struct timespec *);
struct timespec timespec_of(int64_t nanoseconds);
struct timespec real_moment(int64_t deadline); /* when V is there, as CLOCK_MONOTONIC tells it */

/* waits.c: how a thread publishes what it waits for. A NULL wait (no world, tables full) is allowed everywhere. */
struct world_wait *publish(int64_t deadline, enum wait_state);
void renew(struct world_wait *);
void retire(struct world_wait *);
void forget_waits(void);           /* after fork: the parent's waits are not the child's */
void forget_waits_of(int32_t pid); /* before exec and after it */

/* signals.c: the signal that ends waits */
bool was_kicked(void);
void expect_kick(void); /* call before a wait: was_kicked() then tells of this wait only */
void install_kick_handler(void);
const sigset_t *without_kick(const sigset_t *mask, sigset_t *space); /* the mask, but our signal not blocked */

/* conditions.c */
void forget_conditions(void);

/* kernel_timers.c: real time from now on, until the arbiter sees that no timer is left */
void run_in_real_time(void);
long guarded_timerfd_settime(int fd, int flags, const struct itimerspec *, struct itimerspec *);

/* One timed wait: evaluate ATTEMPT with `left`, the real nanoseconds to wait at most, until it ends for a reason of
 * its own or V has reached the deadline. TIMED_OUT and INTERRUPTED are conditions on its `result`. */
#define WAIT_UNTIL(deadline, ATTEMPT, TIMED_OUT, INTERRUPTED)                                                          \
    do {                                                                                                               \
        struct world_wait *published_ = publish((deadline), WAIT_KICKED);                                              \
        for (;;) {                                                                                                     \
            int64_t left = real_left(deadline);                                                                        \
            ATTEMPT;                                                                                                   \
            bool again_ = (TIMED_OUT) ? left > 0 && virtual_now() < (deadline) /* a lease was renewed meanwhile */     \
                                      : (INTERRUPTED) && was_kicked();                                                 \
            if (!again_)                                                                                               \
                break;                                                                                                 \
            renew(published_);                                                                                         \
        }                                                                                                              \
        retire(published_);                                                                                            \
    } while (0)

#endif
