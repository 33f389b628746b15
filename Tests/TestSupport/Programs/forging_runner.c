/* SPDX-License-Identifier: Apache-2.0
 *
 * A replacement of the runner that behaves like one compromised by its extension. It announces itself with the
 * packet in the file "ready" next to it, and answers its first request with the one in "loaded". At the second
 * request it closes its log and sends the packet in "said". Its file name selects the next action:
 *
 *   crash     it crashes
 *   wait      it waits for further requests
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONTROL = 3 };

static const char *path;
static unsigned char packet[65536];

static void give(const char *name)
{
    char place[4096];
    snprintf(place, sizeof place, "%.*s/%s", (int)(strrchr(path, '/') - path), path, name);
    int file = open(place, O_RDONLY);
    ssize_t length = read(file, packet, sizeof packet);
    close(file);
    if (length <= 0 || send(CONTROL, packet, (size_t)length, MSG_NOSIGNAL) < 0)
        _exit(3);
}

static void wait_for_request(void)
{
    if (recv(CONTROL, packet, sizeof packet, 0) <= 0)
        _exit(0);
}

int main(int count, char **arguments)
{
    (void)count;
    path = arguments[0];
    give("ready");
    wait_for_request();
    give("loaded");
    wait_for_request();
    close(1);
    close(2);
    give("said");
    if (strcmp(strrchr(path, '/') + 1, "crash") == 0)
        abort();
    for (;;)
        wait_for_request();
}
