/* SPDX-License-Identifier: Apache-2.0
 *
 * An extension with an event loop that always has work. It completes on a thread of its own while the host serves the
 * loop, and logs when the loop was served after a cancel and when a controller was destroyed.
 * Macro STALLS: an edit that is made again from its recipe does not complete before it is cancelled.
 */
#include <editing_extension.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <vips/vips.h>

static const ee_host *the_host;
static int loop = -1;
static atomic_int cancels;

struct ee_controller {
    const ee_input *input;
    const ee_completion *completion;
    VipsImage *image;
    pthread_t thread;
    bool is_finishing;
    atomic_bool is_cancelled, is_destroyed;
};

static int descriptor(void)
{
    if (loop < 0)
        loop = eventfd(1, EFD_CLOEXEC);
    return loop;
}

static void dispatch(void)
{
    if (atomic_exchange(&cancels, 0))
        the_host->log(the_host, "served after a cancel");
}

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
    (void)error;
    the_host = host;
    *controller = calloc(1, sizeof **controller);
    return EE_OK;
}

static void destroy(ee_controller *self)
{
    if (self->input && self->input->adjustment && !self->is_cancelled)
        the_host->log(the_host, "not cancelled");
    self->is_destroyed = true;
    if (self->is_finishing)
        pthread_join(self->thread, NULL);
    g_clear_object(&self->image);
    free(self);
    the_host->log(the_host, "destroyed");
}

static ee_status can_handle(
    ee_controller *self, const ee_adjustment *adjustment, bool *answer, ee_error *error)
{
    (void)self, (void)adjustment, (void)error;
    *answer = true;
    return EE_OK;
}

static ee_status start(
    ee_controller *self, const ee_input *input, VipsImage *placeholder, ee_error *error)
{
    (void)placeholder, (void)error;
    self->input = input;
    return EE_OK;
}

static ee_status get_parameters(ee_controller *self, const char **json, ee_error *error)
{
    (void)self, (void)error;
    *json = "{}";
    return EE_OK;
}

static ee_status set_parameters(
    ee_controller *self, const char *json, size_t size, ee_error *error)
{
    (void)self, (void)json, (void)size, (void)error;
    return EE_OK;
}

static ee_status render_preview(
    ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    (void)self;
    return preview->image(preview, EE_ACCESS_SEQUENTIAL, image, error);
}

static void *work(void *controller)
{
    ee_controller *self = controller;
#ifdef STALLS
    if (self->input->adjustment) {
        the_host->log(the_host, "stalls");
        while (!self->is_cancelled && !self->is_destroyed)
            usleep(1000);
        return NULL;
    }
#endif
    ee_output output = {
        .struct_size = sizeof output,
        .adjustment = {"org.example.looping", "1.0", "x", 1},
        .image = self->image,
    };
    self->completion->complete(self->completion, EE_OK, &output, NULL);
    return NULL;
}

static ee_status finish(
    ee_controller *self, const ee_completion *completion, ee_error *error)
{
    ee_status status =
        self->input->full_size_image(self->input, EE_ACCESS_SEQUENTIAL, &self->image, error);
    if (status)
        return status;
    self->completion = completion;
    self->is_finishing = pthread_create(&self->thread, NULL, work, self) == 0;
    return self->is_finishing ? EE_OK : EE_FAILED;
}

static void cancel(ee_controller *self)
{
    self->is_cancelled = true;
    atomic_store(&cancels, 1);
}

static bool should_show_cancel_confirmation(ee_controller *self)
{
    (void)self;
    return false;
}

#define IDENTIFIER "org.example.looping"
#define WITHOUT_ENTRY
#include "frame.h"

static const ee_events events = {sizeof events, descriptor, dispatch};

static const void *get(const char *id)
{
    return strcmp(id, EE_CAPABILITY_EVENTS) == 0 ? (const void *)&events : get_capability(id);
}

EE_EXPORT const ee_entry *editing_extension_entry(const ee_host *host)
{
    static ee_entry looping;
    (void)host;
    looping = entry;
    looping.get_capability = get;
    return &looping;
}
