/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "completion.h"
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void wake_up(Completion *completion)
{
    uint64_t one = 1;
    if (completion->event >= 0 && write(completion->event, &one, sizeof one) < 0)
        perror("eventfd");
}

ee_adjustment ee_testing_copy_recipe(const ee_adjustment *recipe)
{
    size_t size = recipe->data ? recipe->size : 0;
    return (ee_adjustment){
        g_strdup(recipe->format_identifier), g_strdup(recipe->format_version),
        g_memdup2(recipe->data, size), size};
}

void ee_testing_clear_recipe(ee_adjustment *recipe)
{
    g_free((char *)recipe->format_identifier);
    g_free((char *)recipe->format_version);
    g_free((void *)recipe->data);
    *recipe = (ee_adjustment){0};
}

static void copy(Completion *completion, const ee_output *output)
{
    completion->has_output = true;
    completion->output_size = output->struct_size;
    if (output->struct_size < EE_OUTPUT_SIZE_1_0)
        return;
    completion->recipe = ee_testing_copy_recipe(&output->adjustment);
    completion->image = output->image ? g_object_ref(output->image) : NULL;
    completion->content_type = g_strdup(output->rendered_content_type);
}

static void complete(
    const ee_completion *structure, ee_status status, const ee_output *output,
    const ee_error *error)
{
    static const char *const complaints[] = {
        [COMPLETION_CALLED] = "it called its completion a second time",
        [COMPLETION_CANCELLED] = "it called its completion after cancel",
        [COMPLETION_CLOSED] = "it called its completion after the edit had ended"};
    Completion *completion = structure->host_data;
    g_mutex_lock(&completion->lock);
    if (completion->state == COMPLETION_WAITING) {
        completion->status = status;
        if (error)
            completion->error = *error;
        if (output && status == EE_OK)
            copy(completion, output);
        completion->state = COMPLETION_CALLED;
    } else if (completion->state != COMPLETION_CANCELLED || completion->has_returned) {
        /* A call that finish makes may cross a cancellation. */
        completion->complaint = complaints[completion->state];
        fprintf(stderr, "%s\n", completion->complaint);
    }
    wake_up(completion);
    g_mutex_unlock(&completion->lock);
}

Completion *ee_testing_completion_new(void)
{
    static Completion *all;
    Completion *made = g_new0(Completion, 1);
    made->structure = (ee_completion){sizeof made->structure, made, complete};
    g_mutex_init(&made->lock);
    made->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    made->next = all;
    all = made;
    return made;
}

void ee_testing_completion_cancel(Completion *completion)
{
    g_mutex_lock(&completion->lock);
    if (completion->state != COMPLETION_CLOSED)
        completion->state = COMPLETION_CANCELLED;
    wake_up(completion);
    g_mutex_unlock(&completion->lock);
}

/* Whether a debugger is attached to the process. */
static bool is_debugged(void)
{
    static const char name[] = "TracerPid:";
    char *status = NULL;
    if (!g_file_get_contents("/proc/self/status", &status, NULL, NULL))
        return false;
    const char *tracer = strstr(status, name);
    bool is = tracer && atoi(tracer + strlen(name)) != 0;
    g_free(status);
    return is;
}

static CompletionState state(Completion *completion)
{
    g_mutex_lock(&completion->lock);
    CompletionState state = completion->state;
    g_mutex_unlock(&completion->lock);
    return state;
}

CompletionState ee_testing_completion_wait(Completion *completion, const ee_events *events)
{
    g_mutex_lock(&completion->lock);
    completion->has_returned = true;
    g_mutex_unlock(&completion->lock);
    gint64 limit = g_get_monotonic_time() + 60 * G_USEC_PER_SEC;
    while (state(completion) == COMPLETION_WAITING) {
        struct pollfd files[] = {
            {completion->event, POLLIN, 0}, {events ? events->descriptor() : -1, POLLIN, 0}};
        if (poll(files, 2, 1000) > 0 && files[1].revents & POLLIN)
            events->dispatch();
        if (g_get_monotonic_time() > limit && !is_debugged())
            break;
    }
    return state(completion);
}

const char *ee_testing_completion_close(Completion *completion)
{
    g_mutex_lock(&completion->lock);
    completion->state = COMPLETION_CLOSED;
    if (completion->event >= 0)
        close(completion->event);
    completion->event = -1;
    g_clear_object(&completion->image);
    g_clear_pointer(&completion->content_type, g_free);
    ee_testing_clear_recipe(&completion->recipe);
    const char *complaint = completion->complaint;
    g_mutex_unlock(&completion->lock);
    return complaint;
}
