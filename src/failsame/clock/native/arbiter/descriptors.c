/* What the participants' open descriptors say: which sockets are theirs, and through which of them something may come
 * that no look at a thread would announce. Read from /proc/PID/fd, so also what was opened behind the shim's back. */
#include "arbiter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { MAX_SOCKETS = 8192 };

static uint64_t sockets[MAX_SOCKETS];
static int socket_count;

bool owns_socket(uint64_t inode) {
    for (int i = 0; i < socket_count; i++)
        if (sockets[i] == inode)
            return true;
    return false;
}

#define REFUSE(result, ...)                                                                                            \
    do {                                                                                                               \
        (result)->understood = false;                                                                                  \
        blame(&(result)->reason, __VA_ARGS__);                                                                         \
    } while (0)

/* sockfs names a socket's protocol in an extended attribute; lsof reads it too. TCP is looked at by check_sockets;
 * UNIX sockets and netlink deliver within the sender's call. Through any other, something may come from outside. */
static void see_socket(struct descriptors *result, const char *path, uint64_t inode, pid_t pid) {
    char protocol[32];
    ssize_t length = getxattr(path, "system.sockprotoname", protocol, sizeof protocol - 1);
    if (length < 0)
        return; /* closed meanwhile */
    protocol[length] = 0;
    if (strncmp(protocol, "UNIX", 4) == 0 || strcmp(protocol, "NETLINK") == 0)
        return;
    bool ipv6 = strcmp(protocol, "TCPv6") == 0;
    result->ipv6 |= ipv6;
    if (!ipv6 && strcmp(protocol, "TCP") != 0)
        REFUSE(result, WHY_DESCRIPTOR, "process %d has a %s socket open: an answer to it would come unseen", pid,
               protocol);
    else if (socket_count < MAX_SOCKETS)
        sockets[socket_count++] = inode;
    else
        REFUSE(result, WHY_OVERFLOW, "more than %d sockets", MAX_SOCKETS);
}

/* proc(5): it_value is what is left of a timerfd, (0, 0) if it is disarmed or has fired. */
static void see_timerfd(struct descriptors *result, pid_t pid, const char *descriptor) {
    char space[512];
    long long seconds = 0, ns = 0;
    if (read_file(space, sizeof space, "/proc/%d/fdinfo/%s", pid, descriptor) <= 0)
        return;
    const char *left = strstr(space, "it_value: (");
    if (left && sscanf(left, "it_value: (%lld, %lld)", &seconds, &ns) == 2 && seconds == 0 && ns == 0)
        return;
    REFUSE(result, WHY_TIMER, "process %d has a timerfd armed", pid);
}

static void see_descriptor(struct descriptors *result, pid_t pid, const char *descriptor) {
    char path[288], target[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%s", pid, descriptor);
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
        return;
    target[length] = 0;
    if (strncmp(target, "socket:[", 8) == 0)
        see_socket(result, path, strtoull(target + 8, NULL, 10), pid);
    else if (strcmp(target, "anon_inode:[timerfd]") == 0)
        see_timerfd(result, pid, descriptor);
    else if (strcmp(target, "anon_inode:[io_uring]") == 0)
        REFUSE(result, WHY_DESCRIPTOR, "process %d uses io_uring: the kernel works for it unseen", pid);
    else if (strcmp(target, "/dev/ptmx") == 0 || strcmp(target, "/dev/pts/ptmx") == 0)
        REFUSE(result, WHY_DESCRIPTOR, "process %d has a pseudo-terminal: what is written to it arrives later", pid);
}

/* sock_diag lists the sockets of our own network namespace. */
static void see_network(struct descriptors *result, pid_t pid) {
    static struct stat ours; /* the arbiter stays where it is */
    char path[32];
    struct stat theirs;
    snprintf(path, sizeof path, "/proc/%d/ns/net", pid);
    bool known = ours.st_ino || stat("/proc/self/ns/net", &ours) == 0;
    if (known && stat(path, &theirs) == 0 && ours.st_ino != theirs.st_ino)
        REFUSE(result, WHY_NETWORK, "process %d has a network of its own, which the arbiter does not see", pid);
}

struct descriptors scan_descriptors(void) {
    struct descriptors result = {.understood = true};
    socket_count = 0;
    for (int i = 0; i < WORLD_PROCESSES; i++) {
        pid_t pid = atomic_load(&world->processes[i].pid);
        DIR *descriptors = pid ? list_folder(FOLDER_FD, pid) : NULL;
        if (!descriptors && pid && (errno == EMFILE || errno == ENFILE))
            REFUSE(&result, WHY_UNREADABLE, "the arbiter may not open enough files");
        if (!descriptors)
            continue; /* gone; one that may not be read fails in the look */
        struct dirent *entry;
        see_network(&result, pid);
        while ((entry = readdir(descriptors)))
            if (entry->d_name[0] != '.')
                see_descriptor(&result, pid, entry->d_name);
    }
    return result;
}
