/* One look at every thread of every participant.
 *
 * Two looks that agree prove that all threads slept at one common moment between them: a thread's counter of runs did
 * not move from the first look to the second, and in both it was asleep. Which side of the other readings the counter
 * is read on matters. Switch-ins are counted when a thread starts to run, so they are read before its state: it cannot
 * have been running unnoticed after the first look without a higher count in the second. Switch-outs are counted when
 * it stops, so they are read after.
 */
#include "arbiter.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long a process that has not registered may be on its way to it: exec, and the dynamic linker under load. */
static const int64_t NEWCOMER_LIMIT = 500 * NS_PER_MS;
enum { MAX_NEWCOMERS = 64, MAX_EXPECTED = 256 };

static struct newcomer {
    pid_t pid;
    int64_t first_seen, last_seen;
} newcomers[MAX_NEWCOMERS];

/* Processes that the harness has started as participants. */
static pid_t expected[MAX_EXPECTED];

bool expect_process(pid_t pid) {
    for (int i = 0; i < MAX_EXPECTED; i++)
        if (!expected[i]) {
            expected[i] = pid;
            return true;
        }
    return false;
}

bool is_participant(pid_t pid) {
    for (int i = 0; i < WORLD_PROCESSES; i++)
        if (atomic_load(&world->processes[i].pid) == pid)
            return true;
    return false;
}

/* The table is writable by all participants: a number in it must not lead us to a process of somebody else. */
bool is_ours(pid_t pid) {
    char path[32];
    struct stat owner;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    return stat(path, &owner) == 0 && owner.st_uid == participants_uid;
}

static void see_running(struct look *look) {
    if (look->seen == ASLEEP)
        look->seen = RUNNING;
}

/* The thread that was seen to run last: most likely it still does, and then no more need be looked at. */
static struct {
    pid_t pid, tid;
} runner;

static void see_runner(struct look *look, pid_t pid, pid_t tid) {
    runner.pid = pid;
    runner.tid = tid;
    see_running(look);
}

#define SEE_UNKNOWN(look, ...)                                                                                         \
    do {                                                                                                               \
        (look)->seen = UNKNOWN;                                                                                        \
        blame(&(look)->reason, __VA_ARGS__);                                                                           \
    } while (0)

static bool is_young(pid_t pid) {
    int64_t now = real_now();
    struct newcomer *place = &newcomers[0];
    for (int i = 0; i < MAX_NEWCOMERS; i++) {
        if (newcomers[i].pid == pid && now - newcomers[i].last_seen < NEWCOMER_LIMIT) {
            newcomers[i].last_seen = now;
            return now - newcomers[i].first_seen < NEWCOMER_LIMIT;
        }
        if (newcomers[i].last_seen < place->last_seen)
            place = &newcomers[i];
    }
    *place = (struct newcomer){pid, now, now};
    return true;
}

/* Of its first thread, or, where that has ended, of any that has not: one that executes a program ends all others. */
static char process_state(pid_t pid) {
    char state = thread_state(pid, pid), path[32];
    if (state)
        return state;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *tasks = opendir(path); /* not list_folder: another may be being read */
    struct dirent *entry;
    while (tasks && !state && (entry = readdir(tasks)))
        if (entry->d_name[0] != '.')
            state = thread_state(pid, atoi(entry->d_name));
    if (tasks)
        closedir(tasks);
    return state;
}

/* A process without a shim: perhaps not yet (it is about to exec, or has just done so), perhaps never (static, or its
 * environment was emptied). As long as it is young and works it may pass; it is not yet understood, though. */
static void see_stranger(struct look *look, pid_t pid) {
    char state = process_state(pid);
    if (!state)
        return;
    if (is_young(pid) && (state == 'R' || state == 'D')) {
        look->newcomers = true;
        see_running(look);
    } else
        SEE_UNKNOWN(look, WHY_STRANGER, "process %d has no shim: it is static, or lost LD_PRELOAD", pid);
}

static void see_expected(struct look *look) {
    for (int i = 0; i < MAX_EXPECTED; i++) {
        if (!expected[i] || is_participant(expected[i]))
            continue;
        if (thread_state(expected[i], expected[i]))
            see_stranger(look, expected[i]);
        else
            expected[i] = 0;
    }
}

static void see_children(struct look *look, pid_t pid, pid_t tid) {
    char space[4096];
    if (read_thread(THREAD_CHILDREN, pid, tid, space, sizeof space) <= 0)
        return;
    char *at = space;
    for (;;) {
        char *end;
        long child = strtol(at, &end, 10);
        if (end == at)
            return;
        at = end;
        if (!is_participant((pid_t)child))
            see_stranger(look, (pid_t)child);
    }
}

