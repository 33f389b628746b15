/* SPDX-License-Identifier: Apache-2.0
 *
 * A replacement of the runner that violates the protocol in the way that its file name selects. It announces
 * itself with the packet in the file "ready" next to it, and otherwise answers every request with `done`. It
 * loads nothing.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONTROL = 3 };

static const char *mode;

static int is_mode(const char *name) { return strcmp(mode, name) == 0; }

static void give(const void *bytes, size_t length)
{
    ssize_t sent = send(CONTROL, bytes, length, MSG_NOSIGNAL);
    (void)sent;
}

static void put(unsigned char *place, uint32_t word)
{
    for (int byte = 0; byte < 4; byte++)
        place[byte] = (unsigned char)(word >> (8 * byte));
}

/* Sends a packet whose header may not match its body. */
static void reply_as(
    const char *magic, uint32_t number, uint32_t length, uint32_t flags, const char *body)
{
    unsigned char packet[4096];
    memcpy(packet, magic, 4);
    put(packet + 4, number);
    put(packet + 8, length);
    put(packet + 12, flags);
    memcpy(packet + 16, body, strlen(body));
    give(packet, 16 + strlen(body));
}

static void reply(uint32_t number, const char *body)
{
    reply_as("EHR1", number, (uint32_t)strlen(body), 0, body);
}

static void reply_with_descriptors(uint32_t number)
{
    static const char body[] = "{\"done\":{}}";
    unsigned char packet[64] = {'E', 'H', 'R', '1'};
    put(packet + 4, number);
    put(packet + 8, sizeof body - 1);
    memcpy(packet + 16, body, sizeof body - 1);
    int descriptors[3] = {0, 1, 2};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof descriptors)];
    } control = {0};
    struct iovec part = {packet, 16 + sizeof body - 1};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
    };
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptors);
    memcpy(CMSG_DATA(header), descriptors, sizeof descriptors);
    ssize_t sent = sendmsg(CONTROL, &message, MSG_NOSIGNAL);
    (void)sent;
}

static void give_garbage(void)
{
    unsigned char bytes[512];
    for (size_t index = 0; index < sizeof bytes; index++)
        bytes[index] = (unsigned char)(index * 167 + 13);
    give(bytes, sizeof bytes);
}

static void give_much(void)
{
    static char bytes[100000];
    give(bytes, sizeof bytes);
}

static void write_everywhere(void)
{
    for (int number = 1; number < 1024; number++) {
        ssize_t written = write(number, "garbage", 7);
        (void)written;
    }
}

static void close_and_wait(void)
{
    close(CONTROL);
    for (;;)
        pause();
}

static void answer(uint32_t number)
{
    static const char done[] = "{\"done\":{}}";
    if (is_mode("wrong-magic"))
        reply_as("XHR1", number, sizeof done - 1, 0, done);
    else if (is_mode("wrong-number"))
        reply(number + 1, done);
    else if (is_mode("number-nothing"))
        reply(0, done);
    else if (is_mode("too-long"))
        reply_as("EHR1", number, sizeof done + 20, 0, done);
    else if (is_mode("too-short"))
        reply_as("EHR1", number, 3, 0, done);
    else if (is_mode("unknown-flags"))
        reply_as("EHR1", number, sizeof done - 1, 7, done);
    else if (is_mode("empty-outbox"))
        reply_as("EHR1", number, 1000, 1, "");
    else if (is_mode("endless-outbox"))
        reply_as("EHR1", number, UINT32_MAX, 1, "");
    else if (is_mode("no-json"))
        reply(number, "\x01\xff done {");
    else if (is_mode("unknown-reply"))
        reply(number, "{\"surprise\":{}}");
    else if (is_mode("descriptors"))
        reply_with_descriptors(number);
    else if (is_mode("garbage"))
        give_garbage();
    else if (is_mode("large"))
        give_much();
    else if (is_mode("nothing"))
        give("", 0);
    else if (is_mode("everywhere"))
        write_everywhere();
    else if (is_mode("close"))
        close_and_wait();
    else if (is_mode("exit"))
        _exit(0);
    else
        reply(number, done);
    if (is_mode("twice"))
        reply(number, done);
}

static void announce(const char *path)
{
    char place[4096];
    unsigned char packet[65536];
    snprintf(place, sizeof place, "%.*s/ready", (int)(strrchr(path, '/') - path), path);
    int file = open(place, O_RDONLY);
    ssize_t length = read(file, packet, sizeof packet);
    close(file);
    if (length <= 0)
        _exit(3);
    give(packet, (size_t)length);
    if (is_mode("ready-twice"))
        give(packet, (size_t)length);
}

int main(int count, char **arguments)
{
    (void)count;
    mode = strrchr(arguments[0], '/') + 1;
    announce(arguments[0]);
    if (is_mode("early"))
        reply(1, "{\"done\":{}}");
    for (;;) {
        static unsigned char packet[65536];
        ssize_t length = recv(CONTROL, packet, sizeof packet, 0);
        if (length <= 0)
            _exit(0);
        answer(packet[4] | (uint32_t)packet[5] << 8);
    }
}
