/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

static rlim_t least(rlim_t one, rlim_t other) { return one < other ? one : other; }

/* Lowers a limit. A limit that is already lower is unchanged. */
static int lower(__rlimit_resource_t resource, csandbox_limit wanted)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) < 0)
        return -1;
    limit.rlim_max = least(limit.rlim_max, wanted.most);
    limit.rlim_cur = least(least(limit.rlim_cur, wanted.now), limit.rlim_max);
    return setrlimit(resource, &limit);
}

int csandbox_lower_limits(const csandbox_limits *limits, int counts_threads)
{
    const csandbox_limit none = {0, 0};
    if (lower(RLIMIT_CORE, none) < 0 || lower(RLIMIT_MSGQUEUE, none) < 0
        || lower(RLIMIT_MEMLOCK, limits->locked_memory) < 0
        || lower(RLIMIT_NOFILE, limits->open_files) < 0
        || lower(RLIMIT_FSIZE, limits->file_size) < 0)
        return -1;
    if (counts_threads && lower(RLIMIT_NPROC, limits->threads) < 0)
        return -1;
    return lower(RLIMIT_AS, limits->address_space);
}

int csandbox_set_limit(pid_t pid, int resource, uint64_t value)
{
    struct rlimit limit;
    __rlimit_resource_t which = (__rlimit_resource_t)resource;
    if (prlimit(pid, which, NULL, &limit) < 0)
        return -1;
    limit.rlim_cur = least(limit.rlim_max, value);
    return prlimit(pid, which, &limit, NULL);
}

int64_t csandbox_processor_time(pid_t pid)
{
    clockid_t clock;
    struct timespec used;
    int error = clock_getcpuclockid(pid, &clock);
    if (error) {
        errno = error;
        return -1;
    }
    if (clock_gettime(clock, &used) < 0)
        return -1;
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

int csandbox_has_no_new_privileges(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1; }

int csandbox_has_filter(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2; }
