/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Additions to the kernel's interface since the headers of Debian 12. */
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif
#ifndef LANDLOCK_ACCESS_FS_IOCTL_DEV
#define LANDLOCK_ACCESS_FS_IOCTL_DEV (1ULL << 15)
#endif
#ifndef LANDLOCK_ACCESS_NET_BIND_TCP
#define LANDLOCK_ACCESS_NET_BIND_TCP (1ULL << 0)
#define LANDLOCK_ACCESS_NET_CONNECT_TCP (1ULL << 1)
#endif
#ifndef LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
#define LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define LANDLOCK_SCOPE_SIGNAL (1ULL << 1)
#endif

/* The kernel's landlock_ruleset_attr as of ABI 6. Older kernels get a prefix of it. */
typedef struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
} ruleset;

enum {
    READ_FILE = LANDLOCK_ACCESS_FS_READ_FILE,
    READ_FOLDER = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    WRITE_FOLDER = READ_FOLDER | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG
        | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE
};

int csandbox_landlock_abi(void)
{
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* Handles every right known to the ABI, so that none remains. */
static ruleset everything(int abi)
{
    ruleset rights = {.files = (1ULL << 13) - 1};
    if (abi >= 2)
        rights.files |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= 3)
        rights.files |= LANDLOCK_ACCESS_FS_TRUNCATE;
    if (abi >= 4)
        rights.network = LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP;
    if (abi >= 5)
        rights.files |= LANDLOCK_ACCESS_FS_IOCTL_DEV;
    if (abi >= 6)
        rights.scopes = LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL;
    return rights;
}

static size_t length_for(int abi)
{
    if (abi < 4)
        return offsetof(ruleset, network);
    return abi < 6 ? offsetof(ruleset, scopes) : sizeof(ruleset);
}

/* Allows rights below a folder, as far as the ABI knows them. A file can only be read. */
static int allow(int rules, const char *path, uint64_t rights, uint64_t known)
{
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0)
        return -1;
    struct stat status;
    int result = fstat(place, &status);
    if (!result) {
        uint64_t possible = S_ISDIR(status.st_mode) ? rights : READ_FILE;
        struct landlock_path_beneath_attr rule = {
            .allowed_access = possible & known, .parent_fd = place};
        result = (int)syscall(
            SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    int error = errno;
    close(place);
    errno = error;
    return result;
}

static int allow_all(
    int rules, const char *const readable[], const char *writable, uint64_t known)
{
    for (size_t index = 0; readable[index]; index++)
        if (allow(rules, readable[index], READ_FOLDER, known) < 0 && errno != ENOENT
            && errno != ENOTDIR && errno != EACCES)
            return -1;
    return writable ? allow(rules, writable, WRITE_FOLDER, known) : 0;
}

int csandbox_landlock(const char *const readable[], const char *writable)
{
    int abi = csandbox_landlock_abi();
    if (abi < 1) {
        errno = abi < 0 ? errno : ENOSYS;
        return -1;
    }
    ruleset rights = everything(abi);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &rights, length_for(abi), 0);
    if (rules < 0)
        return -1;
    int result = allow_all(rules, readable, writable, rights.files);
    if (!result)
        result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!result)
        result = (int)syscall(SYS_landlock_restrict_self, rules, 0);
    int error = errno;
    close(rules);
    errno = error;
    return result < 0 ? -1 : abi;
}

typedef struct visit {
    void (*each)(const char *path, void *context);
    void *context;
} visit;

static int visit_library(struct dl_phdr_info *library, size_t size, void *data)
{
    (void)size;
    const visit *visit = data;
    if (library->dlpi_name && library->dlpi_name[0] == '/')
        visit->each(library->dlpi_name, visit->context);
    return 0;
}

void csandbox_each_library(void (*each)(const char *path, void *context), void *context)
{
    visit visit = {each, context};
    dl_iterate_phdr(visit_library, &visit);
}
