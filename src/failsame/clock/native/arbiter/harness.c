/* The process that opened the world. It is no participant, but what it writes reaches participants, and what they write
 * waits until it reads: as long as it has anything to do, nobody knows that nothing comes. */
#include "arbiter.h"

#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <time.h>
#include <unistd.h>

pid_t harness, harness_thread;
uid_t participants_uid;
gid_t participants_gid;
static bool looks_as_participants;

/* /proc/PID/syscall asks for the right to trace (ptrace(2), "filesystem user ID"). A privileged arbiter of unprivileged
 * participants takes theirs, and keeps its own against their signals. */
void look_as_the_participants(void) {
    looks_as_participants = participants_uid != geteuid();
    if (!looks_as_participants)
        return;
    setfsgid(participants_gid);
    setfsuid(participants_uid);
}

static void look_as_ourselves(void) {
    setfsuid(geteuid());
    setfsgid(getegid());
}

/* A message wakes it within the sender's call. But it may go to sleep over one: if another of its threads has the
 * interpreter (the GIL), it waits for that. What asyncio itself waits in is epoll_wait and nothing else (selectors.py).
 * Yama does not let a child look at its parent's system calls, but at the function in the kernel that it sleeps in, of
 * which the names differ by version and compiler: ep_poll, do_epoll_wait. */
static bool in_event_loop(void) {
    char space[256];
    if (read_thread(THREAD_SYSCALL, harness, harness_thread, space, sizeof space) > 0)
        return space[0] >= '0' && space[0] <= '9' && is_epoll(atoi(space));
    if (read_thread(THREAD_WCHAN, harness, harness_thread, space, sizeof space) > 0)
        return strstr(space, "ep_poll") || strstr(space, "epoll");
    return false;
}

bool harness_waits(int64_t *runs) {
    if (looks_as_participants)
        look_as_ourselves();
    if (counter_is_switch_ins)
        *runs = run_counter(harness, harness_thread);
    bool waits = in_event_loop() && thread_state(harness, harness_thread) == 'S';
    if (!counter_is_switch_ins)
        *runs = run_counter(harness, harness_thread);
    if (looks_as_participants)
        look_as_the_participants();
    return waits && *runs >= 0;
}

/* At start it waits for what we say first, once whatever else it does is done. */
bool harness_can_be_seen(void) {
    enum { TRIES = 2000 };
    int64_t runs;
    for (int i = 0; i < TRIES; i++) {
        if (harness_waits(&runs))
            return true;
        nanosleep(&(struct timespec){.tv_nsec = NS_PER_MS}, NULL);
    }
    return false;
}
