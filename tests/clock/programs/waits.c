/* Timed waits of libc that Python does not use: prints the seconds each took, as one JSON object. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec told;
    clock_gettime(CLOCK_MONOTONIC, &told);
    return (double)told.tv_sec + (double)told.tv_nsec / 1e9;
}

static struct timespec in(clockid_t clock, double seconds) {
    struct timespec moment;
    clock_gettime(clock, &moment);
    long ns = moment.tv_nsec + (long)(seconds * 1e9) % 1000000000;
    moment.tv_sec += (time_t)seconds + ns / 1000000000;
    moment.tv_nsec = ns % 1000000000;
    return moment;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, taken = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wall = PTHREAD_COND_INITIALIZER, monotonic;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t c11_mutex;
static cnd_t c11_condition;
static sem_t semaphore;
static int word;

static int conditions(clockid_t clock) {
    struct timespec until = in(clock, 10);
    int error;
    pthread_mutex_lock(&mutex);
    do
        error = pthread_cond_clockwait(clock == CLOCK_REALTIME ? &wall : &monotonic, &mutex, clock, &until);
    while (!error);
    pthread_mutex_unlock(&mutex);
    return error;
}

static int old_condition(pthread_cond_t *condition, clockid_t clock) {
    struct timespec until = in(clock, 10);
    int error;
    pthread_mutex_lock(&mutex);
    do
        error = pthread_cond_timedwait(condition, &mutex, &until);
    while (!error);
    pthread_mutex_unlock(&mutex);
    return error;
}

static int c11(void) {
    struct timespec until = in(CLOCK_REALTIME, 10);
    int error;
    mtx_lock(&c11_mutex);
    do
        error = cnd_timedwait(&c11_condition, &c11_mutex, &until);
    while (error == thrd_success);
    mtx_unlock(&c11_mutex);
    return error;
}

static void *sleep_short(void *none) {
    usleep(400000);
    return none;
}

static const char *separator = "{";

static void measure(const char *name, double start) {
    printf("%s\"%s\": %.6f", separator, name, now() - start);
    separator = ", ";
}

#define MEASURE(name, ...)                                                                                             \
    do {                                                                                                               \
        double start_ = now();                                                                                         \
        __VA_ARGS__;                                                                                                   \
        measure(name, start_);                                                                                         \
    } while (0)

/* Waits that skip, of 10 s each. */
static void skipped(void) {
    struct timespec ten = {.tv_sec = 10}, until;
    int epoll = epoll_create1(0);
    struct epoll_event event;
    sem_init(&semaphore, 0, 0);
    MEASURE("cond_clockwait wall", conditions(CLOCK_REALTIME));
    MEASURE("cond_clockwait monotonic", conditions(CLOCK_MONOTONIC));
    MEASURE("cond_timedwait wall", old_condition(&wall, CLOCK_REALTIME));
    MEASURE("cond_timedwait monotonic", old_condition(&monotonic, CLOCK_MONOTONIC));
    MEASURE("cnd_timedwait", c11());
    MEASURE("nanosleep", nanosleep(&ten, NULL));
    MEASURE("usleep", usleep(10000000));
    MEASURE("sleep", sleep(10));
    MEASURE("clock_nanosleep", until = in(CLOCK_REALTIME, 10), clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL));
    MEASURE("sem_timedwait", until = in(CLOCK_REALTIME, 10), sem_timedwait(&semaphore, &until));
    MEASURE("ppoll", ppoll(NULL, 0, &ten, NULL));
    MEASURE("pselect", pselect(0, NULL, NULL, NULL, &ten, NULL));
    MEASURE("epoll_pwait2", epoll_pwait2(epoll, &event, 1, &ten, NULL));
    MEASURE("futex", syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &ten, NULL, 0));
    MEASURE("futex until", until = in(CLOCK_MONOTONIC, 10),
            syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, &until, NULL, FUTEX_BITSET_MATCH_ANY));
    MEASURE("syscall clock_nanosleep", syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ten, NULL));
}

static void *hold_locks(void *none) {
    pthread_mutex_lock(&taken);
    pthread_rwlock_wrlock(&lock);
    mtx_lock(&c11_mutex);
    sem_post(&semaphore);
    pause();
    return none;
}

/* Locks with a deadline, of 0.4 s each: the kernel times them. */
static void unskipped(void) {
    pthread_t thread;
    struct timespec until;
    pthread_create(&thread, NULL, hold_locks, NULL);
    sem_wait(&semaphore);
    MEASURE("mutex_timedlock", until = in(CLOCK_REALTIME, 0.4), pthread_mutex_timedlock(&taken, &until));
    MEASURE("mutex_clocklock", until = in(CLOCK_MONOTONIC, 0.4), pthread_mutex_clocklock(&taken, CLOCK_MONOTONIC, &until));
    MEASURE("rwlock_timedrdlock", until = in(CLOCK_REALTIME, 0.4), pthread_rwlock_timedrdlock(&lock, &until));
    MEASURE("mtx_timedlock", until = in(CLOCK_REALTIME, 0.4), mtx_timedlock(&c11_mutex, &until));
    pthread_create(&thread, NULL, sleep_short, NULL);
    MEASURE("timedjoin", until = in(CLOCK_REALTIME, 5), pthread_timedjoin_np(thread, NULL, &until));
}

int main(int count, char **arguments) {
    (void)arguments;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&monotonic, &attributes);
    mtx_init(&c11_mutex, mtx_timed);
    cnd_init(&c11_condition);
    sleep(500); /* moves the world's clock away from the kernel's */
    if (count == 1)
        skipped();
    else
        unskipped();
    printf("}\n");
    fflush(stdout);
    _exit(0);
}
