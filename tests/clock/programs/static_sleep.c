/* A program without a dynamic linker, so without a shim. */
#include <time.h>

int main(void) {
    struct timespec duration = {.tv_nsec = 400000000};
    return nanosleep(&duration, NULL);
}
