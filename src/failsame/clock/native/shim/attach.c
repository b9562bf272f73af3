/* How a process becomes a participant, and stays one over fork and exec. */
#include "shim.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct world *world;
static struct world_process *own; /* may be the parent's, in a child made behind libc's back: compare its pid */

int32_t real_tid(void) {
    return (int32_t)real.syscall(SYS_gettid);
}

/* Yama's ptrace_scope 1 (Ubuntu's default) lets only ancestors read /proc/PID/syscall, unless the process allows it.
 * https://docs.kernel.org/admin-guide/LSM/Yama.html: the permission is not inherited over fork. */
static void let_arbiter_look(void) {
#ifdef PR_SET_PTRACER
    prctl(PR_SET_PTRACER, (unsigned long)atomic_load(&world->arbiter), 0, 0, 0);
#endif
}

static struct world_process *find_process(int32_t pid) {
    for (int i = 0; i < WORLD_PROCESSES; i++)
        if (atomic_load(&world->processes[i].pid) == pid)
            return &world->processes[i];
    return NULL;
}

static struct world_process *take_process(int32_t pid, uint32_t timers) {
    for (int i = 0; i < WORLD_PROCESSES; i++) {
        struct world_process *process = &world->processes[i];
        int32_t free = 0;
        if (!atomic_compare_exchange_strong(&process->pid, &free, pid))
            continue;
        atomic_store(&process->timers, timers);
        atomic_store(&process->notes, 0);
        atomic_store(&process->between_images, 0);
        return process;
    }
    atomic_store(&world->overflow, 1);
    return NULL;
}

static void join_world(uint32_t timers) {
    int saved = errno;
    int32_t pid = getpid();
    own = find_process(pid);
    if (own) { /* a new image of a process that was here before: interval timers and descriptors survive exec */
        forget_waits_of(pid);
        atomic_fetch_and(&own->timers, ~(uint32_t)TIMER_POSIX);
        atomic_store(&own->between_images, 0);
    } else
        own = take_process(pid, timers);
    let_arbiter_look();
    errno = saved;
}

struct world_process *own_process(void) {
    if (!own || atomic_load(&own->pid) != getpid())
        join_world(0);
    return own;
}

/* In the child of a fork: one thread, none of its parent's waits, its parent's descriptors, none of its timers. */
static void after_fork(void) {
    uint32_t inherited = own ? atomic_load(&own->timers) & TIMER_SOCKET : 0;
    own = NULL;
    forget_waits();
    forget_conditions();
    join_world(inherited);
}

static struct world *map_world(const char *path) {
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return NULL;
    struct world *mapped = mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    off_t size = lseek(file, 0, SEEK_END);
    close(file);
    if (mapped == MAP_FAILED)
        return NULL;
    if (size >= (off_t)sizeof *mapped && mapped->magic == WORLD_MAGIC && mapped->version == WORLD_VERSION &&
        mapped->size == sizeof *mapped)
        return mapped;
    munmap(mapped, sizeof *mapped);
    return NULL;
}

/* What glibc's pthread_atfork, which is not in a shared library, calls. A program of another libc (musl) can load us,
 * but goes on without a world. */
extern int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *library);
#pragma weak __register_atfork
extern void *__dso_handle;

/* Whatever is missing, the program goes on in real time; the arbiter then sees a process it does not know. */
__attribute__((constructor)) static void attach(void) {
    resolve_real_functions();
    const char *path = getenv(WORLD_VARIABLE);
    struct world *mapped = path && __register_atfork ? map_world(path) : NULL;
    if (!mapped)
        return;
    world = mapped;
    install_kick_handler();
    __register_atfork(NULL, NULL, after_fork, __dso_handle);
    join_world(0);
}

/* Between exec and the new image's constructor nobody speaks for this process, and if the new image is static, or its
 * environment was emptied, nobody ever will. A child of vfork is not `own` yet: its parent is. */
static struct world_process *leave_image(void) {
    resolve_real_functions();
    if (!world || !own || atomic_load(&own->pid) != getpid())
        return NULL;
    atomic_store(&own->between_images, 1);
    return own;
}

static int stay(struct world_process *process, int result) {
    if (process)
        atomic_store(&process->between_images, 0);
    return result;
}

EXPORT int execve(const char *path, char *const arguments[], char *const environment[]) {
    struct world_process *left = leave_image();
    return stay(left, real.execve(path, arguments, environment));
}

EXPORT int execv(const char *path, char *const arguments[]) {
    struct world_process *left = leave_image();
    return stay(left, real.execv(path, arguments));
}

EXPORT int execvp(const char *file, char *const arguments[]) {
    struct world_process *left = leave_image();
    return stay(left, real.execvp(file, arguments));
}

EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[]) {
    struct world_process *left = leave_image();
    return stay(left, real.execvpe(file, arguments, environment));
}
