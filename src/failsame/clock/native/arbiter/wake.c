/* Waking the threads whose waits a jump has shortened, and making sure that they took note. */
#include "arbiter.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const int64_t FIRST_PAUSE = 50000, NEXT_PAUSE = 300000;
static const int64_t TOLD_ENOUGH = 20 * NS_PER_MS; /* then a thread that does not hear is looked at */
static const int64_t PATIENCE = 5 * NS_PER_S;

static pid_t takes_kicks[WORLD_WAITS]; /* by wait: the thread that was seen to take our signal */

static void broadcast(void) {
    atomic_fetch_add(&world->generation, 1);
    syscall(SYS_futex, &world->generation, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Only a thread that is asleep is kicked: a signal that comes after the wait could disturb something else. */
static void kick(pid_t pid, pid_t tid) {
    if (is_participant(pid) && is_ours(pid) && thread_state(pid, tid) == 'S')
        syscall(SYS_tgkill, pid, tid, WORLD_KICK_SIGNAL);
}

static bool still_waits(const struct sleeper *thread) {
    if (thread->wait < 0)
        return false;
    struct world_wait *wait = &world->waits[thread->wait];
    return atomic_load(&wait->pid) == thread->pid && atomic_load(&wait->tid) == thread->tid &&
           atomic_load(&wait->state) == thread->state && atomic_load(&wait->sequence) == thread->sequence &&
           thread_state(thread->pid, thread->tid) != 0;
}

/* Returns how many have not taken note yet. */
static int tell(const struct look *look) {
    int waiting = 0;
    bool conditions = false;
    for (int i = 0; i < look->count; i++) {
        const struct sleeper *thread = &look->threads[i];
        if (!still_waits(thread))
            continue;
        waiting++;
        if (thread->state == WAIT_KICKED)
            kick(thread->pid, thread->tid);
        else
            conditions = true;
    }
    if (conditions)
        broadcast();
    return waiting;
}

static bool deaf_thread(const struct look *look) {
    for (int i = 0; i < look->count; i++)
        if (still_waits(&look->threads[i]) && refuses_kick(look->threads[i].pid, look->threads[i].tid))
            return true;
    return false;
}

void wake_after_jump(const struct look *look) {
    int64_t began = real_now();
    struct timespec pause = {.tv_nsec = FIRST_PAUSE};
    while (tell(look) > 0) {
        int64_t passed = real_now() - began;
        if (passed > PATIENCE || (passed > TOLD_ENOUGH && deaf_thread(look))) {
            account.poisoned++;
            return;
        }
        stand_still();
        nanosleep(&pause, NULL);
        pause.tv_nsec = NEXT_PAUSE;
    }
}

/* In real time a wait ends by its own timeout; but V may have been moved on (what was owed, readings of the clock). */
void wake_due(void) {
    int64_t now = virtual_now();
    int used = atomic_load(&world->waits_used);
    bool conditions = false;
    for (int i = 0; i < used && i < WORLD_WAITS; i++) {
        struct world_wait *wait = &world->waits[i];
        uint32_t state = atomic_load(&wait->state);
        if ((state != WAIT_KICKED && state != WAIT_BROADCAST) || atomic_load(&wait->deadline) > now)
            continue;
        if (state == WAIT_BROADCAST)
            conditions = true;
        else
            kick(atomic_load(&wait->pid), atomic_load(&wait->tid));
    }
    if (conditions)
        broadcast();
}

/* Before a jump: a thread that blocks our signal behind libc's back would sleep on through it. */
bool all_take_kicks(const struct look *look, struct reason *reason) {
    for (int i = 0; i < look->count; i++) {
        const struct sleeper *thread = &look->threads[i];
        if (thread->state != WAIT_KICKED || thread->wait < 0 || takes_kicks[thread->wait] == thread->tid)
            continue;
        if (refuses_kick(thread->pid, thread->tid)) {
            blame(reason, WHY_SIGNAL, "thread %d blocks signal %d, which ends skipped waits", thread->tid,
                  WORLD_KICK_SIGNAL);
            return false;
        }
        takes_kicks[thread->wait] = thread->tid;
    }
    return true;
}
