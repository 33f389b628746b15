/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EE_TESTING_COMPLETION_H
#define EE_TESTING_COMPLETION_H

#include "internal.h"

typedef enum {
    COMPLETION_WAITING,
    COMPLETION_CALLED,
    COMPLETION_CANCELLED,
    COMPLETION_CLOSED
} CompletionState;

/* The completion of an edit. An extension may call it more than once or too late, so it is never freed. */
typedef struct Completion {
    ee_completion structure; /* its host_data is this structure */
    struct Completion *next; /* of all completions, so that leak checkers find them */
    GMutex lock;
    int event; /* readable once the wait is over */
    CompletionState state;
    bool has_returned; /* finish has returned */
    const char *complaint; /* what edithost would only log; NULL: nothing */

    /* Copies of the arguments of the call. */
    ee_status status;
    ee_error error;
    bool has_output;
    uint32_t output_size;
    ee_adjustment recipe; /* its members may be NULL */
    VipsImage *image;
    char *content_type;
} Completion;

Completion *ee_testing_completion_new(void);

/* Ends the wait, because the edit was cancelled. */
void ee_testing_completion_cancel(Completion *completion);

/* Waits for the call after finish has returned, and returns the state afterwards: COMPLETION_WAITING if it has not come for 60 seconds.
 *
 * events: the event loop of the extension; NULL: none */
CompletionState ee_testing_completion_wait(Completion *completion, const ee_events *events);

/* Ends the completion and frees what it was passed. Returns its complaint. */
const char *ee_testing_completion_close(Completion *completion);

#endif
