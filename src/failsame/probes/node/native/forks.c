/* fork(2) for Node, which has none: a trial is then a copy of a process that has imported its subject already.
 *
 * What a forked Node lacks is put right here. V8 keeps its memory from children (MADV_DONTFORK, see
 * V8_ENABLE_PRIVATE_MAPPING_FORK_OPTIMIZATION), libuv needs its loop renewed (docs.libuv.org, uv_loop_fork), and only
 * the thread that forks is left: so Node runs with --single-threaded, where V8 does its work in the thread that has it
 * to do, what the others wait for is renewed (conditions.c), nobody joins them (threads.c), and a child that has
 * nothing left to wait for ends by `exit`: Node's teardown would wait for what was handed to threads that are not
 * there.
 *
 * Loaded twice: before Node by LD_PRELOAD, as conditions.c has to be, and by Node as an addon. */
#include "forks.h"
#include "node.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IDLE = 6, PREPARE = 9 }; /* uv_handle_type */
enum { READ = 65536, LOOKS = 100000, NO_CHILD = -1, OF_NO_USE = -2 };

static int woken = -1, wake = -1; /* the ends of a pipe, which a child's end writes to */

static struct sigaction before; /* what a child's end meant, and means in a child */

static napi_value number(napi_env env, int32_t value) {
    napi_value result = NULL;
    napi_create_int32(env, value, &result);
    return result;
}

static napi_value nothing(napi_env env) {
    napi_value result = NULL;
    napi_get_null(env, &result);
    return result;
}

static napi_value pair(napi_env env, napi_value first, napi_value second) {
    napi_value result = NULL;
    napi_create_array(env, &result);
    napi_set_element(env, result, 0, first);
    napi_set_element(env, result, 1, second);
    return result;
}

static int32_t argument(napi_env env, napi_callback_info info) {
    napi_value value = NULL;
    size_t count = 1;
    int32_t result = -1;
    napi_get_cb_info(env, info, &count, &value, NULL, NULL);
    napi_get_value_int32(env, value, &result);
    return result;
}

static void note_end(int signal_number) {
    (void)signal_number;
    int saved = errno;
    ssize_t written = write(wake, "", 1); /* where it is full, there is enough in it to wake */
    (void)written;
    errno = saved;
}

/* possible(): whether what other threads wait for is known, as it is where this came before Node. */
static napi_value possible(napi_env env, napi_callback_info info) {
    (void)info;
    return number(env, conditions_are_known());
}

