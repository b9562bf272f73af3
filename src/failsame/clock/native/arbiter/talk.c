/* What the harness says, and what it is told.
 *
 * On standard input, a line each:
 *     trial NUMBER LEASE_NS [PORT:FAULT]...   a new trial: held, a fresh account; FAULT: 0, 1 black hole, 2 half-open
 *     expect PID                              a process that was started as a participant
 *     hold                                    V stands still until further notice
 *     release PERIOD [UNTIL_NS]               the participants' time, to UNTIL_NS (of V) at most; PERIOD numbers it
 *     now | verdict                           answered by a line
 * On standard output, a JSON object a line: ready, unfit, expired, now, verdict. Times are nanoseconds.
 *
 * A line that was written before the harness went to sleep is read before the next jump: command_waiting.
 */
#include "arbiter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static char line[16384];
static size_t length;

static const char *const NAMES[WHY_COUNT] = {
    [WHY_NOTHING] = "nothing",       [WHY_WAIT] = "wait",
    [WHY_STOPPED] = "stopped",       [WHY_UNREADABLE] = "unreadable",
    [WHY_STRANGER] = "stranger",     [WHY_TIMER] = "timer",
    [WHY_DESCRIPTOR] = "descriptor", [WHY_NETWORK] = "network",
    [WHY_BUDGET] = "budget",         [WHY_LATE] = "late",
    [WHY_OVERFLOW] = "overflow",     [WHY_SIGNAL] = "signal",
};

static void print_string(const char *text) {
    putchar('"');
    for (; *text; text++)
        if (*text >= ' ' && *text < 127 && *text != '"' && *text != '\\')
            putchar(*text);
        else
            putchar('?');
    putchar('"');
}

void say_ready(void) {
    printf("{\"said\":\"ready\",\"counter\":\"%s\"}\n", counter_is_switch_ins ? "schedstat" : "status");
    fflush(stdout);
}

void say_unfit(const char *why) {
    printf("{\"said\":\"unfit\",\"why\":\"%s\"}\n", why);
    fflush(stdout);
}

void say_expired(const char *why) {
    printf("{\"said\":\"expired\",\"period\":%lld,\"at\":%lld,\"why\":\"%s\"}\n", (long long)trial.period,
           (long long)virtual_now(), why);
    fflush(stdout);
}

static void say_reasons(void) {
    const char *separator = "";
    printf("\"reasons\":[");
    for (int i = 0; i < WHY_COUNT; i++) {
        if (!account.spent[i])
            continue;
        printf("%s{\"why\":\"%s\",\"spent\":%lld,\"text\":", separator, NAMES[i], (long long)account.spent[i]);
        print_string(account.text[i]);
        putchar('}');
        separator = ",";
    }
    putchar(']');
}

static void say_verdict(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    int64_t processor = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * NS_PER_S +
                        (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000LL;
    keep_account();
    uint32_t notes = account.notes;
    for (int i = 0; i < WORLD_PROCESSES; i++)
        if (atomic_load(&world->processes[i].pid))
            notes |= atomic_load(&world->processes[i].notes);
    printf("{\"said\":\"verdict\",\"trial\":%lld,\"at\":%lld,\"lease\":%lld,\"looks\":%lld,\"jumps\":%lld,"
           "\"longest_gap\":%lld,\"real_time\":%lld,\"suspect\":%lld,\"poisoned\":%lld,\"keepalive\":%s,"
           "\"user_timeout\":%s,\"processor\":%lld,",
           (long long)trial.number, (long long)virtual_now(), (long long)trial.lease, (long long)account.looks,
           (long long)account.jumps, (long long)account.longest_gap, (long long)account.real_time,
           (long long)account.suspect, (long long)account.poisoned, notes & NOTE_KEEPALIVE ? "true" : "false",
           notes & NOTE_USER_TIMEOUT ? "true" : "false", (long long)processor);
    say_reasons();
    printf("}\n");
    fflush(stdout);
}

static void begin_trial(char *rest) {
    memset(&account, 0, sizeof account);
    memset(&trial, 0, sizeof trial);
    trial.mode = HELD;
    trial.until = NEVER;
    trial.number = strtoll(rest, &rest, 10);
    trial.lease = strtoll(rest, &rest, 10);
    if (trial.lease < NS_PER_MS)
        trial.lease = NS_PER_MS;
    while (trial.port_count < MAX_PORTS) {
        char *end;
        unsigned long port = strtoul(rest, &end, 10);
        if (end == rest || *end != ':')
            break;
        trial.ports[trial.port_count].port = (uint16_t)port;
        trial.ports[trial.port_count++].fault = (enum port_fault)strtoul(end + 1, &rest, 10);
    }
    atomic_store(&world->overflow, 0);
    forget_sockets();
    hold_still();
}

static void obey(char *command) {
    char *rest = strchr(command, ' ');
    if (rest)
        *rest++ = 0;
    keep_account(); /* of the time before the command, in the mode before it */
    if (strcmp(command, "trial") == 0 && rest)
        begin_trial(rest);
    else if (strcmp(command, "expect") == 0 && rest) {
        if (!expect_process((pid_t)atoi(rest)))
            atomic_store(&world->overflow, 1);
    } else if (strcmp(command, "hold") == 0) {
        trial.mode = HELD;
        hold_still();
    } else if (strcmp(command, "release") == 0 && rest) {
        trial.period = strtoll(rest, &rest, 10);
        trial.until = *rest ? strtoll(rest, NULL, 10) : NEVER;
        trial.mode = RELEASED;
    } else if (strcmp(command, "verdict") == 0)
        say_verdict();
    else if (strcmp(command, "now") == 0) {
        printf("{\"said\":\"now\",\"at\":%lld}\n", (long long)virtual_now());
        fflush(stdout);
    }
}

bool command_waiting(int64_t at_most_ns) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    struct timespec at_most = {.tv_sec = at_most_ns / NS_PER_S, .tv_nsec = at_most_ns % NS_PER_S};
    return ppoll(&input, 1, &at_most, NULL) > 0;
}

void take_commands(void) {
    while (command_waiting(0)) {
        ssize_t got = read(STDIN_FILENO, line + length, sizeof line - 1 - length);
        if (got == 0 || (got < 0 && errno != EINTR) || length == sizeof line - 1)
            exit(0);
        length += got > 0 ? (size_t)got : 0;
        line[length] = 0;
        char *start = line, *end;
        while ((end = strchr(start, '\n'))) {
            *end = 0;
            obey(start);
            start = end + 1;
        }
        length -= (size_t)(start - line);
        memmove(line, start, length + 1);
    }
}
