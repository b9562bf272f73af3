/* Moving V: the only file that publishes epochs. */
#include "arbiter.h"

#include <string.h>
#include <time.h>

/* Working for so long without a wait that is jumped over means real time until the next jump: whoever spins on a flag
 * that another thread sets after a sleep would spin for ever otherwise. */
static const int64_t PROCESSOR_BUDGET = 2 * NS_PER_S;
static const int64_t REAL_BUDGET = 30 * NS_PER_S;

static int64_t processor_at_jump, real_at_jump; /* when the budget began */
static int64_t last_kept;

/* When all was understood for the last time: V then, and for how long (of real time) it has stood still since. Of that,
 * V is owed what it has not moved on by itself, by being read. */
struct debt {
    int64_t from, stood;
};
static struct debt threads, kernel;
static struct reason running_because;

int64_t real_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t virtual_now(void) {
    return world_peek(world, real_now(), NULL);
}

static int64_t frozen_until(void) {
    int64_t until = atomic_load(&world->epochs[atomic_load(&world->epoch) % WORLD_EPOCHS].frozen_until);
    int64_t since = atomic_load(&world->running_since);
    return since && since < until ? since : until;
}

static void owe_nothing(void) {
    threads = kernel = (struct debt){virtual_now(), 0};
}

void keep_account(void) {
    int64_t now = real_now(), until = frozen_until();
    int64_t from = last_kept ? last_kept : now;
    int64_t still = (until < now ? until : now) - from;
    if (still < 0)
        still = 0;
    int64_t ran = now - from - still;
    last_kept = now;
    threads.stood += still;
    kernel.stood += still;
    if (trial.mode != RELEASED)
        owe_nothing(); /* while the harness holds the clock, no time is lost to anybody */
    if (trial.mode != RELEASED || ran <= 0)
        return;
    if (running_because.why == WHY_NOTHING && atomic_load(&world->running_since))
        blame(&running_because, WHY_TIMER, "a participant armed a timer in the kernel");
    else if (running_because.why == WHY_NOTHING)
        blame(&running_because, WHY_LATE, "the arbiter did not get to look within a lease");
    account.real_time += ran;
    account.spent[running_because.why] += ran;
    if (!account.text[running_because.why][0])
        memcpy(account.text[running_because.why], running_because.text, REASON_SIZE);
}

void all_threads_understood(void) {
    keep_account();
    threads = (struct debt){virtual_now(), 0};
}

void nothing_in_kernel(void) {
    keep_account();
    kernel = (struct debt){virtual_now(), 0};
}

static void publish(int64_t now, int64_t until) {
    keep_account();
    uint32_t next = atomic_load(&world->epoch) + 1;
    struct world_epoch *epoch = &world->epochs[next % WORLD_EPOCHS];
    atomic_store(&epoch->virtual_ns, now);
    atomic_store(&epoch->frozen_until, until);
    atomic_store(&world->epoch, next);
}

static int64_t processor_time(void) {
    int64_t total = 0;
    for (int i = 0; i < WORLD_PROCESSES; i++) {
        pid_t pid = atomic_load(&world->processes[i].pid);
        clockid_t clock;
        struct timespec used;
        if (pid && clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0)
            total += used.tv_sec * NS_PER_S + used.tv_nsec;
    }
    return total;
}

static void begin_budget(void) {
    processor_at_jump = processor_time();
    real_at_jump = real_now();
}

static bool lease_is_fresh(void) {
    return frozen_until() - real_now() > trial.lease / 2;
}

static void publish_still(int64_t now) {
    if (frozen_until() <= real_now())
        atomic_store(&world->stands_since, now);
    publish(now, real_now() + trial.lease);
    running_because.why = WHY_NOTHING;
}

void hold_still(void) {
    begin_budget();
    if (!lease_is_fresh() && !atomic_load(&world->running_since))
        publish_still(virtual_now());
}

void stand_still(void) {
    if (lease_is_fresh() || atomic_load(&world->running_since))
        return;
    if (real_now() - real_at_jump > REAL_BUDGET)
        blame(&running_because, WHY_BUDGET, "30 s of work without a wait that could be skipped");
    else if (processor_time() - processor_at_jump > PROCESSOR_BUDGET)
        blame(&running_because, WHY_BUDGET, "2 s of processor time without a wait that could be skipped");
    else
        publish_still(virtual_now());
}

/* V runs from `now` on. While `running_since` is set, readers count from there, so the epoch has to do so too. */
static void publish_running(int64_t now) {
    int64_t real = real_now(), since = atomic_load(&world->running_since);
    if (since)
        publish(now - (real - since), since);
    else
        publish(now, real);
}

void run(const struct reason *reason, bool because_of_kernel) {
    keep_account();
    running_because = *reason;
    const struct debt *debt = because_of_kernel ? &kernel : &threads;
    int64_t now = virtual_now(), due = debt->stood > 0 ? debt->from + debt->stood : now;
    if (due > now || frozen_until() > real_now())
        publish_running(due > now ? due : now);
    owe_nothing();
}

void jump(int64_t to) {
    publish_still(to);
    atomic_store(&world->stands_since, to);
    owe_nothing();
    account.jumps++;
    begin_budget();
}

static bool any_timer(void) {
    for (int i = 0; i < WORLD_PROCESSES; i++)
        if (atomic_load(&world->processes[i].pid) &&
            atomic_load(&world->processes[i].timers) & (TIMER_INTERVAL | TIMER_POSIX))
            return true;
    for (int i = 0; i < WORLD_WAITS; i++)
        if (atomic_load(&world->waits[i].pid) && atomic_load(&world->waits[i].state) == WAIT_KERNEL)
            return true;
    return false;
}

/* The caller has seen that no timerfd is armed. An epoch that has run since `running_since` says the same with it and
 * without it, so it may be published before, and no reader sees V move in between. */
bool resume_after_timers(void) {
    int64_t since = atomic_load(&world->running_since);
    if (!since)
        return true;
    if (any_timer())
        return false;
    publish_running(virtual_now());
    atomic_store(&world->running_since, 0);
    return true;
}
