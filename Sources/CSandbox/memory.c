/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory files and their seals.
 */
#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int csandbox_memory(const char *name)
{
    int memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0)
        return -1;
    /* Landlock does not cover memory files: a read-only descriptor could be reopened for writing. The mode
     * prevents that, because a runner has no capability to override it.
     * See docs/design/decisions/0009-pixels-only.md. */
    if (fchmod(memory, S_IRUSR) < 0) {
        int error = errno;
        close(memory);
        errno = error;
        return -1;
    }
    return memory;
}

int csandbox_seal_size(int memory)
{
    return fcntl(memory, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
}

int csandbox_seal(int memory)
{
    /* The kernel may hold pages for a moment, such as when it moves them. It waits for 150 ms, which is too short on a
     * busy machine. */
    for (int attempt = 0;; attempt++) {
        int sealed = fcntl(
            memory, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
        if (sealed == 0 || errno != EBUSY || attempt == 20)
            return sealed;
        usleep(20 * 1000);
    }
}

int csandbox_seal_growth(int memory)
{
    return fcntl(memory, F_ADD_SEALS, F_SEAL_GROW);
}

int csandbox_empty(int memory)
{
    /* In this order; otherwise another process could extend the file in between. */
    if (csandbox_seal_growth(memory) < 0 && errno != EPERM)
        return -1;
    return ftruncate(memory, 0);
}

int csandbox_exchange(const char *one, const char *other)
{
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}
