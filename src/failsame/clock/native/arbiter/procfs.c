/* Reading /proc. */
#include "arbiter.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int read_file(char *space, int size, const char *format, ...) {
    char path[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    ssize_t length = read(file, space, (size_t)size - 1);
    close(file);
    if (length < 0)
        return -1;
    space[length] = 0;
    return (int)length;
}

char thread_state(pid_t pid, pid_t tid) {
    char space[512];
    if (read_file(space, sizeof space, "/proc/%d/task/%d/stat", pid, tid) <= 0)
        return 0;
    char *name_end = strrchr(space, ')'); /* a process names itself, also "x) S" */
    if (!name_end || strlen(name_end) < 3 || name_end[2] == 'Z' || name_end[2] == 'X')
        return 0;
    return name_end[2];
}

/* Which counter tells that a thread has run. schedstat's third field counts how often it was switched in
 * (Documentation/scheduler/sched-stats.rst); kernels without CONFIG_SCHED_INFO lack it or show zeros. The status file
 * counts how often it was switched out, and costs more to read. */
bool counter_is_switch_ins = true;

static int64_t switch_ins(pid_t pid, pid_t tid) {
    char space[128];
    long long on_cpu, waiting, count;
    if (read_file(space, sizeof space, "/proc/%d/task/%d/schedstat", pid, tid) <= 0)
        return -1;
    return sscanf(space, "%lld %lld %lld", &on_cpu, &waiting, &count) == 3 ? count : -1;
}

static int64_t field(const char *status, const char *name, int base) {
    const char *found = strstr(status, name);
    return found ? strtoll(found + strlen(name), NULL, base) : -1;
}

static int64_t switch_outs(pid_t pid, pid_t tid) {
    char space[4096];
    if (read_file(space, sizeof space, "/proc/%d/task/%d/status", pid, tid) <= 0)
        return -1;
    int64_t own = field(space, "\nvoluntary_ctxt_switches:", 10);
    int64_t forced = field(space, "\nnonvoluntary_ctxt_switches:", 10);
    return own < 0 || forced < 0 ? -1 : own + forced;
}

int64_t run_counter(pid_t pid, pid_t tid) {
    return counter_is_switch_ins ? switch_ins(pid, tid) : switch_outs(pid, tid);
}

static bool counts_own_sleeps(void) {
    enum { SLEEPS = 5 };
    pid_t pid = getpid();
    int64_t before = run_counter(pid, pid);
    for (int i = 0; i < SLEEPS; i++)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    return before >= 0 && run_counter(pid, pid) >= before + SLEEPS;
}

const char *choose_run_counter(void) {
    counter_is_switch_ins = true;
    if (counts_own_sleeps())
        return NULL;
    counter_is_switch_ins = false;
    return counts_own_sleeps() ? NULL : "/proc does not count how often a thread runs";
}

bool refuses_kick(pid_t pid, pid_t tid) {
    char space[4096];
    if (read_file(space, sizeof space, "/proc/%d/task/%d/status", pid, tid) <= 0)
        return false; /* gone */
    uint64_t ours = 1ULL << (WORLD_KICK_SIGNAL - 1);
    const char *blocked = strstr(space, "\nSigBlk:"), *caught = strstr(space, "\nSigCgt:");
    if (!blocked || !caught)
        return true;
    return (strtoull(blocked + 8, NULL, 16) & ours) || !(strtoull(caught + 8, NULL, 16) & ours);
}