static int find_wait(pid_t pid, pid_t tid) {
    int used = atomic_load(&world->waits_used);
    for (int i = 0; i < used && i < WORLD_WAITS; i++) {
        struct world_wait *wait = &world->waits[i];
        if (atomic_load(&wait->tid) == tid && atomic_load(&wait->pid) == pid)
            return atomic_load(&wait->state) != WAIT_NONE ? i : -1;
    }
    return -1;
}

/* A read of a file on a disk that is another program's work (FUSE) sleeps like a read of a pipe. */
static bool waits_for_file(pid_t pid, unsigned long long descriptor) {
    char path[64], target[16];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, (int)descriptor);
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
        return true;
    target[length] = 0;
    return target[0] == '/' && strncmp(target, "/dev/", 5) != 0;
}

/* What a sleeping thread waits for: fills in wait, state, sequence and deadline. */
static void understand(struct look *look, struct sleeper *thread, const unsigned long long *arguments) {
    thread->wait = find_wait(thread->pid, thread->tid);
    if (thread->wait >= 0) {
        struct world_wait *wait = &world->waits[thread->wait];
        thread->state = atomic_load(&wait->state);
        thread->sequence = atomic_load(&wait->sequence);
        thread->deadline = atomic_load(&wait->deadline);
    }
    if (thread->state == WAIT_KERNEL)
        SEE_UNKNOWN(look, WHY_TIMER, "thread %d waits for a lock with a deadline", thread->tid);
    else if (thread->state == WAIT_INTERPRETER && is_futex(thread->call))
        thread->deadline = NEVER; /* another thread has to let go of the interpreter first */
    else if (waits_forever(thread->call, arguments)) {
        /* Inside a published wait, a futex without timeout is the mutex of a condition variable. */
        if (thread->wait >= 0 && !is_futex(thread->call))
            SEE_UNKNOWN(look, WHY_WAIT, "thread %d published a wait, but is in system call %d", thread->tid,
                        thread->call);
        else if (look->socket_timeouts && is_on_descriptor(thread->call))
            SEE_UNKNOWN(look, WHY_TIMER, "process %d has set SO_RCVTIMEO or SO_SNDTIMEO, and may wait for it",
                        thread->pid);
        else if (reads_or_writes(thread->call) && waits_for_file(thread->pid, arguments[0]))
            see_running(look);
        thread->wait = -1;
        thread->deadline = NEVER;
    } else if (thread->wait < 0 || !may_be_published(thread->call))
        SEE_UNKNOWN(look, WHY_WAIT, "thread %d of process %d is asleep in system call %d, which nobody published",
                    thread->tid, thread->pid, thread->call);
}

/* What threads were last seen to sleep in. One that was not switched in since its counter was read, before the call was,
 * sleeps in it still: most do, from look to look, and the call costs more to read than all else about a thread. Its number
 * may be another's by then, but not with as many runs and nanoseconds. */
enum { KNOWN_CALLS = 256 };
static struct known_call {
    pid_t pid, tid;
    int64_t runs;
    int call;
    unsigned long long arguments[6];
} known_calls[KNOWN_CALLS];

static bool is_known(const struct sleeper *thread, const struct known_call *known) {
    return counter_is_switch_ins && thread->runs >= 0 && known->runs == thread->runs && known->pid == thread->pid &&
           known->tid == thread->tid && thread_state(thread->pid, thread->tid) == 'S';
}

/* Returns false if the thread runs, or is gone. */
static bool asleep_in_call(struct look *look, struct sleeper *thread, unsigned long long *arguments, bool *live) {
    char space[256];
    struct known_call *known = &known_calls[(unsigned)thread->tid % KNOWN_CALLS];
    if (is_known(thread, known)) {
        thread->call = known->call;
        memcpy(arguments, known->arguments, sizeof known->arguments);
        return *live = true;
    }
    int length = read_thread(THREAD_SYSCALL, thread->pid, thread->tid, space, sizeof space);
    char state = thread_state(thread->pid, thread->tid);
    *live = state != 0;
    if (!state)
        return false;
    if (state == 'R' || state == 'D' || (length > 0 && space[0] == 'r')) {
        see_runner(look, thread->pid, thread->tid);
        return false;
    }
    if (state != 'S') {
        SEE_UNKNOWN(look, WHY_STOPPED, "thread %d is stopped or traced (state %c)", thread->tid, state);
        return false;
    }
    if (length <= 0) {
        SEE_UNKNOWN(look, WHY_UNREADABLE, "/proc/%d/task/%d/syscall is not readable by the arbiter", thread->pid,
                    thread->tid);
        return false;
    }
    if (sscanf(space, "%d %llx %llx %llx %llx %llx %llx", &thread->call, arguments, arguments + 1, arguments + 2,
               arguments + 3, arguments + 4, arguments + 5) < 7) {
        SEE_UNKNOWN(look, WHY_WAIT, "thread %d is asleep outside a system call", thread->tid);
        return false;
    }
    *known = (struct known_call){thread->pid, thread->tid, thread->runs, thread->call, {0}};
    memcpy(known->arguments, arguments, sizeof known->arguments);
    return true;
}

