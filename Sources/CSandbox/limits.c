/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "csandbox.h"

#include <sys/prctl.h>
#include <sys/resource.h>

/* Sets a limit for good, or leaves a lower one as it is. */
static int lower(__rlimit_resource_t resource, rlim_t wanted)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) < 0)
        return -1;
    if (limit.rlim_max > wanted)
        limit.rlim_max = wanted;
    if (limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit);
}

int csandbox_limit(const csandbox_limits *limits)
{
    if (lower(RLIMIT_CORE, 0) < 0 || lower(RLIMIT_MSGQUEUE, 0) < 0
        || lower(RLIMIT_MEMLOCK, limits->locked_memory) < 0
        || lower(RLIMIT_NOFILE, limits->open_files) < 0
        || lower(RLIMIT_FSIZE, limits->file_size) < 0)
        return -1;
    return lower(RLIMIT_AS, limits->address_space);
}

int csandbox_has_no_new_privileges(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1; }

int csandbox_has_filter(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2; }
