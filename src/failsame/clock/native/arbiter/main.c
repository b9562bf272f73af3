/* The arbiter's main loop: look, decide, nap. */
#include "arbiter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const int64_t NAP = 200000, LONG_NAP = 1000000;
static const int64_t WORKING_NAP = 600000; /* while somebody works: most likely still so a moment later */
static const int64_t COMPLETE_EVERY = 4 * NS_PER_MS; /* an unknown wait beats a running thread, this much later */
static const int64_t KERNEL_EVERY = 20 * NS_PER_MS;  /* while somebody runs; a question to sock_diag costs up to 1 ms */
static const int64_t TRANSIT = 3 * NS_PER_MS;        /* what the kernel holds for longer waits for one of its timers */
static const int64_t WAKE_EVERY = NS_PER_MS;
enum { UNKNOWN_LOOKS = 3, LASTING_LOOKS = 50 };

struct world *world;
struct trial trial = {.lease = 300 * NS_PER_MS, .until = NEVER, .mode = HELD};
struct account account;
uid_t participants_uid;
static gid_t participants_gid;

static struct look first, second;
static int unknown_looks;
static int64_t last_complete, last_kernel_check, held_since;
static uint64_t held_signature;
static bool kernel_was_quiet;

void blame(struct reason *reason, enum why why, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason->text, sizeof reason->text, format, arguments);
    va_end(arguments);
    reason->why = why;
}

static void expire(const char *why) {
    keep_account();
    trial.mode = EXPIRED;
    hold_still();
    say_expired(why);
}

/* Whether descriptors and sockets say that nothing comes by itself. If not, V runs, at once or after a moment. */
static bool kernel_is_quiet(int64_t *gives_up) {
    struct reason timer = {WHY_TIMER, "a participant armed a timer in the kernel"};
    last_kernel_check = real_now();
    kernel_was_quiet = false;
    struct descriptors descriptors = scan_descriptors();
    if (!descriptors.understood) {
        run(&descriptors.reason, true);
        return false;
    }
    struct sockets sockets = check_sockets(descriptors.ipv6);
    *gives_up = sockets.gives_up;
    if (sockets.held) {
        if (!held_since || sockets.signature != held_signature)
            held_since = last_kernel_check;
        held_signature = sockets.signature;
        if (last_kernel_check - held_since > TRANSIT)
            run(&sockets.reason, true);
        return false;
    }
    held_since = 0;
    if (!resume_after_timers()) {
        run(&timer, false);
        return false;
    }
    nothing_in_kernel();
    return kernel_was_quiet = true;
}

static void decide_while_running(void) {
    int64_t gives_up;
    if (!first.complete)
        return;
    unknown_looks = 0;
    if (!first.newcomers)
        all_threads_understood();
    bool due = !kernel_was_quiet || real_now() - last_kernel_check > KERNEL_EVERY || atomic_load(&world->running_since);
    if (!due || kernel_is_quiet(&gives_up))
        stand_still();
}

static int64_t earliest_deadline(const struct look *look) {
    int64_t earliest = NEVER;
    for (int i = 0; i < look->count; i++)
        if (look->threads[i].deadline < earliest)
            earliest = look->threads[i].deadline;
    return earliest;
}

/* All slept at one moment between the two looks, and nothing was under way: until the deadline nothing can happen. */
static void jump_and_wake(int64_t deadline, bool kernel_gives_up) {
    int64_t before = virtual_now(), began = real_now();
    if (deadline > before)
        jump(deadline);
    else
        stand_still();
    /* Nobody had reason to run; unless so much time has passed that the deadline was reached by itself. */
    if (anyone_ran_since(&second) && real_now() - began < deadline - before)
        account.suspect++;
    if (kernel_gives_up)
        expire("kernel");
    else if (deadline >= trial.until)
        expire("until");
    wake_after_jump(&second);
}

static void decide_while_asleep(void) {
    int64_t gives_up = NEVER;
    struct reason deaf;
    unknown_looks = 0;
    all_threads_understood();
    if (!kernel_is_quiet(&gives_up))
        return;
    int64_t deadline = earliest_deadline(&first);
    if (trial.until < deadline)
        deadline = trial.until;
    bool kernel_gives_up = gives_up < deadline;
    if (kernel_gives_up)
        deadline = gives_up;
    if (first.count == 0 || deadline == NEVER) {
        stand_still();
        return;
    }
    if (!all_take_kicks(&first, &deaf)) {
        account.poisoned++; /* its wait is longer than it would be, by up to a lease, and cannot be shortened */
        run(&deaf, false);
        return;
    }
    take_look(&second, true);
    if (same_look(&first, &second) && !command_waiting(0))
        jump_and_wake(deadline, kernel_gives_up);
}

static void decide(void) {
    bool complete = real_now() - last_complete > COMPLETE_EVERY;
    take_look(&first, complete);
    if (first.complete)
        last_complete = real_now();
    switch (first.seen) {
    case UNKNOWN:
        last_complete = 0; /* the next look has to be complete, too */
        if (++unknown_looks >= UNKNOWN_LOOKS)
            run(&first.reason, false);
        break;
    case RUNNING:
        decide_while_running();
        break;
    case ASLEEP:
        decide_while_asleep();
        break;
    }
}

