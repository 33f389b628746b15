/* SPDX-License-Identifier: Apache-2.0
 *
 * A frame processor that writes what it is told into the first pixels of each frame, with the number of
 * calls of its controller, so that a test can read it from the frames of the video:
 * pixel 0: calls of create in this process, of start, of process_frame of this controller;
 * pixel 1: the time in tenths of a second, the whole's duration in tenths, 0.
 * Blocks of 16 by 16, since the video is encoded with loss. */
#include "editing_extension.h"

#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

struct ee_controller {
    int starts;
    int frames;
    bool is_video;
};

static int created;
static const char recipe[] = "{}";

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
    (void)host, (void)error;
    *controller = calloc(1, sizeof **controller);
    created++;
    return EE_OK;
}

static void destroy(ee_controller *controller) { free(controller); }

static ee_status can_handle(
    ee_controller *controller, const ee_adjustment *adjustment, bool *answer, ee_error *error)
{
    (void)controller, (void)error;
    *answer = strcmp(adjustment->format_identifier, "org.example.clock") == 0;
    return EE_OK;
}

static ee_status start(
    ee_controller *controller, const ee_input *input, VipsImage *placeholder, ee_error *error)
{
    (void)placeholder, (void)error;
    controller->starts++;
    controller->is_video = input->media_type == 2;
    return EE_OK;
}

static ee_status get_parameters(ee_controller *controller, const char **json, ee_error *error)
{
    (void)controller, (void)error;
    *json = recipe;
    return EE_OK;
}

static ee_status set_parameters(
    ee_controller *controller, const char *json, size_t size, ee_error *error)
{
    (void)controller, (void)json, (void)size, (void)error;
    return EE_OK;
}

static void draw(VipsImage *image, int block, double red, double green, double blue)
{
    double ink[3] = {red, green, blue};
    vips_draw_rect(image, ink, 3, block * 16, 0, 16, 16, "fill", TRUE, NULL);
}

static ee_status render_preview(
    ee_controller *controller, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    (void)controller;
    VipsImage *input;
    ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, &input, error);
    if (status != EE_OK)
        return status;
    *image = vips_image_copy_memory(input);
    g_object_unref(input);
    double scale = preview->timescale > 0 ? 10.0 / preview->timescale : 0;
    draw(*image, 1, (double)preview->time * scale, (double)preview->duration * scale, 0);
    return EE_OK;
}

static ee_status process_frame(
    ee_controller *controller, const ee_frame *frame, VipsImage **image, ee_error *error)
{
    (void)error;
    controller->frames++;
    *image = vips_image_copy_memory(frame->image);
    double scale = 10.0 / frame->timescale;
    draw(*image, 0, created, controller->starts, controller->frames);
    draw(
        *image, 1, (double)frame->time * scale, (double)frame->duration * scale,
        frame->full_width / 10.0);
    return EE_OK;
}

static ee_status finish(
    ee_controller *controller, const ee_completion *completion, ee_error *error)
{
    (void)error;
    ee_output output = {.struct_size = sizeof output};
    output.adjustment = (ee_adjustment){"org.example.clock", "1", recipe, sizeof recipe - 1};
    if (!controller->is_video) {
        completion->complete(completion, EE_UNSUPPORTED, NULL, NULL);
        return EE_OK;
    }
    completion->complete(completion, EE_OK, &output, NULL);
    return EE_OK;
}

static void cancel(ee_controller *controller) { (void)controller; }

static bool should_show_cancel_confirmation(ee_controller *controller)
{
    (void)controller;
    return false;
}

static const ee_photo_editing editing = {
    sizeof editing, create, destroy, can_handle, start, get_parameters, set_parameters,
    render_preview, finish, cancel, should_show_cancel_confirmation,
};

static const ee_frame_processor frames = {sizeof frames, process_frame};

static const void *get_capability(const char *id)
{
    if (strcmp(id, EE_CAPABILITY_PHOTO_EDITING) == 0)
        return &editing;
    return strcmp(id, EE_CAPABILITY_FRAME_PROCESSOR) == 0 ? &frames : NULL;
}

static const ee_entry entry = {
    sizeof entry, EE_ABI_MAJOR, EE_ABI_MINOR, "org.example.clock", "1.0", get_capability,
};

EE_EXPORT const ee_entry *editing_extension_entry(const ee_host *host)
{
    (void)host;
    return &entry;
}
