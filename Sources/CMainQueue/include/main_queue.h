/* SPDX-License-Identifier: Apache-2.0
 *
 * Dispatch's main queue, for a library in a process that does not serve it otherwise.
 */
#ifndef MAIN_QUEUE_H
#define MAIN_QUEUE_H

/* Returns a descriptor that is readable while the main queue has work. Returns -1 if there is no queue, or if
 * the calling thread is not the one that loaded this library, which owns the queue. */
int main_queue_descriptor(void);

/* Runs the queued work. A no-op on threads other than the one that loaded this library. */
void main_queue_serve(void);

#endif