static void take_part(void) {
    static int64_t last_wake;
    struct reason overflow = {WHY_OVERFLOW, "more processes or threads than the world's tables hold"};
    struct reason deaf = {WHY_SIGNAL, "a thread takes no note when time is skipped"};
    if (virtual_now() >= trial.until) {
        expire("until");
        return;
    }
    if (real_now() - last_wake > WAKE_EVERY) {
        last_wake = real_now();
        wake_due();
    }
    if (atomic_load(&world->overflow))
        run(&overflow, false);
    else if (account.poisoned)
        run(&deaf, false);
    else
        decide();
}

static int64_t nap(void) {
    if (trial.mode != RELEASED)
        return trial.lease / 4;
    if (unknown_looks > LASTING_LOOKS)
        return LONG_NAP;
    return first.seen == RUNNING ? WORKING_NAP : NAP;
}

/* Before any command is obeyed: a question for the verdict must not come before the answer. */
static void note_gap(int64_t *last_look) {
    int64_t now = real_now();
    if (trial.mode == RELEASED && *last_look && now - *last_look > account.longest_gap)
        account.longest_gap = now - *last_look;
    *last_look = trial.mode == RELEASED ? now : 0;
}

static void serve(void) {
    int64_t last_look = 0;
    for (;;) {
        bool told = command_waiting(nap());
        note_gap(&last_look);
        if (told)
            take_commands();
        keep_account();
        if (trial.mode == RELEASED)
            take_part();
        else
            hold_still();
    }
}

/* The file belongs to the participants' user. */
static bool create_world(const char *path) {
    struct stat file_facts;
    struct timespec wall;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0 || fstat(file, &file_facts) < 0 || ftruncate(file, 0) < 0)
        return false;
    /* On a full disk a file that only has the length would be the end of all who touch it (SIGBUS). */
    if ((errno = posix_fallocate(file, 0, sizeof *world)))
        return false;
    world = mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (world == MAP_FAILED)
        return false;
    participants_uid = file_facts.st_uid;
    participants_gid = file_facts.st_gid;
    clock_gettime(CLOCK_REALTIME, &wall);
    world->wall_offset = wall.tv_sec * NS_PER_S - WORLD_BIRTH_NS;
    world->arbiter = getpid();
    world->epochs[0].virtual_ns = WORLD_BIRTH_NS;
    world->epochs[0].frozen_until = real_now() + trial.lease;
    world->floor = world->stands_since = WORLD_BIRTH_NS;
    world->version = WORLD_VERSION;
    world->size = sizeof *world;
    world->magic = WORLD_MAGIC;
    return true;
}

static const char *unfit(pid_t thread, int shared) {
    char space[64];
    const char *why = choose_run_counter();
    if (why)
        return why;
    if (read_file(space, sizeof space, "/proc/%d/task/%d/children", getpid(), getpid()) < 0)
        return "/proc does not list children (CONFIG_PROC_CHILDREN)";
    if (read_file(space, sizeof space, "/proc/%d/task/%d/syscall", getpid(), getpid()) <= 0)
        return "/proc does not show system calls";
    if (!know_harness(thread, shared))
        return "the parent is not seen to wait";
    if (!open_sockets())
        return "sock_diag does not list TCP sockets (CONFIG_INET_DIAG)";
    return NULL;
}

/* /proc/PID/syscall asks for the right to trace (ptrace(2), "filesystem user ID"). A privileged arbiter of unprivileged
 * participants takes theirs, and keeps its own against their signals. */
static void look_as_the_participants(void) {
    if (participants_uid == geteuid())
        return;
    setfsgid(participants_gid);
    setfsuid(participants_uid);
}

/* <linux/sched/types.h>, which cannot be included beside libc's <sched.h>. */
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

/* Helps under load, where all else waits for a processor: an arbiter that cannot look means a trial run again. It naps
 * between two looks, so nobody starves. The first two need CAP_SYS_NICE; a short slice is everybody's right, and makes
 * Linux 6.12 and newer schedule it early. */
static void run_before_others(void) {
    const struct sched_param lowest = {.sched_priority = 1};
    struct scheduling short_slice = {.size = sizeof short_slice, .policy = SCHED_OTHER, .runtime = 100000};
    if (sched_setscheduler(0, SCHED_RR, &lowest) == 0)
        return;
    syscall(SYS_sched_setattr, 0, &short_slice, 0);
    setpriority(PRIO_PROCESS, 0, -10);
}

int main(int count, char **arguments) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_TIMERSLACK, 1000UL);
    run_before_others();
    if (count != 4) {
        fprintf(stderr, "usage: failsame-arbiter FILE THREAD SHARED\n"); /* of its parent: see harness.c */
        return 2;
    }
    if (!create_world(arguments[1])) {
        say_unfit("the world's file cannot be made");
        return 3;
    }
    const char *why = unfit(atoi(arguments[2]), atoi(arguments[3]));
    if (why) {
        say_unfit(why);
        return 3;
    }
    look_as_the_participants();
    say_ready();
    serve();
}
