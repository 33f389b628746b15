/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

/* Adds rules in sequence and keeps the first error, a negative errno. */
typedef struct filter {
    scmp_filter_ctx context;
    int error;
} filter;

static void keep(filter *filter, int result)
{
    if (!filter->error && result < 0)
        filter->error = result;
}

static void allow_if(filter *filter, int call, struct scmp_arg_cmp first)
{
    keep(filter, seccomp_rule_add(filter->context, SCMP_ACT_ALLOW, call, 1, first));
}

static void allow_if_both(
    filter *filter, int call, struct scmp_arg_cmp first, struct scmp_arg_cmp second)
{
    keep(filter, seccomp_rule_add(filter->context, SCMP_ACT_ALLOW, call, 2, first, second));
}

static void fail_with(filter *filter, int call, int error)
{
    keep(filter, seccomp_rule_add(filter->context, SCMP_ACT_ERRNO(error), call, 0));
}

/* Calls that do not exist on this architecture have negative numbers and need no rule. */
static void allow_named(filter *filter, const char *const names[])
{
    for (size_t index = 0; names[index]; index++) {
        int call = seccomp_syscall_resolve_name(names[index]);
        if (call == __NR_SCMP_ERROR)
            keep(filter, -EINVAL);
        else if (call >= 0)
            keep(filter, seccomp_rule_add(filter->context, SCMP_ACT_ALLOW, call, 0));
    }
}

/* Allows threads, but no processes or namespaces. The flags of clone3 are in memory, where a filter cannot
 * read them. Without clone3, the C library falls back to clone. */
static void allow_threads(filter *filter)
{
    const uint64_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC
        | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    allow_if(
        filter, SCMP_SYS(clone),
        SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | namespaces, CLONE_THREAD));
    fail_with(filter, SCMP_SYS(clone3), ENOSYS);
}

/* Allows calls that cannot reach other processes. */
static void allow_self(filter *filter)
{
    const scmp_datum_t self = (scmp_datum_t)getpid();
    allow_if(filter, SCMP_SYS(kill), SCMP_A0(SCMP_CMP_EQ, self));
    allow_if(filter, SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, self));
    allow_if_both(
        filter, SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));
    static const int options[] = {
        PR_SET_NAME, PR_GET_NAME, PR_SET_VMA, PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS,
    };
    for (size_t index = 0; index < sizeof options / sizeof options[0]; index++)
        allow_if(
            filter, SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)options[index]));
}

/* Excludes locks, leases, seals and signals. Data can be sent only on the connected socket. */
static void allow_descriptors(filter *filter)
{
    static const int commands[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL};
    for (size_t index = 0; index < sizeof commands / sizeof commands[0]; index++)
        allow_if(
            filter, SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)commands[index]));
    allow_if_both(
        filter, SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_SETFL),
        SCMP_A2(SCMP_CMP_MASKED_EQ, O_ASYNC, 0));
    allow_if(filter, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, TCGETS));
    allow_if(filter, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, FIONREAD));
    allow_if(filter, SCMP_SYS(sendto), SCMP_A4(SCMP_CMP_EQ, 0));
    fail_with(filter, SCMP_SYS(socket), EACCES);
}

int csandbox_filter(const char *const allowed[])
{
    filter filter = {.context = seccomp_init(SCMP_ACT_ERRNO(EPERM))};
    if (!filter.context) {
        errno = ENOMEM;
        return -1;
    }
    /* The default action kills only the thread, and would leave the host waiting. */
    keep(
        &filter,
        seccomp_attr_set(filter.context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    keep(&filter, seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_TSYNC, 1));
    keep(&filter, seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_OPTIMIZE, 2));
    allow_named(&filter, allowed);
    allow_threads(&filter);
    allow_self(&filter);
    allow_descriptors(&filter);
    if (!filter.error)
        keep(&filter, seccomp_load(filter.context));
    seccomp_release(filter.context);
    if (filter.error) {
        errno = -filter.error;
        return -1;
    }
    return 0;
}
