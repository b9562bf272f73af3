/* One world: the memory that its participants (through the shim) and its arbiter share.
 *
 * A world has a clock of its own, V. It is a function of the kernel's monotonic clock R and of one epoch:
 *
 *     V(R) = epoch.virtual_ns + max(0, R - epoch.frozen_until)
 *
 * so V stands still until the real time `frozen_until` (the lease) and then runs at the rate of real time. The arbiter
 * renews the lease while participants work, and jumps by publishing an epoch further on. If the arbiter dies, is
 * stopped or starved, the lease runs out by itself and everyone is back in real time: nothing has to be cleaned up.
 *
 * Publishing an epoch is one atomic store of its index, so no kill can leave half an epoch behind.
 */
#ifndef FAILSAME_WORLD_H
#define FAILSAME_WORLD_H

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define WORLD_MAGIC 0x4b434f4c43534601LL
#define WORLD_VERSION 1 /* raise it with every change of this file: shim and arbiter must agree to the byte */

/* Both variables of the environment of a participant; the second is the path of the shared file. */
#define WORLD_VARIABLE "FAILSAME_WORLD"

#define NS_PER_S 1000000000LL
#define NS_PER_MS 1000000LL
#define NEVER INT64_MAX

enum {
    WORLD_EPOCHS = 64, /* a reader that is delayed by this many epochs notices and reads again */
    WORLD_PROCESSES = 256,
    WORLD_WAITS = 2048,     /* one a thread that has ever waited; more threads than this run in real time */
    WORLD_KICK_SIGNAL = 61, /* ends a wait whose deadline moved; above SIGRTMIN, out of the way of common uses */
};

/* V at the start: 2^20 s. A double then still resolves 0.2 ns, and no uptime of a machine looks like it. */
#define WORLD_BIRTH_NS (1048576LL * NS_PER_S)

/* Each reading of the clock is later than all before it, in every process. While V stands still it is later by TICK_NS,
 * so that a program that spins on the clock makes progress; after SPIN_READS readings by SPIN_TICK_NS, or a spin of
 * five seconds would take a hundred million readings. While V runs a nanosecond is enough, and keeps V from running
 * faster than real time however many threads read it. */
enum { TICK_NS = 50, SPIN_TICK_NS = 1000, SPIN_READS = 20000, RUNNING_TICK_NS = 1 };

/* What makes a process run in real time: timers in the kernel, which neither stand still nor jump. */
enum timer_kind {
    TIMER_SOCKET = 1,   /* SO_RCVTIMEO or SO_SNDTIMEO */
    TIMER_INTERVAL = 2, /* alarm, setitimer(ITIMER_REAL) */
    TIMER_POSIX = 4,    /* timer_settime */
};

/* What is worth a word beside a result, without making the process run in real time. */
enum note_kind {
    NOTE_KEEPALIVE = 1,    /* SO_KEEPALIVE */
    NOTE_USER_TIMEOUT = 2, /* TCP_USER_TIMEOUT; the shortest is `user_timeout_ns` */
};

struct world_process {
    _Atomic int32_t pid; /* 0: free */
    _Atomic uint32_t timers;
    _Atomic uint32_t notes;
    _Atomic uint32_t between_images; /* has called exec, and no shim has spoken for it since */
};

enum wait_state {
    WAIT_NONE = 0,
    WAIT_KICKED,      /* a signal to the thread ends it */
    WAIT_BROADCAST,   /* a condition variable: the shim's helper thread has to broadcast */
    WAIT_INTERPRETER, /* Python's 5 ms wait for its lock: no timer of the program */
    WAIT_KERNEL,      /* cannot be ended by us: real time until it is over */
};

/* A timed wait. Whoever waits publishes it before it sleeps. */
struct world_wait {
    _Atomic int32_t pid; /* 0: free */
    _Atomic int32_t tid;
    _Atomic uint32_t sequence; /* moves with every publishing, renewing and retiring: the thread has run */
    _Atomic uint32_t state;
    _Atomic int64_t deadline; /* of V, in nanoseconds */
    int64_t unused;
};

struct world_epoch {
    _Atomic int64_t virtual_ns, frozen_until;
};

struct world {
    int64_t magic;
    uint32_t version, size;
    int64_t wall_offset; /* CLOCK_REALTIME - CLOCK_MONOTONIC of this world, for ever: whole seconds */
    _Atomic int32_t arbiter;
    _Atomic uint32_t epoch;      /* index of the current one, modulo WORLD_EPOCHS; only the arbiter writes it */
    _Atomic uint32_t generation; /* futex: helper threads wait for it to move */
    _Atomic int32_t waits_used;  /* no wait at or above this index was ever taken */
    _Atomic int32_t overflow;    /* a table was full: real time */
    int32_t unused;
    _Atomic int64_t user_timeout_ns; /* the shortest TCP_USER_TIMEOUT set; 0: none */
    /* Not 0: a participant armed a kernel timer at this real time. V runs from then on, whatever the epoch says. */
    _Atomic int64_t running_since;
    _Atomic int64_t stands_since; /* V when it began to stand still, by a jump or after running */
    /* The latest reading handed out; on a line of its own, since every reading writes it. */
    _Alignas(64) _Atomic int64_t floor;
    _Alignas(64) struct world_epoch epochs[WORLD_EPOCHS];
    struct world_process processes[WORLD_PROCESSES];
    struct world_wait waits[WORLD_WAITS];
};

/* Shared between processes, so no lock may hide in an atomic, and both sides must see one layout. */
static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2, "atomics must be lock-free");
static_assert(sizeof(struct world_process) == 16, "layout");
static_assert(sizeof(struct world_wait) == 32, "layout");
static_assert(sizeof(struct world_epoch) == 16, "layout");
static_assert(offsetof(struct world, floor) % 64 == 0, "layout");
static_assert(offsetof(struct world, epochs) == offsetof(struct world, floor) + 64, "layout");

/* V at the real time `real`; *lease (if asked for) is how long it still stands still, in nanoseconds. Does not move
 * the floor: for looking, not for telling. */
static inline int64_t world_peek(struct world *world, int64_t real, int64_t *lease) {
    for (;;) {
        uint32_t index = atomic_load(&world->epoch);
        struct world_epoch *epoch = &world->epochs[index % WORLD_EPOCHS];
        int64_t now = atomic_load(&epoch->virtual_ns);
        int64_t frozen_until = atomic_load(&epoch->frozen_until);
        if (atomic_load(&world->epoch) != index)
            continue;
        int64_t since = atomic_load(&world->running_since);
        if (since && since < frozen_until)
            frozen_until = since;
        if (real > frozen_until)
            now += real - frozen_until;
        if (lease)
            *lease = frozen_until > real ? frozen_until - real : 0;
        int64_t floor = atomic_load(&world->floor);
        return now > floor ? now : floor;
    }
}

/* V, as it is told to a program: strictly later than every reading before it. */
static inline int64_t world_read(struct world *world, int64_t real) {
    int64_t lease, now = world_peek(world, real, &lease);
    int64_t floor = atomic_load(&world->floor);
    int64_t spun = floor - atomic_load(&world->stands_since);
    int64_t tick = lease == 0 ? RUNNING_TICK_NS : spun > (int64_t)SPIN_READS * TICK_NS ? SPIN_TICK_NS : TICK_NS;
    int64_t told;
    do
        told = now > floor + tick ? now : floor + tick;
    while (!atomic_compare_exchange_weak(&world->floor, &floor, told));
    return told;
}

#endif
