/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

void csandbox_volunteer(void)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t written = write(file, "1000", 4);
    (void)written;
    close(file);
}

int csandbox_enter_runner(pid_t parent)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (parent == 0)
        return 0;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
        return -1;
    if (getppid() != parent) {
        errno = ESRCH;
        return -1;
    }
    return prctl(PR_SET_DUMPABLE, 0);
}

int csandbox_allow_debugger(void)
{
    /* Needed only with Yama, and an error without it. */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    return prctl(PR_SET_DUMPABLE, 1);
}
