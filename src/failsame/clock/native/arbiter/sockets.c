/* What the kernel still holds of the trial's TCP connections: bytes, ends and attempts that are under way.
 *
 * Both ends of a connection are asked through sock_diag (sock_diag(7), struct tcp_info): what one end has sent and the
 * other has not received is under way, and will wake somebody. A delayed acknowledgement does not matter.
 */
#include "arbiter.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_ENDS = 4096, MAX_WATCHED = 64 };

/* include/net/tcp_states.h; libc has no header with all of them that can be included beside <linux/tcp.h>. */
enum {
    ESTABLISHED = 1,
    SYN_SENT,
    SYN_RECV,
    FIN_WAIT1,
    FIN_WAIT2,
    TIME_WAIT,
    CLOSE,
    CLOSE_WAIT,
    LAST_ACK,
    LISTEN,
    CLOSING,
    NEW_SYN_RECV
};
#define STATE(state) (1u << (state))
static const uint32_t ALL_BUT_IDLE = 0x1fff & ~(STATE(LISTEN) | STATE(TIME_WAIT) | 1u);
static const uint32_t CARRIES_DATA =
    STATE(ESTABLISHED) | STATE(FIN_WAIT1) | STATE(CLOSE_WAIT) | STATE(LAST_ACK) | STATE(CLOSING);
static const uint32_t HAS_SENT_FIN = STATE(FIN_WAIT1) | STATE(LAST_ACK) | STATE(CLOSING);
static const uint32_t HAS_SEEN_FIN = STATE(CLOSE_WAIT) | STATE(LAST_ACK) | STATE(CLOSING) | STATE(CLOSE);
static const uint32_t CONNECTING = STATE(SYN_SENT) | STATE(SYN_RECV) | STATE(NEW_SYN_RECV);

/* What does not move for this long waits for no timer that would fire soon: the longest delay of an acknowledgement is
 * 200 ms (TCP_DELACK_MAX). */
static const int64_t STUCK_AFTER = 300 * NS_PER_MS;

/* A dead connection is given up after 924 s at the earliest, with tcp_retries2 at its default of 15. */
static const int64_t RETRANSMISSION_LIMIT = 900 * NS_PER_S;

struct address {
    uint8_t bytes[16];
    uint16_t port;
};

/* One end of a connection. */
struct end {
    int state;
    struct address here, there;
    uint64_t cookie, inode; /* inode 0: no process has it open (any more, or yet) */
    enum port_fault fault;
    bool detailed, writable;
    uint64_t sent, received; /* bytes, without repetitions */
    uint32_t segments_sent, segments_received, dropped;
    uint32_t unsent, unacknowledged, unread;
};

static struct end ends[MAX_ENDS];
static int end_count, netlink = -1;

/* Since when (of V) the kernel's own patience with a connection runs. */
static struct watched {
    uint64_t cookie;
    int64_t since;
    bool seen;
} watched[MAX_WATCHED];

/* Ends that are stuck, and since when (real time) nothing about them and their peers has changed. */
static struct stuck {
    uint64_t signature;
    int64_t since;
    bool seen;
} stuck[MAX_WATCHED];

/* Of the i-th retransmission after 1, 2, 4, … s; newer kernels (tcp_syn_linear_timeouts) take a little longer. */
static int64_t syn_limit(void) {
    char space[32];
    int retries = read_file(space, sizeof space, "/proc/sys/net/ipv4/tcp_syn_retries") > 0 ? atoi(space) : 6;
    return ((2LL << (retries < 0 || retries > 20 ? 6 : retries)) - 1) * NS_PER_S;
}

static enum port_fault declared(uint16_t port, bool *ours) {
    for (int i = 0; i < trial.port_count; i++)
        if (trial.ports[i].port == port) {
            *ours = true;
            return trial.ports[i].fault;
        }
    return PORT_SOUND;
}

static struct address address_of(int family, const uint32_t *words, uint16_t port) {
    struct address address = {.port = ntohs(port)};
    if (family == AF_INET6)
        memcpy(address.bytes, words, 16);
    else {
        address.bytes[10] = address.bytes[11] = 0xff; /* as IPv6 writes IPv4, so that both ends look alike */
        memcpy(address.bytes + 12, words, 4);
    }
    return address;
}