static void see_thread(struct look *look, pid_t pid, pid_t tid, bool *live) {
    struct sleeper thread = {.pid = pid, .tid = tid, .wait = -1, .deadline = NEVER};
    unsigned long long arguments[6] = {0};
    if (counter_is_switch_ins)
        thread.runs = run_counter(pid, tid);
    bool asleep = asleep_in_call(look, &thread, arguments, live);
    if (!counter_is_switch_ins)
        thread.runs = run_counter(pid, tid);
    if (!asleep)
        return;
    if (thread.runs < 0)
        SEE_UNKNOWN(look, WHY_UNREADABLE, "the run counter of thread %d is not readable", tid);
    understand(look, &thread, arguments);
    if (look->count < MAX_THREADS)
        look->threads[look->count++] = thread;
    else
        SEE_UNKNOWN(look, WHY_OVERFLOW, "more than %d threads", MAX_THREADS);
}

static void forget_process(struct world_process *process) {
    int32_t pid = atomic_load(&process->pid);
    for (int i = 0; i < WORLD_WAITS; i++) {
        struct world_wait *wait = &world->waits[i];
        if (atomic_load(&wait->pid) != pid)
            continue;
        atomic_store(&wait->state, WAIT_NONE);
        atomic_store(&wait->tid, 0);
        atomic_store(&wait->pid, 0);
    }
    account.notes |= atomic_load(&process->notes);
    atomic_store(&process->timers, 0);
    atomic_store(&process->notes, 0);
    atomic_store(&process->between_images, 0);
    atomic_store(&process->pid, 0);
}

static void see_flags(struct look *look, struct world_process *process, pid_t pid) {
    uint32_t timers = atomic_load(&process->timers);
    if (timers & TIMER_INTERVAL)
        SEE_UNKNOWN(look, WHY_TIMER, "process %d set an alarm or interval timer", pid);
    else if (timers & TIMER_POSIX)
        SEE_UNKNOWN(look, WHY_TIMER, "process %d set a POSIX timer", pid);
    look->socket_timeouts = timers & TIMER_SOCKET;
    account.notes |= atomic_load(&process->notes);
}

static void see_process(struct look *look, struct world_process *process) {
    pid_t pid = atomic_load(&process->pid);
    DIR *tasks = list_folder(FOLDER_TASK, pid);
    if (!tasks) {
        if (kill(pid, 0) < 0 && errno == ESRCH)
            forget_process(process);
        else
            SEE_UNKNOWN(look, WHY_UNREADABLE, "/proc/%d is hidden from the arbiter", pid);
        return;
    }
    if (!is_ours(pid))
        SEE_UNKNOWN(look, WHY_UNREADABLE, "process %d belongs to another user than the world, or is not dumpable", pid);
    else if (atomic_load(&process->between_images))
        see_stranger(look, pid);
    else {
        see_flags(look, process, pid);
        struct dirent *entry;
        while ((entry = readdir(tasks)) && (look->complete || look->seen != RUNNING)) {
            pid_t tid = atoi(entry->d_name);
            bool live = false;
            if (tid > 0)
                see_thread(look, pid, tid, &live);
            if (live && (look->complete || look->seen != RUNNING))
                see_children(look, pid, tid);
        }
    }
}

void take_look(struct look *look, bool complete) {
    look->seen = ASLEEP;
    look->complete = complete;
    look->newcomers = false;
    look->count = 0;
    look->reason.why = WHY_NOTHING;
    account.looks++;
    if (!complete && runner.pid && thread_state(runner.pid, runner.tid) == 'R') {
        see_running(look);
        return;
    }
    for (int i = 0; i < WORLD_PROCESSES && (complete || look->seen != RUNNING); i++)
        if (atomic_load(&world->processes[i].pid))
            see_process(look, &world->processes[i]);
    if (complete || look->seen == ASLEEP) {
        see_expected(look);
        if (!harness_waits(&look->harness_runs))
            see_runner(look, harness, harness_thread);
    }
    if (look->seen == ASLEEP)
        look->complete = true;
}

bool same_look(const struct look *a, const struct look *b) {
    if (a->seen != ASLEEP || b->seen != ASLEEP || a->count != b->count || a->harness_runs != b->harness_runs)
        return false;
    for (int i = 0; i < a->count; i++) {
        const struct sleeper *p = &a->threads[i], *q = &b->threads[i];
        if (p->pid != q->pid || p->tid != q->tid || p->call != q->call || p->runs != q->runs || p->wait != q->wait ||
            p->state != q->state || p->sequence != q->sequence || p->deadline != q->deadline)
            return false;
    }
    return true;
}

bool anyone_ran_since(const struct look *look) {
    for (int i = 0; i < look->count; i++)
        if (run_counter(look->threads[i].pid, look->threads[i].tid) != look->threads[i].runs)
            return true;
    return false;
}
