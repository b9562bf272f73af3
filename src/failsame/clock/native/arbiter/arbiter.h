/* The arbiter: one process a world, the only one that moves its clock.
 *
 * It looks at every thread of every participant, through /proc, and at the kernel's table of TCP sockets, and decides:
 *
 *     somebody runs, everything else is understood  ->  V stands still (the lease is renewed)
 *     all sleep, nothing is under way                ->  V jumps to exactly the earliest deadline
 *     anything that is not understood                ->  V runs like real time, and the time since the last look at
 *                                                        which all was understood is made up for
 *
 * It is told what to do, a line at a time, over its standard input, and ends with it; see talk.c.
 */
#ifndef FAILSAME_ARBITER_H
#define FAILSAME_ARBITER_H

#define _GNU_SOURCE
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../world.h"

enum { MAX_THREADS = 4096, MAX_PORTS = 256, REASON_SIZE = 160 };

/* ---- why time runs like real time ---- */

enum why {
    WHY_NOTHING,
    WHY_WAIT,       /* a timed wait that nobody published, or one that is not understood */
    WHY_STOPPED,    /* a thread is stopped or traced */
    WHY_UNREADABLE, /* /proc or sock_diag does not answer */
    WHY_STRANGER,   /* a process that has not registered */
    WHY_TIMER,      /* a timer in the kernel */
    WHY_DESCRIPTOR, /* a descriptor through which something from outside may come */
    WHY_NETWORK,    /* a connection attempt or bytes under way */
    WHY_BUDGET,     /* working for long without waiting: perhaps spinning on something that needs time */
    WHY_LATE,       /* the arbiter itself did not get to look in time */
    WHY_OVERFLOW,   /* more processes or threads than the tables hold */
    WHY_SIGNAL,     /* a thread does not take our signal */
    WHY_COUNT,
};

struct reason {
    enum why why;
    char text[REASON_SIZE];
};

__attribute__((format(printf, 3, 4))) void blame(struct reason *, enum why, const char *format, ...);

/* ---- the trial under way, as the harness declared it (talk.c) ---- */

enum port_fault {
    PORT_SOUND = 0,
    PORT_BLACK_HOLE = 1, /* SYNs to it get no answer, by declaration */
    PORT_HALF_OPEN = 2,  /* connections to it may be dead without a sign, by declaration */
};

enum mode {
    HELD,     /* the harness works: V stands still, whatever happens */
    RELEASED, /* the participants' time */
    EXPIRED,  /* V has reached `until`: as HELD, until the next command */
};

struct trial {
    int64_t number, lease;
    int64_t period, until; /* of the last release; `until` is of V, or NEVER */
    enum mode mode;
    int port_count;
    struct {
        uint16_t port;
        enum port_fault fault;
    } ports[MAX_PORTS];
};

/* What happened in it. Times are real nanoseconds. */
struct account {
    int64_t looks, jumps, longest_gap, real_time;
    int64_t suspect;  /* jumps at which somebody turned out to have run */
    int64_t poisoned; /* threads that did not take note of a jump */
    uint32_t notes;   /* enum note_kind */
    int64_t spent[WHY_COUNT];
    char text[WHY_COUNT][REASON_SIZE];
};

extern struct world *world;
extern struct trial trial;
extern struct account account;
extern uid_t participants_uid; /* only processes of this user are participants */

/* ---- harness.c: our parent ---- */

extern pid_t harness, harness_thread;
bool know_harness(pid_t thread, int shared); /* at start; `shared`: the memory in which it says that it waits */
bool harness_waits(int64_t *runs);           /* false: it has something to do, so something may come from it */

/* ---- procfs.c ---- */

int read_file(char *space, int size, const char *format, ...) __attribute__((format(printf, 3, 4)));
enum process_folder { FOLDER_TASK, FOLDER_FD, PROCESS_FOLDERS };
DIR *list_folder(enum process_folder, pid_t pid); /* its first entry is read; NULL: gone, or not readable */
enum thread_file { THREAD_STAT, THREAD_SYSCALL, THREAD_SCHEDSTAT, THREAD_STATUS, THREAD_CHILDREN, THREAD_FILES };
int read_thread(enum thread_file, pid_t pid, pid_t tid, char *space, int size); /* -1: gone, or not readable */
/* 'S', 'R', …; 0 if the thread is gone or a zombie. */
char thread_state(pid_t pid, pid_t tid);
const char *choose_run_counter(void); /* at start; NULL, or why none is usable */
extern bool counter_is_switch_ins;
int64_t run_counter(pid_t pid, pid_t tid); /* -1: unreadable */
bool refuses_kick(pid_t pid, pid_t tid);   /* blocks or ignores our signal */

/* ---- calls.c: the system calls a thread may sleep in ---- */

bool waits_forever(int number, const unsigned long long *arguments);
bool may_be_published(int number);
bool is_futex(int number);
bool reads_or_writes(int number);
bool is_on_descriptor(int number); /* on one descriptor, so SO_RCVTIMEO or SO_SNDTIMEO may end it */

/* ---- look.c ---- */

enum seen { ASLEEP, RUNNING, UNKNOWN };

struct sleeper {
    pid_t pid, tid;
    int call;
    int64_t runs;
    int wait; /* index of its published wait, -1 if none */
    enum wait_state state;
    uint32_t sequence;
    int64_t deadline; /* NEVER if it waits for others only */
};

struct look {
    enum seen seen;
    bool complete;        /* every thread was looked at */
    bool newcomers;       /* a process was seen that may still register */
    bool socket_timeouts; /* of the process being looked at */
    int64_t harness_runs;
    int count;
    struct sleeper threads[MAX_THREADS];
    struct reason reason; /* if UNKNOWN */
};

void take_look(struct look *, bool complete); /* not complete: stop at the first thread that runs */
bool same_look(const struct look *, const struct look *);
bool anyone_ran_since(const struct look *);
bool is_participant(pid_t pid);
bool is_ours(pid_t pid);        /* of the participants' user */
bool expect_process(pid_t pid); /* false: too many */

/* ---- descriptors.c ---- */

struct descriptors {
    bool understood, ipv6;
    struct reason reason;
};

struct descriptors scan_descriptors(void);
bool owns_socket(uint64_t inode); /* as of the last scan */

/* ---- sockets.c ---- */

struct sockets {
    bool held;          /* something is under way */
    uint64_t signature; /* of what: the same thing, unmoved, has the same */
    int64_t gives_up;   /* V at which the kernel would give up a connection, or NEVER */
    struct reason reason;
};

bool open_sockets(void); /* at start; false if sock_diag cannot be used */
struct sockets check_sockets(bool ipv6);
void forget_sockets(void); /* at the start of a trial */

/* ---- epochs.c: moving V ---- */

int64_t real_now(void);
int64_t virtual_now(void);
void keep_account(void);           /* of the time since the last call */
void all_threads_understood(void); /* nothing unknown up to now */
void nothing_in_kernel(void);      /* nothing under way up to now */
void stand_still(void);            /* renew the lease, within the budget */
void hold_still(void);             /* the same, without a budget */
void run(const struct reason *reason, bool because_of_kernel);
void jump(int64_t to);
bool resume_after_timers(void); /* false while a participant's kernel timer makes V run */

/* ---- wake.c ---- */

void wake_after_jump(const struct look *);
void wake_due(void);
bool all_take_kicks(const struct look *, struct reason *);

/* ---- talk.c ---- */

void say_ready(void);
void say_unfit(const char *why);
void say_expired(const char *why);
bool command_waiting(int64_t at_most_ns);
void take_commands(void); /* exits at the end of input */

#endif
