/* The system calls that a thread may be asleep in, by number, as /proc/PID/task/TID/syscall shows them.
 *
 * Numbers differ between architectures, and aarch64 lacks the older calls; both come from <sys/syscall.h>. What is not
 * listed here is not understood, and means real time.
 */
#include "arbiter.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the table of system calls was reviewed for x86-64 and aarch64 only"
#endif

bool is_futex(int number) {
    return number == SYS_futex;
}

bool reads_or_writes(int number) {
    return number == SYS_read || number == SYS_readv || number == SYS_write || number == SYS_writev;
}

static bool futex_waits_forever(const unsigned long long *a) {
    switch ((int)a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
#ifdef FUTEX_LOCK_PI2
    case FUTEX_LOCK_PI2:
#endif
        return a[3] == 0;
    default:
        return false;
    }
}

bool is_on_descriptor(int number) {
    switch (number) {
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_accept:
    case SYS_accept4:
    case SYS_connect:
        return true;
    default:
        return reads_or_writes(number);
    }
}

/* Whether a thread asleep in this call wakes only by what another participant does, or by what check_sockets sees.
 * Some take a timeout as an argument. Others may time out by SO_RCVTIMEO or SO_SNDTIMEO, which the shim reports. */
bool waits_forever(int number, const unsigned long long *a) {
    switch (number) {
    case SYS_futex:
        return futex_waits_forever(a);
#ifdef SYS_poll
    case SYS_poll:
        return (int)a[2] < 0;
#endif
    case SYS_ppoll:
        return a[2] == 0;
#ifdef SYS_select
    case SYS_select:
        return a[4] == 0;
#endif
    case SYS_pselect6:
        return a[4] == 0;
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
        return (int)a[3] < 0;
#endif
    case SYS_epoll_pwait:
        return (int)a[3] < 0;
#ifdef SYS_epoll_pwait2
    case SYS_epoll_pwait2:
        return a[3] == 0;
#endif
    case SYS_rt_sigtimedwait:
        return a[2] == 0;
    case SYS_wait4:
    case SYS_waitid:
    case SYS_rt_sigsuspend:
#ifdef SYS_pause
    case SYS_pause:
#endif
        return true;
    default:
        return is_on_descriptor(number);
    }
}

/* The calls by which the shim sleeps for a published wait. */
bool may_be_published(int number) {
    return number == SYS_ppoll || number == SYS_pselect6 || number == SYS_epoll_pwait || number == SYS_futex ||
           number == SYS_clock_nanosleep;
}
