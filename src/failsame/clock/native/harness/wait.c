/* How the harness waits in its event loop, and that it does, for the arbiters to see.
 *
 * Loaded by the harness itself (harness.py). In C, since the word has to be taken back before anything else happens:
 * Python, coming out of a system call, may have to wait for the interpreter first (the GIL), and sleeps then, too. */
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/epoll.h>

enum { MOST = 256 };

struct found {
    int32_t descriptor;
    uint32_t events;
};

/* Wait at most so long (milliseconds; -1: for ever). Returns how many were found, or minus errno. */
__attribute__((visibility("default"))) int failsame_wait(_Atomic uint32_t *waiting, int epoll, int timeout,
                                                         struct found *found, int room) {
    struct epoll_event events[MOST];
    atomic_store(waiting, 1);
    int count = epoll_wait(epoll, events, room < MOST ? room : MOST, timeout);
    int error = errno;
    atomic_store(waiting, 0);
    for (int i = 0; i < count; i++)
        found[i] = (struct found){events[i].data.fd, events[i].events};
    return count < 0 ? -error : count;
}
