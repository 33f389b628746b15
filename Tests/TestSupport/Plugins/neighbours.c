/* SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in for tests that copies its input, but reads 100 more rows above and below each region, like a blur. destroy
 * logs "N pixels read of M", and render_preview "preview of N pixels at SCALE", N being the width of its input. Macros:
 * HANG: when an edit is made again from its recipe, computing a pixel logs "hangs" and never returns. CUT: a preview is
 * the left half. DISPLAY: a preview is the display image of the edit's input.
 */
#include <editing_extension.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

struct ee_controller {
    const ee_host *host;
    const ee_input *input;
    VipsImage *output;
    GMutex lock;
    bool continues;
    guint64 read;
    guint64 pixels;
};

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
    (void)error;
    *controller = calloc(1, sizeof **controller);
    (*controller)->host = host;
    g_mutex_init(&(*controller)->lock);
    return EE_OK;
}

static void destroy(ee_controller *self)
{
    char line[100];
    snprintf(
        line, sizeof line, "%llu pixels read of %llu", (unsigned long long)self->read,
        (unsigned long long)self->pixels);
    if (self->pixels)
        self->host->log(self->host, line);
    g_clear_object(&self->output);
    g_mutex_clear(&self->lock);
    free(self);
}

static ee_status can_handle(
    ee_controller *self, const ee_adjustment *adjustment, bool *answer, ee_error *error)
{
    (void)error;
    self->continues = true;
    *answer = strcmp(adjustment->format_identifier, "org.example.neighbours") == 0;
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
#ifdef DISPLAY
    ee_status status = self->input->display_image(self->input, image, error);
#else
    ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, image, error);
#endif
    if (status)
        return status;
    char line[100];
    snprintf(line, sizeof line, "preview of %d pixels at %.4f", (*image)->Xsize, preview->scale);
    self->host->log(self->host, line);
#ifdef CUT
    VipsImage *whole = *image;
    int failed = vips_crop(whole, image, 0, 0, whole->Xsize / 2, whole->Ysize, NULL);
    g_object_unref(whole);
    return failed ? EE_FAILED : EE_OK;
#endif
    return EE_OK;
}

static int generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop)
{
    (void)stop;
    VipsImage *input = a;
    ee_controller *self = b;
#ifdef HANG
    if (self->continues)
        self->host->log(self->host, "hangs");
    while (self->continues)
        g_usleep(100000);
#endif
    VipsRect whole = {0, 0, input->Xsize, input->Ysize};
    VipsRect wanted = out->valid;
    wanted.top -= 100;
    wanted.height += 200;
    vips_rect_intersectrect(&wanted, &whole, &wanted);
    g_mutex_lock(&self->lock);
    self->read += (guint64)wanted.width * wanted.height;
    g_mutex_unlock(&self->lock);
    return vips_region_prepare(sequence, &wanted)
        || vips_region_region(out, sequence, &out->valid, out->valid.left, out->valid.top);
}

static ee_status finish(
    ee_controller *self, const ee_completion *completion, ee_error *error)
{
    VipsImage *input;
    ee_status status = self->input->full_size_image(self->input, EE_ACCESS_RANDOM, &input, error);
    if (status)
        return status;
    self->pixels = (guint64)input->Xsize * input->Ysize;
    self->output = vips_image_new();
    /* The output owns its input. */
    vips_object_local(self->output, input);
    if (vips_image_pipelinev(self->output, VIPS_DEMAND_STYLE_SMALLTILE, input, NULL)
        || vips_image_generate(
            self->output, vips_start_one, generate, vips_stop_one, input, self)) {
        snprintf(error->message, sizeof error->message, "%s", vips_error_buffer());
        return EE_FAILED;
    }
    ee_output output = {
        .struct_size = sizeof output,
        .adjustment = {"org.example.neighbours", "1.0", "{}", 2},
        .image = self->output,
    };
    completion->complete(completion, EE_OK, &output, NULL);
    return EE_OK;
}

static void cancel(ee_controller *self) { (void)self; }

static bool should_show_cancel_confirmation(ee_controller *self)
{
    (void)self;
    return false;
}

#define IDENTIFIER "org.example.neighbours"
#include "frame.h"
