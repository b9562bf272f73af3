/* The process that opened the world. It is no participant, but what it writes reaches participants, and what they write
 * waits until it reads: as long as it has anything to do, nobody knows that nothing comes. */
#include "arbiter.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

pid_t harness, harness_thread;
static const _Atomic uint32_t *waiting;

/* A message wakes it within the sender's call, and the word that it waits is taken back before it does anything else:
 * wait.c of the harness. Where it sleeps over something else, another thread of its has the interpreter. The word is
 * read on both sides of the state, since the counter's proof is of the time between two states. */
bool harness_waits(int64_t *runs) {
    if (counter_is_switch_ins)
        *runs = run_counter(harness, harness_thread);
    bool waits = atomic_load(waiting) && thread_state(harness, harness_thread) == 'S' && atomic_load(waiting);
    if (!counter_is_switch_ins)
        *runs = run_counter(harness, harness_thread);
    return waits && *runs >= 0;
}

/* At start it waits for what we say first, once whatever else it does is done. */
bool know_harness(pid_t thread, int shared) {
    enum { TRIES = 2000 };
    int64_t runs;
    harness = getppid();
    harness_thread = thread;
    void *memory = mmap(NULL, sizeof *waiting, PROT_READ, MAP_SHARED, shared, 0);
    close(shared);
    waiting = memory;
    for (int i = 0; memory != MAP_FAILED && i < TRIES; i++) {
        if (harness_waits(&runs))
            return true;
        nanosleep(&(struct timespec){.tv_nsec = NS_PER_MS}, NULL);
    }
    return false;
}
