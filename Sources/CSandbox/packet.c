/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* A buffer for the descriptors of one packet, aligned as required by CMSG_FIRSTHDR. */
typedef union control_buffer {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int) * CSANDBOX_MAXIMUM_DESCRIPTORS)];
} control_buffer;

int csandbox_send(int socket, const void *bytes, size_t length, const int *descriptors, int count)
{
    if (count < 0 || count > CSANDBOX_MAXIMUM_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    control_buffer control;
    memset(&control, 0, sizeof control);
    if (count > 0) {
        size_t size = sizeof(int) * (size_t)count;
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), descriptors, size);
    }
    ssize_t sent;
    do
        sent = count > 0 ? sendmsg(socket, &message, MSG_NOSIGNAL)
                         : send(socket, bytes, length, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -1 : 0;
}

/* Copies the descriptors of a packet, and closes those beyond `room`. Returns the number received. */
static int take_descriptors(struct msghdr *message, int *descriptors, int room)
{
    int taken = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header;
         header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
            continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < count; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
            if (taken < room)
                descriptors[taken] = descriptor;
            else
                close(descriptor);
            taken++;
        }
    }
    return taken;
}

ssize_t csandbox_receive(int socket, void *bytes, size_t capacity, int *descriptors, int *count)
{
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    control_buffer control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    /* Without a buffer for descriptors, the kernel drops them and sets MSG_CTRUNC. */
    if (*count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
    }
    ssize_t received;
    do
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received < 0)
        return -1;
    int room = *count;
    int taken = room > 0 ? take_descriptors(&message, descriptors, room) : 0;
    if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) || taken > room) {
        for (int index = 0; index < taken && index < room; index++)
            close(descriptors[index]);
        *count = 0;
        /* The kernel drops descriptors for which the process has no numbers left. */
        errno = message.msg_flags & MSG_CTRUNC && taken < room ? EMFILE : EMSGSIZE;
        return -1;
    }
    *count = taken;
    return received;
}
