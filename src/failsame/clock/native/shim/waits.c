/* A thread's entry in the world's table of waits. */
#include "shim.h"

#include <unistd.h>

static __thread struct world_wait *own_wait __attribute__((tls_model("initial-exec")));
static pthread_key_t at_thread_exit;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void release(void *argument) {
    struct world_wait *wait = argument;
    atomic_store(&wait->state, WAIT_NONE);
    atomic_store(&wait->tid, 0);
    atomic_store(&wait->pid, 0);
    if (own_wait == wait)
        own_wait = NULL;
}

static void make_key(void) {
    pthread_key_create(&at_thread_exit, release);
}

void forget_waits(void) {
    own_wait = NULL;
    pthread_once(&key_once, make_key);
    pthread_setspecific(at_thread_exit, NULL);
}

void forget_waits_of(int32_t pid) {
    for (int i = 0; i < WORLD_WAITS; i++)
        if (atomic_load(&world->waits[i].pid) == pid)
            release(&world->waits[i]);
}

static void raise_waits_used(int32_t used) {
    int32_t known = atomic_load(&world->waits_used);
    while (known < used && !atomic_compare_exchange_weak(&world->waits_used, &known, used))
        ;
}

/* Of a thread with this very number that ended without running its destructors. */
static void release_namesakes(int32_t pid, int32_t tid) {
    int32_t used = atomic_load(&world->waits_used);
    for (int i = 0; i < used; i++)
        if (atomic_load(&world->waits[i].pid) == pid && atomic_load(&world->waits[i].tid) == tid)
            release(&world->waits[i]);
}

static struct world_wait *take_free_wait(int32_t pid, int32_t tid) {
    release_namesakes(pid, tid);
    for (int i = 0; i < WORLD_WAITS; i++) {
        struct world_wait *wait = &world->waits[i];
        int32_t free = 0;
        if (atomic_load(&wait->pid) == 0 && atomic_compare_exchange_strong(&wait->pid, &free, pid)) {
            atomic_store(&wait->state, WAIT_NONE);
            atomic_store(&wait->tid, tid);
            raise_waits_used(i + 1);
            return wait;
        }
    }
    atomic_store(&world->overflow, 1);
    return NULL;
}

/* A child made without libc's fork (clone, _Fork, vfork) inherits `own_wait` and runs no handler: hence the check. */
static struct world_wait *find_own_wait(void) {
    int32_t pid = getpid(), tid = real_tid();
    if (own_wait && atomic_load(&own_wait->pid) == pid && atomic_load(&own_wait->tid) == tid)
        return own_wait;
    own_process();
    pthread_once(&key_once, make_key);
    own_wait = take_free_wait(pid, tid);
    pthread_setspecific(at_thread_exit, own_wait);
    return own_wait;
}

struct world_wait *publish(int64_t deadline, enum wait_state state) {
    int saved = errno;
    struct world_wait *wait = find_own_wait();
    if (wait) {
        expect_kick();
        atomic_store(&wait->deadline, deadline);
        atomic_store(&wait->state, state);
        atomic_fetch_add(&wait->sequence, 1);
    }
    errno = saved;
    return wait;
}

void renew(struct world_wait *wait) {
    expect_kick();
    if (wait)
        atomic_fetch_add(&wait->sequence, 1);
}

void retire(struct world_wait *wait) {
    if (!wait)
        return;
    atomic_store(&wait->state, WAIT_NONE);
    atomic_fetch_add(&wait->sequence, 1);
}
