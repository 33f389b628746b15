/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Writes a text to a file of /proc, which accepts it only in a single write. */
static int write_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    ssize_t written = write(file, text, strlen(text));
    int error = errno;
    close(file);
    errno = error;
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

/* Maps one user or group ID to itself. */
static int map_to_itself(const char *path, unsigned number)
{
    char text[64];
    snprintf(text, sizeof text, "%u %u 1", number, number);
    return write_file(path, text);
}

/* Returns whether AppArmor restricts user namespaces. One can then be created but not used: no ID can be
 * mapped into it, and it cannot be left. */
static int is_restricted(void)
{
    char answer = '0';
    int file = open(
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t length = read(file, &answer, 1);
    close(file);
    return length == 1 && answer != '0' && geteuid() != 0;
}

/* Best effort: a kernel may be built without UTS namespaces. */
static void hide_host_name(void)
{
    if (unshare(CLONE_NEWUTS) == 0 && sethostname("localhost", 9) == 0)
        (void)!setdomainname("localdomain", 11);
}

static int isolate(int namespaces, unsigned user, unsigned group)
{
    int flags = 0;
    if (namespaces & CSANDBOX_USER)
        flags |= CLONE_NEWUSER;
    if (namespaces & CSANDBOX_NETWORK)
        flags |= CLONE_NEWNET;
    if (namespaces & CSANDBOX_IPC)
        flags |= CLONE_NEWIPC;
    if (unshare(flags) < 0)
        return 0;
    if ((namespaces & CSANDBOX_USER)
        && (write_file("/proc/self/setgroups", "deny") < 0
            || map_to_itself("/proc/self/uid_map", user) < 0
            || map_to_itself("/proc/self/gid_map", group) < 0))
        return -1;
    hide_host_name();
    return namespaces;
}

int csandbox_isolate(void)
{
    static const int wanted[] = {
        CSANDBOX_USER | CSANDBOX_NETWORK | CSANDBOX_IPC,
        CSANDBOX_USER,
        CSANDBOX_NETWORK | CSANDBOX_IPC,
    };
    unsigned user = geteuid(), group = getegid();
    int has_users = !is_restricted() && access("/proc/self/uid_map", W_OK) == 0;
    for (size_t index = 0; index < sizeof wanted / sizeof wanted[0]; index++) {
        if ((wanted[index] & CSANDBOX_USER) && !has_users)
            continue;
        int result = isolate(wanted[index], user, group);
        if (result != 0)
            return result;
    }
    return 0;
}

int csandbox_drop_capabilities(void)
{
    /* Dropping requires a capability itself; without it there is nothing to gain. */
    for (int capability = 0; capability < 64; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0)
            break;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    return (int)syscall(SYS_capset, &header, none);
}
