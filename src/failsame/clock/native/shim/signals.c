/* The signal by which the arbiter ends a wait: it has to stay deliverable, whatever the program does with signals. */
#include "shim.h"

#include <string.h>

static __thread volatile sig_atomic_t kicked __attribute__((tls_model("initial-exec")));

static void on_kick(int number) {
    (void)number;
    kicked = 1;
}

bool was_kicked(void) {
    return kicked;
}

void expect_kick(void) {
    kicked = 0;
}

void install_kick_handler(void) {
    /* SA_RESTART: a kick that comes late, after the wait, must not disturb a read. */
    struct sigaction action = {.sa_handler = on_kick, .sa_flags = SA_RESTART};
    real.sigaction(WORLD_KICK_SIGNAL, &action, NULL);
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, WORLD_KICK_SIGNAL);
    real.pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
}

const sigset_t *without_kick(const sigset_t *mask, sigset_t *space) {
    if (!world || !mask)
        return mask;
    *space = *mask;
    sigdelset(space, WORLD_KICK_SIGNAL);
    return space;
}

EXPORT int pthread_sigmask(int how, const sigset_t *mask, sigset_t *old) {
    sigset_t space;
    resolve_real_functions();
    return real.pthread_sigmask(how, how == SIG_UNBLOCK ? mask : without_kick(mask, &space), old);
}

EXPORT int sigprocmask(int how, const sigset_t *mask, sigset_t *old) {
    sigset_t space;
    resolve_real_functions();
    return real.sigprocmask(how, how == SIG_UNBLOCK ? mask : without_kick(mask, &space), old);
}

/* A program that ignores or handles "every signal" is told that it does. */
EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    resolve_real_functions();
    if (!world || number != WORLD_KICK_SIGNAL)
        return real.sigaction(number, action, old);
    if (old)
        memset(old, 0, sizeof *old);
    return 0;
}

EXPORT sighandler_t signal(int number, sighandler_t handler) {
    resolve_real_functions();
    return world && number == WORLD_KICK_SIGNAL ? SIG_DFL : real.signal(number, handler);
}
