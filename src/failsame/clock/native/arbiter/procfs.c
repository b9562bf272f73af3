/* Reading /proc. */
#include "arbiter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Files of threads and folders of processes are read thousands of times a second, so they stay open: to open one costs
 * more than to read it. Read from its start, it is written anew each time (fs/seq_file.c). An open one belongs to its
 * thread or process, not to the number: once that is gone it reads nothing (ESRCH, ENOENT), whoever has the number by
 * then; but a thread that executes a program takes its process's first thread's place in them. */
enum { KEPT_FILES = 256, KEPT_FOLDERS = 64 };

static struct kept {
    enum thread_file which;
    pid_t pid, tid;
    int descriptor; /* 0: none */
} kept[KEPT_FILES];

static struct kept_folder {
    enum process_folder which;
    pid_t pid;
    DIR *entries; /* NULL: none */
} folders[KEPT_FOLDERS];
static const struct kept_folder *listed; /* the one that is being read */

static void let_go(struct kept *file) {
    if (file->descriptor)
        close(file->descriptor);
    file->descriptor = 0;
}

static void let_folder_go(struct kept_folder *folder) {
    if (folder->entries)
        closedir(folder->entries);
    folder->entries = NULL;
}

static int open_file(const char *path, int flags) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (descriptor >= 0 || (errno != EMFILE && errno != ENFILE))
        return descriptor;
    for (int i = 0; i < KEPT_FILES; i++) /* no more than this machine allows */
        let_go(&kept[i]);
    for (int i = 0; i < KEPT_FOLDERS; i++)
        if (&folders[i] != listed)
            let_folder_go(&folders[i]);
    return open(path, O_RDONLY | O_CLOEXEC | flags);
}

/* At its first entry, which is "." of every process that is there. */
static bool begins(struct kept_folder *folder) {
    if (!folder->entries)
        return false;
    rewinddir(folder->entries);
    return readdir(folder->entries) != NULL;
}

DIR *list_folder(enum process_folder which, pid_t pid) {
    static const char *const names[PROCESS_FOLDERS] = {"task", "fd"};
    struct kept_folder *folder = &folders[((unsigned)pid * PROCESS_FOLDERS + which) % KEPT_FOLDERS];
    bool ours = folder->which == which && folder->pid == pid;
    listed = folder;
    if (ours && begins(folder))
        return folder->entries;
    char path[32];
    let_folder_go(folder);
    snprintf(path, sizeof path, "/proc/%d/%s", pid, names[which]);
    int descriptor = open_file(path, O_DIRECTORY);
    *folder = (struct kept_folder){which, pid, descriptor < 0 ? NULL : fdopendir(descriptor)};
    return begins(folder) ? folder->entries : NULL;
}

int read_file(char *space, int size, const char *format, ...) {
    char path[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    int file = open_file(path, 0);
    if (file < 0)
        return -1;
    ssize_t length = read(file, space, (size_t)size - 1);
    close(file);
    if (length < 0)
        return -1;
    space[length] = 0;
    return (int)length;
}

int read_thread(enum thread_file which, pid_t pid, pid_t tid, char *space, int size) {
    static const char *const names[THREAD_FILES] = {"stat", "syscall", "schedstat", "status", "children"};
    struct kept *file = &kept[((unsigned)tid * THREAD_FILES + which) % KEPT_FILES];
    bool ours = file->descriptor && file->which == which && file->pid == pid && file->tid == tid;
    ssize_t length = ours ? pread(file->descriptor, space, (size_t)size - 1, 0) : -1;
    if (length < 0) {
        char path[64];
        let_go(file);
        snprintf(path, sizeof path, "/proc/%d/task/%d/%s", pid, tid, names[which]);
        int descriptor = open_file(path, 0);
        if (descriptor < 0)
            return -1;
        *file = (struct kept){which, pid, tid, descriptor};
        length = pread(descriptor, space, (size_t)size - 1, 0);
    }
    if (length < 0)
        return -1;
    space[length] = 0;
    return (int)length;
}

char thread_state(pid_t pid, pid_t tid) {
    char space[512];
    if (read_thread(THREAD_STAT, pid, tid, space, sizeof space) <= 0)
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

static bool read_schedstat(pid_t pid, pid_t tid, long long *on_cpu, long long *count) {
    char space[128];
    long long waiting;
    return read_thread(THREAD_SCHEDSTAT, pid, tid, space, sizeof space) > 0 &&
           sscanf(space, "%lld %lld %lld", on_cpu, &waiting, count) == 3;
}

/* With the nanoseconds that it ran: a thread that executes a program takes the number of its process's first thread, open
 * files of which are then its own, and may have been switched in as often as that. */
static int64_t switch_ins(pid_t pid, pid_t tid) {
    enum { NS_BITS = 43 };
    long long on_cpu, count;
    if (!read_schedstat(pid, tid, &on_cpu, &count))
        return -1;
    return (count & 0xfffff) << NS_BITS | (on_cpu & ((1LL << NS_BITS) - 1));
}

static int64_t field(const char *status, const char *name, int base) {
    const char *found = strstr(status, name);
    return found ? strtoll(found + strlen(name), NULL, base) : -1;
}

static int64_t switch_outs(pid_t pid, pid_t tid) {
    char space[4096];
    if (read_thread(THREAD_STATUS, pid, tid, space, sizeof space) <= 0)
        return -1;
    int64_t own = field(space, "\nvoluntary_ctxt_switches:", 10);
    int64_t forced = field(space, "\nnonvoluntary_ctxt_switches:", 10);
    return own < 0 || forced < 0 ? -1 : own + forced;
}

int64_t run_counter(pid_t pid, pid_t tid) {
    return counter_is_switch_ins ? switch_ins(pid, tid) : switch_outs(pid, tid);
}

static int64_t runs_of(pid_t pid) {
    long long on_cpu, count;
    if (!counter_is_switch_ins)
        return switch_outs(pid, pid);
    return read_schedstat(pid, pid, &on_cpu, &count) ? count : -1;
}

static bool counts_own_sleeps(void) {
    enum { SLEEPS = 5 };
    pid_t pid = getpid();
    int64_t before = runs_of(pid);
    for (int i = 0; i < SLEEPS; i++)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    return before >= 0 && runs_of(pid) >= before + SLEEPS;
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
    if (read_thread(THREAD_STATUS, pid, tid, space, sizeof space) <= 0)
        return false; /* gone */
    uint64_t ours = 1ULL << (WORLD_KICK_SIGNAL - 1);
    const char *blocked = strstr(space, "\nSigBlk:"), *caught = strstr(space, "\nSigCgt:");
    if (!blocked || !caught)
        return true;
    return (strtoull(blocked + 8, NULL, 16) & ours) || !(strtoull(caught + 8, NULL, 16) & ours);
}
