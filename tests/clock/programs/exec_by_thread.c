/* As many sleeps as asked for, and then a thread, not the first, turns the process into `sleep 1.5`. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void *become_sleep(void *unused) {
    (void)unused;
    nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
    execlp("sleep", "sleep", "1.5", NULL);
    return NULL;
}

int main(int count, char **arguments) {
    pthread_t thread;
    for (int left = count > 1 ? atoi(arguments[1]) : 0; left > 0; left--)
        nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
    pthread_create(&thread, NULL, become_sleep, NULL);
    pthread_join(thread, NULL);
    return 1;
}
