/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runner puts in the place of the C library's functions, for itself and for every library
 * that is loaded into it. An executable's own symbols come first when the dynamic loader binds one.
 */
#ifndef CINTERPOSITION_H
#define CINTERPOSITION_H

#include <fcntl.h>

/* open() and open64() of the C library, with one difference, in a sandbox that hides /proc: the
 * file /proc/NUMBER/stat of a thread of this process opens all the same and says "NUMBER (thread)
 * R" of one that computes, "S" of one that waits.
 *
 * Dispatch, with which every plug-in in Swift does its asynchronous work, reads these files once a
 * second while work is waiting, and ends the process where one cannot be opened. They are answered
 * from the threads' processor clocks, so that nothing of /proc has to be allowed, where the
 * mounts, the sockets and the other processes of the system can be read too. */
int open(const char *path, int flags, ...);

#endif /* CINTERPOSITION_H */