/* begin(): whether children may be forked from now on, whose ends and orphans are this process's to hear of. */
static napi_value begin(napi_env env, napi_callback_info info) {
    (void)info;
    int ends[2];
    struct sigaction action = {.sa_handler = note_end, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return number(env, 0);
    woken = ends[0];
    wake = ends[1];
    sigemptyset(&action.sa_mask);
    bool begun = sigaction(SIGCHLD, &action, &before) == 0 && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
    return number(env, begun);
}

/* wait(channel): return once something can be read there, or a child may have ended. */
static napi_value wait_for_either(napi_env env, napi_callback_info info) {
    struct pollfd either[] = {{.fd = argument(env, info), .events = POLLIN}, {.fd = woken, .events = POLLIN}};
    char space[512];
    while (poll(either, 2, -1) < 0 && errno == EINTR)
        ;
    while (read(woken, space, sizeof space) > 0)
        ;
    return number(env, either[0].revents != 0);
}

/* receive(channel): [bytes, descriptor that came with them or -1]; null at the end. */
static napi_value receive(napi_env env, napi_callback_info info) {
    static char bytes[READ];
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec into = {bytes, sizeof bytes};
    struct msghdr message = {
        .msg_iov = &into, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    int channel = argument(env, info), descriptor = -1;
    ssize_t length;
    while ((length = recvmsg(channel, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    if (length <= 0)
        return nothing(env);
    struct cmsghdr *first = CMSG_FIRSTHDR(&message);
    if (first && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS)
        memcpy(&descriptor, CMSG_DATA(first), sizeof descriptor);
    napi_value copy = NULL;
    napi_create_buffer_copy(env, (size_t)length, bytes, NULL, &copy);
    return pair(env, copy, number(env, descriptor));
}

static unsigned long hexadecimal(char **text) {
    unsigned long value = 0;
    for (;; (*text)++) {
        char digit = **text;
        if (digit >= '0' && digit <= '9')
            value = value * 16 + (unsigned long)(digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            value = value * 16 + (unsigned long)(digit - 'a') + 10;
        else
            return value;
    }
}

/* A child is to have all of this process's memory. Some mappings, the kernel's own, cannot be told so: proc(5), maps.
 */
static void share_memory(void) {
    char line[8192];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps)) {
        char *text = line;
        unsigned long start = hexadecimal(&text), end = *text == '-' ? (text++, hexadecimal(&text)) : 0;
        if (end > start)
            madvise((void *)start, end - start, MADV_DOFORK);
    }
    if (maps)
        fclose(maps);
}

/* Whether a thread of this process sleeps: the field after the name, which ends at the last parenthesis, in proc(5). */
static bool sleeps(const char *task) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", task);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = 0;
    const char *end = strrchr(text, ')');
    return length <= 0 || (end && strncmp(end, ") S", 3) == 0);
}

/* Whether no other thread works. One that does may hold a lock, which nobody would release in a child. Whoever sleeps
 * while nobody works waits for work. */
static bool all_sleep(void) {
    char own[32];
    snprintf(own, sizeof own, "%ld", syscall(SYS_gettid));
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    bool rest = tasks != NULL;
    while (tasks && (task = readdir(tasks)))
        if (task->d_name[0] != '.' && strcmp(task->d_name, own) != 0)
            rest = rest && sleeps(task->d_name);
    if (tasks)
        closedir(tasks);
    return rest;
}

/* atRest(): whether they have come to rest, within a while. */
static bool at_rest(void) {
    for (int look = 0; look < LOOKS; look++) {
        if (all_sleep())
            return true;
        sched_yield();
    }
    return false;
}

static napi_value tell_rest(napi_env env, napi_callback_info info) {
    (void)info;
    return number(env, at_rest());
}

/* fork(): in the child 0, or OF_NO_USE if its loop could not be renewed; in the parent its process, or NO_CHILD. */
static napi_value fork_child(napi_env env, napi_callback_info info) {
    (void)info;
    void *loop = NULL;
    if (!at_rest())
        return number(env, NO_CHILD);
    share_memory();
    pid_t parent = getpid(), child = fork();
    if (child != 0)
        return number(env, child);
    renew_conditions();
    forget_threads();
    sigaction(SIGCHLD, &before, NULL);
    close(woken);
    close(wake);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent)
        _exit(1);
    setsid();
    /* Its descendants' orphans become its own children, and its parent's when it ends: so they can be told apart. */
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (napi_get_uv_event_loop(env, &loop) != 0 || uv_loop_fork(loop) != 0)
        return number(env, OF_NO_USE);
    return number(env, 0);
}

static struct {
    napi_env env;
    void *loop, *prepare, *idle;
    napi_ref before, after;
    bool looked; /* once without waiting, since nothing else was left */
} end;

/* Whether anything but ourselves keeps the loop going. */
static bool goes_on(void) {
    uv_unref(end.prepare);
    bool alive = uv_loop_alive(end.loop);
    uv_ref(end.prepare);
    return alive;
}

static void call(napi_ref reference) {
    napi_handle_scope scope = NULL;
    napi_value global = NULL, function = NULL;
    napi_open_handle_scope(end.env, &scope);
    napi_get_global(end.env, &global);
    napi_get_reference_value(end.env, reference, &function);
    napi_make_callback(end.env, NULL, global, function, 0, NULL, NULL);
    napi_close_handle_scope(end.env, scope);
}

static void do_not_wait(void *idle) {
    (void)idle; /* that there is one has the loop look without waiting: uv_backend_timeout */
}

/* What V8 has to do yet is announced by a handle that does not keep the loop going, so that is looked at first. */
static void before_waiting(void *prepare) {
    (void)prepare;
    bool over = !goes_on(), look = over && !end.looked;
    if (look)
        uv_idle_start(end.idle, do_not_wait);
    else
        uv_idle_stop(end.idle);
    end.looked = look;
    if (!over || look)
        return;
    call(end.before);
    if (!goes_on())
        call(end.after);
}

/* atEnd(before, after): have them called when nothing is left to wait for, the second if the first has found nothing
 * either. Node's own end would wait for what V8 has handed to threads that are not there (NodePlatform::DrainTasks). */
static napi_value at_end(napi_env env, napi_callback_info info) {
    napi_value functions[2] = {NULL, NULL};
    size_t count = 2;
    napi_get_cb_info(env, info, &count, functions, NULL, NULL);
    end.env = env;
    end.prepare = calloc(1, uv_handle_size(PREPARE));
    end.idle = calloc(1, uv_handle_size(IDLE));
    bool watched = end.prepare && end.idle && napi_create_reference(env, functions[0], 1, &end.before) == 0 &&
                   napi_create_reference(env, functions[1], 1, &end.after) == 0 &&
                   napi_get_uv_event_loop(env, &end.loop) == 0 && uv_prepare_init(end.loop, end.prepare) == 0 &&
                   uv_idle_init(end.loop, end.idle) == 0 && uv_prepare_start(end.prepare, before_waiting) == 0;
    if (watched)
        uv_unref(end.idle);
    return number(env, watched);
}

/* take(from, to): `from` under the number of `to`, which no program that is started inherits. */
static napi_value take(napi_env env, napi_callback_info info) {
    napi_value values[2] = {NULL, NULL};
    size_t count = 2;
    int32_t from = -1, to = -1;
    napi_get_cb_info(env, info, &count, values, NULL, NULL);
    napi_get_value_int32(env, values[0], &from);
    napi_get_value_int32(env, values[1], &to);
    int taken = dup3(from, to, O_CLOEXEC);
    close(from);
    return number(env, taken);
}

/* reap(process): [process, status] of a child that has ended (-1: any), waited for if it is named; null if none has.
 * The status is negative for the signal that killed it, as os.waitstatus_to_exitcode has it. */
static napi_value reap(napi_env env, napi_callback_info info) {
    int status = 0;
    pid_t wanted = argument(env, info), ended;
    while ((ended = waitpid(wanted, &status, wanted < 0 ? WNOHANG : 0)) < 0 && errno == EINTR)
        ;
    if (ended <= 0)
        return nothing(env);
    return pair(env, number(env, ended), number(env, WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status)));
}

/* exit(status): at once. */
static napi_value leave(napi_env env, napi_callback_info info) {
    _exit(argument(env, info) & 0xff);
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
    static const struct {
        const char *name;
        napi_callback run;
    } functions[] = {{"possible", possible}, {"atRest", tell_rest}, {"begin", begin},  {"wait", wait_for_either},
                     {"receive", receive},   {"fork", fork_child},  {"atEnd", at_end}, {"take", take},
                     {"reap", reap},         {"exit", leave}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        napi_value function = NULL;
        napi_create_function(env, functions[i].name, strlen(functions[i].name), functions[i].run, NULL, &function);
        napi_set_named_property(env, exports, functions[i].name, function);
    }
    return exports;
}
