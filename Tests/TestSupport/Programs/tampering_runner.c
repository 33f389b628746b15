/* SPDX-License-Identifier: Apache-2.0
 *
 * A proxy between host and runner. It starts the program "runner" next to it and forwards packets with their
 * descriptors in both directions. After an extension has been loaded, it acts like one that has compromised the
 * runner: it changes the output memory before it forwards the reply. Its file name selects the change:
 *
 *   none      the request is not executed, and a forged reply reports success
 *   empty     truncated to nothing
 *   short     without the last byte
 *   long      with an additional byte
 *   garbage   the same length with other bytes. Other runners are not notified of written rows, because they
 *             would read the unchanged ones
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

enum { HOST = 3, MOST = 16 };

typedef struct packet {
    char bytes[70000];
    ssize_t length;
    int descriptors[MOST];
    int count;
} packet;

static const char *mode;
static int has_extension;
static int output = -1;
static uint32_t output_number;

static int is_mode(const char *name) { return strcmp(mode, name) == 0; }

static uint32_t number_of(const packet *packet)
{
    uint32_t number = 0;
    for (int byte = 3; byte >= 0; byte--)
        number = number << 8 | (unsigned char)packet->bytes[4 + byte];
    return number;
}

static int take(int socket, packet *packet)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int) * MOST)];
    } control;
    struct iovec part = {packet->bytes, sizeof packet->bytes - 1};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
    };
    packet->length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    packet->count = 0;
    if (packet->length <= 0)
        return 0;
    packet->bytes[packet->length] = 0;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS) {
        packet->count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(packet->descriptors, CMSG_DATA(header), sizeof(int) * (size_t)packet->count);
    }
    return 1;
}

static void hand_on(int socket, packet *packet)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int) * MOST)];
    } control = {0};
    struct iovec part = {packet->bytes, (size_t)packet->length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (packet->count > 0) {
        size_t size = sizeof(int) * (size_t)packet->count;
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), packet->descriptors, size);
    }
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    (void)sent;
    for (int index = 0; index < packet->count; index++)
        close(packet->descriptors[index]);
}

/* Returns the index of a role in the request's list of descriptors, or -1. */
static int place_of(const packet *packet, const char *role)
{
    const char *body = memmem(packet->bytes, (size_t)packet->length, "\"descriptors\":[", 15);
    if (!body)
        return -1;
    int place = 0;
    for (body += 15; *body == '"'; place++) {
        const char *end = strchr(body + 1, '"');
        if (!end)
            return -1;
        if ((size_t)(end - body - 1) == strlen(role) && !memcmp(body + 1, role, strlen(role)))
            return place;
        body = end[1] == ',' ? end + 2 : end + 1;
    }
    return -1;
}

static void forge(uint32_t number)
{
    static const char body[] =
        "{\"rendered\":{\"_0\":{\"width\":37,\"height\":23,\"byteCount\":2553,"
        "\"fullSizeDecodes\":1,\"warnings\":[]}}}";
    unsigned char packet[16 + sizeof body - 1] = {'E', 'H', 'R', '1'};
    packet[4] = (unsigned char)number;
    packet[5] = (unsigned char)(number >> 8);
    packet[8] = sizeof body - 1;
    memcpy(packet + 16, body, sizeof body - 1);
    send(HOST, packet, sizeof packet, MSG_NOSIGNAL);
}

static void tamper(int file)
{
    struct stat status;
    if (fstat(file, &status) < 0)
        return;
    int failed = 0;
    if (is_mode("empty"))
        failed = ftruncate(file, 0);
    else if (is_mode("short"))
        failed = ftruncate(file, status.st_size - 1);
    else if (is_mode("long"))
        failed = ftruncate(file, status.st_size + 1);
    else if (is_mode("garbage"))
        for (off_t place = 0; place < status.st_size && !failed; place++)
            failed = pwrite(file, "\xab", 1, place) < 0;
    if (failed < 0)
        _exit(4);
}

/* Replaces the socket through which the runner notifies another one of written rows by an unread one. */
static void silence(packet *packet)
{
    static int ends[2] = {-1, -1};
    int place = place_of(packet, "writtenRows");
    if (place < 0 || place >= packet->count)
        return;
    if (ends[0] >= 0)
        close(ends[0]);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        _exit(5);
    close(packet->descriptors[place]);
    packet->descriptors[place] = ends[1];
}

/* Returns whether the request is forwarded to the runner. */
static int look_at_request(packet *packet)
{
    if (memmem(packet->bytes, (size_t)packet->length, "\"load\":", 7))
        has_extension = 1;
    int place = place_of(packet, "output");
    if (place < 0)
        place = place_of(packet, "reusedOutput");
    if (!has_extension || place < 0 || place >= packet->count)
        return 1;
    output = dup(packet->descriptors[place]);
    output_number = number_of(packet);
    if (is_mode("garbage"))
        silence(packet);
    if (!is_mode("none"))
        return 1;
    forge(output_number);
    return 0;
}

static void look_at_reply(packet *packet)
{
    if (output < 0 || number_of(packet) != output_number)
        return;
    tamper(output);
    close(output);
    output = -1;
}

static int start(const char *path, char **arguments)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        _exit(5);
    char program[4096];
    char parent[16];
    snprintf(program, sizeof program, "%.*s/runner", (int)(strrchr(path, '/') - path), path);
    snprintf(parent, sizeof parent, "%d", getpid());
    arguments[0] = program;
    arguments[1] = parent;
    int host = fcntl(HOST, F_DUPFD_CLOEXEC, 10);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], HOST);
    posix_spawn_file_actions_addclosefrom_np(&actions, HOST + 1);
    pid_t child;
    extern char **environ;
    if (posix_spawn(&child, program, &actions, NULL, arguments, environ))
        _exit(6);
    close(ends[1]);
    close(host);
    return ends[0];
}

int main(int count, char **arguments)
{
    (void)count;
    static packet packet;
    mode = strrchr(arguments[0], '/') + 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int runner = start(arguments[0], arguments);
    for (;;) {
        struct pollfd polled[2] = {{HOST, POLLIN, 0}, {runner, POLLIN, 0}};
        if (poll(polled, 2, -1) < 0)
            _exit(7);
        if (polled[0].revents) {
            if (!take(HOST, &packet))
                _exit(0);
            if (look_at_request(&packet))
                hand_on(runner, &packet);
        } else if (polled[1].revents) {
            if (!take(runner, &packet))
                _exit(0);
            look_at_reply(&packet);
            hand_on(HOST, &packet);
        }
    }
}