static bool same_address(const struct address *a, const struct address *b) {
    return a->port == b->port && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

static void take_details(struct end *end, const struct nlattr *attribute) {
    size_t size = attribute->nla_len - sizeof *attribute;
    const void *value = attribute + 1;
    if (attribute->nla_type == INET_DIAG_INFO) {
        struct tcp_info info = {0};
        memcpy(&info, value, size < sizeof info ? size : sizeof info);
        end->detailed = size >= offsetof(struct tcp_info, tcpi_bytes_retrans) + sizeof info.tcpi_bytes_retrans;
        end->sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
        end->received = info.tcpi_bytes_received;
        end->unsent = info.tcpi_notsent_bytes;
        end->segments_sent = info.tcpi_data_segs_out;
        end->segments_received = info.tcpi_data_segs_in;
    } else if (attribute->nla_type == INET_DIAG_SKMEMINFO) {
        uint32_t memory[SK_MEMINFO_VARS] = {0};
        memcpy(memory, value, size < sizeof memory ? size : sizeof memory);
        end->writable = memory[SK_MEMINFO_WMEM_QUEUED] < memory[SK_MEMINFO_SNDBUF] / 2;
        end->dropped = memory[SK_MEMINFO_DROPS];
    }
}

/* Keeps an end if its connection is one of the trial's: by its port, or by whose descriptor it is. */
static bool take_end(const struct nlmsghdr *header) {
    const struct inet_diag_msg *message = NLMSG_DATA(header);
    bool ours = false;
    struct end end = {.state = message->idiag_state,
                      .here = address_of(message->idiag_family, message->id.idiag_src, message->id.idiag_sport),
                      .there = address_of(message->idiag_family, message->id.idiag_dst, message->id.idiag_dport),
                      .cookie = (uint64_t)message->id.idiag_cookie[1] << 32 | message->id.idiag_cookie[0],
                      .inode = message->idiag_inode,
                      .unread = message->idiag_rqueue,
                      .unacknowledged = message->idiag_wqueue,
                      .writable = true};
    end.fault = declared(end.here.port, &ours) | declared(end.there.port, &ours);
    if (!ours && (!end.inode || !owns_socket(end.inode)))
        return true;
    if (end_count == MAX_ENDS)
        return false;
    int left = (int)header->nlmsg_len - (int)NLMSG_LENGTH(sizeof *message);
    const char *at = (const char *)(message + 1);
    while (left >= (int)sizeof(struct nlattr)) {
        const struct nlattr *attribute = (const struct nlattr *)at;
        int step = NLA_ALIGN(attribute->nla_len);
        if (attribute->nla_len < sizeof *attribute || step > left)
            break;
        take_details(&end, attribute);
        at += step;
        left -= step;
    }
    ends[end_count++] = end;
    return true;
}

static bool dump(int family) {
    static char space[65536] __attribute__((aligned(8)));
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } question = {.header = {.nlmsg_len = sizeof question,
                             .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                             .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
                  .request = {.sdiag_family = (uint8_t)family,
                              .sdiag_protocol = IPPROTO_TCP,
                              .idiag_ext = 1 << (INET_DIAG_INFO - 1) | 1 << (INET_DIAG_SKMEMINFO - 1),
                              .idiag_states = ALL_BUT_IDLE}};
    if (send(netlink, &question, sizeof question, 0) < 0)
        return false;
    for (;;) {
        ssize_t length = recv(netlink, space, sizeof space, 0);
        if (length <= 0)
            return false;
        unsigned left = (unsigned)length;
        for (const struct nlmsghdr *h = (void *)space; NLMSG_OK(h, left); h = NLMSG_NEXT(h, left)) {
            if (h->nlmsg_type == NLMSG_DONE)
                return true;
            if (h->nlmsg_type == NLMSG_ERROR || !take_end(h))
                return false;
        }
    }
}

static const struct end *other_end(const struct end *end) {
    for (int i = 0; i < end_count; i++)
        if (same_address(&ends[i].here, &end->there) && same_address(&ends[i].there, &end->here) && &ends[i] != end)
            return &ends[i];
    return NULL;
}

/* Remembers when the kernel's patience with this connection began, and lowers gives_up to its end. */
static void watch(struct sockets *result, const struct end *end, int64_t limit) {
    struct watched *place = NULL;
    for (int i = 0; i < MAX_WATCHED; i++) {
        if (watched[i].cookie == end->cookie) {
            place = &watched[i];
            break;
        }
        if (!watched[i].cookie && !place)
            place = &watched[i];
    }
    int64_t user_timeout = atomic_load(&world->user_timeout_ns);
    if (user_timeout && user_timeout < limit)
        limit = user_timeout;
    if (place && place->cookie != end->cookie)
        *place = (struct watched){.cookie = end->cookie, .since = virtual_now()};
    if (place)
        place->seen = true;
    int64_t gives_up = (place ? place->since : virtual_now()) + limit;
    if (gives_up < result->gives_up)
        result->gives_up = gives_up;
}

static void forget_the_gone(void) {
    for (int i = 0; i < MAX_WATCHED; i++) {
        if (!watched[i].seen)
            watched[i].cookie = 0;
        if (!stuck[i].seen)
            stuck[i].signature = 0;
        watched[i].seen = stuck[i].seen = false;
    }
}

static uint64_t mix(uint64_t hash, const struct end *end) {
    const uint64_t facts[] = {end->cookie, (uint64_t)end->state, end->sent,          end->received, end->unsent,
                              end->unread, end->unacknowledged,  end->segments_sent, end->dropped};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        hash = (hash ^ facts[i]) * 1099511628211ULL; /* FNV-1a */
    return hash;
}

/* Never 0. */
static uint64_t signature_of(const struct end *end, const struct end *peer) {
    uint64_t hash = mix(14695981039346656037ULL, end);
    return (peer ? mix(hash, peer) : hash) | 1;
}

/* A receiver that does not read, or an end without a peer, is no reason to run for ever: once nothing about it has
 * moved for a while, nothing will until somebody acts; and while it stays exactly like that, no second wait is due. */
static bool is_settled(const struct end *end, const struct end *peer) {
    uint64_t signature = signature_of(end, peer);
    struct stuck *place = NULL;
    for (int i = 0; i < MAX_WATCHED; i++) {
        if (stuck[i].signature == signature) {
            stuck[i].seen = true;
            return real_now() - stuck[i].since > STUCK_AFTER;
        }
        if (!stuck[i].signature)
            place = &stuck[i];
    }
    if (place)
        *place = (struct stuck){signature, real_now(), true};
    return false;
}

static void hold(struct sockets *result, const struct end *end, const char *what) {
    if (result->held)
        return;
    result->held = true;
    result->signature = signature_of(end, other_end(end));
    blame(&result->reason, WHY_NETWORK, "%s (port %u to %u)", what, end->here.port, end->there.port);
}

/* By declaration the connection may be dead, and indeed everything that arrived was thrown away (IP_MINTTL): as many
 * segments with data as are missing. The retransmissions to come will fare no better; nor will a FIN, which the kernel
 * holds back behind lost data once it has sent those again (its congestion window is then one segment). */
static bool is_dead(const struct end *end, const struct end *peer) {
    uint32_t missing = end->segments_sent - peer->segments_received;
    return end->fault & PORT_HALF_OPEN && peer->dropped > 0 && missing <= peer->dropped;
}

static void check_data(struct sockets *result, const struct end *end, const struct end *peer) {
    bool fin_missing = STATE(end->state) & HAS_SENT_FIN && !(STATE(peer->state) & HAS_SEEN_FIN);
    if (end->sent > peer->received || fin_missing) {
        if (!is_dead(end, peer))
            hold(result, end, fin_missing ? "an end that has not arrived" : "bytes that have not arrived");
        else if (end->inode)
            watch(result, end, RETRANSMISSION_LIMIT);
    } else if ((end->unsent || !end->writable) && !is_settled(end, peer))
        hold(result, end, "bytes that wait for room at the other end, or for its acknowledgement");
}

/* The other end is gone, or closed and done (a FIN_WAIT2 without details): what was acknowledged has arrived. An end
 * that nobody closed will soon hear of it (RST), unless it never does (FIN_WAIT2 has timed out). */
static void check_without_peer(struct sockets *result, const struct end *end, const struct end *peer) {
    bool quiet = peer && end->state == CLOSE_WAIT && !end->unacknowledged;
    bool hears = end->state == ESTABLISHED || end->state == CLOSE_WAIT || end->unacknowledged;
    if (hears && !quiet && !is_settled(end, peer))
        hold(result, end, "the other end of a connection is gone");
}

static void check_end(struct sockets *result, const struct end *end) {
    const struct end *peer = other_end(end);
    bool ours = false;
    declared(end->here.port, &ours);
    declared(end->there.port, &ours);
    if (STATE(end->state) & CONNECTING) {
        if (!(end->fault & PORT_BLACK_HOLE))
            hold(result, end, "a connection attempt that has no answer yet");
        else if (end->inode)
            watch(result, end, syn_limit());
    } else if (!ours && !(peer && (peer->inode == 0 || owns_socket(peer->inode))))
        hold(result, end, "a connection to somewhere else");
    else if (!(STATE(end->state) & CARRIES_DATA))
        return;
    else if (!end->detailed)
        hold(result, end, "a connection without details");
    else if (!peer || !peer->detailed || peer->state == CLOSE)
        check_without_peer(result, end, peer);
    else
        check_data(result, end, peer);
}

struct sockets check_sockets(bool ipv6) {
    struct sockets result = {.gives_up = NEVER};
    end_count = 0;
    if (!dump(AF_INET) || (ipv6 && !dump(AF_INET6))) {
        result.held = true;
        blame(&result.reason, WHY_UNREADABLE, "sock_diag does not list the TCP sockets");
        return result;
    }
    for (int i = 0; i < end_count; i++)
        check_end(&result, &ends[i]);
    forget_the_gone();
    return result;
}

void forget_sockets(void) {
    memset(watched, 0, sizeof watched);
    memset(stuck, 0, sizeof stuck);
    atomic_store(&world->user_timeout_ns, 0);
}

bool open_sockets(void) {
    netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    end_count = 0;
    return netlink >= 0 && dump(AF_INET);
}
