/* SPDX-License-Identifier: Apache-2.0
 *
 * Dispatch's main queue, for a library in whose process nobody else serves it.
 */
#ifndef MAIN_QUEUE_H
#define MAIN_QUEUE_H

/* A descriptor that can be read while work is waiting in the main queue; -1 where there is no queue, or
 * it does not belong to the calling thread, which is the one that loaded this library. */
int main_queue_descriptor(void);

/* Does the work that is waiting. Does nothing on another thread than the one that loaded this library. */
void main_queue_serve(void);

#endif
