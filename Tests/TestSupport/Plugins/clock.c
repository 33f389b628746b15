/* SPDX-License-Identifier: Apache-2.0
 *
 * A frame processor that writes the facts about each frame into its first blocks, where a test can read them from the
 * video. Blocks are 16 by 16 pixels, because the encoding is lossy.
 * Block 0: the number of calls of create in this process, and of start and process_frame of this controller.
 * Block 1: the time and the duration of the video in tenths of a second; a tenth of the full width, in previews 0.
 * Block 2: with LIVE, the time of a Live Photo's still in tenths of a second, plus 100.
 * With VIDEOS_ALONE it refuses photos. With SIDES it returns black frames with that number of columns and rows.
 *
 * With MAKES it makes frames itself, and counts calls of put_frame instead of process_frame. LATE: each frame after the
 * next two have come. DOUBLE: an additional frame between any two. HALF: every second frame. FIRST: only the first
 * frame. SLOW: each frame at twice its time. NONE: no frames. The others are rejected: BACK in time, BEYOND the end,
 * too DENSE, another SIZE, FAILING. */
enum { LATE = 1, DOUBLE, HALF, FIRST, NONE, BACK, BEYOND, DENSE, SIZE, FAILING, SLOW };

#include "editing_extension.h"

#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

struct ee_controller {
    int starts;
    int frames;
    bool is_video;
    const ee_input *input;
    double still;
    bool has_ended;
    int64_t timescale, whole, last;
    struct {
        VipsImage *image;
        int64_t time;
    } queue[8];
    int waiting;
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

static void destroy(ee_controller *controller)
{
    for (int index = 0; index < controller->waiting; index++)
        g_object_unref(controller->queue[index].image);
    free(controller);
}

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
    controller->input = input;
#ifdef VIDEOS_ALONE
    if (!controller->is_video) {
        strcpy(error->message, "it edits videos alone");
        return EE_FAILED;
    }
#endif
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
#ifdef SIDES
    VipsImage *black;
    vips_black(&black, SIDES, SIDES, "bands", 3, NULL);
    vips_copy(black, image, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
    g_object_unref(black);
    return EE_OK;
#endif
    *image = vips_image_copy_memory(frame->image);
    double scale = 10.0 / frame->timescale;
#ifdef MAKES
    created = 0;
#endif
    draw(*image, 0, created, controller->starts, controller->frames);
    draw(
        *image, 1, (double)frame->time * scale, (double)frame->duration * scale,
        frame->full_width / 10.0);
    draw(*image, 2, controller->still, 0, 0);
    return EE_OK;
}

static ee_status finish(
    ee_controller *controller, const ee_completion *completion, ee_error *error)
{
    ee_output output = {.struct_size = sizeof output};
    output.adjustment = (ee_adjustment){"org.example.clock", "1", recipe, sizeof recipe - 1};
    if (!controller->is_video) {
        const ee_input *input = controller->input;
        ee_status status =
            input->full_size_image(input, EE_ACCESS_SEQUENTIAL, &output.image, error);
        if (status != EE_OK)
            return status;
    }
    completion->complete(completion, EE_OK, &output, NULL);
    if (output.image)
        g_object_unref(output.image);
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

#ifdef MAKES
static void add(ee_controller *controller, VipsImage *image, int64_t time)
{
    g_object_ref(image);
    controller->queue[controller->waiting].image = image;
    controller->queue[controller->waiting].time = time;
    controller->waiting++;
}

static ee_status put_frame(ee_controller *controller, const ee_frame *frame, ee_error *error)
{
    if (!frame) {
        controller->has_ended = true;
        return EE_OK;
    }
    VipsImage *image;
    process_frame(controller, frame, &image, error);
    controller->timescale = frame->timescale;
    controller->whole = frame->duration;
    int number = controller->frames;
    int64_t time = frame->time;
    if (MAKES == SLOW) {
        time *= 2;
        if (time >= frame->duration) {
            g_object_unref(image);
            return EE_OK;
        }
    }
    if (MAKES == FAILING && number == 5) {
        strcpy(error->message, "the fifth frame is too many");
        g_object_unref(image);
        return EE_FAILED;
    }
    if (MAKES == SIZE && number == 2) {
        VipsImage *part;
        vips_extract_area(image, &part, 0, 0, 32, 32, NULL);
        g_object_unref(image);
        image = part;
    }
    if (MAKES == DOUBLE && number > 1)
        add(controller, image, (controller->last + time) / 2);
    controller->last = time;
    if (MAKES == BACK && number == 3)
        time = 0;
    if (MAKES == BEYOND && number == 3)
        time = frame->duration;
    if (MAKES == DENSE && number == 3)
        add(controller, image, time - 1);
    if (!(MAKES == NONE || (MAKES == HALF && number % 2 == 0) || (MAKES == FIRST && number > 1)))
        add(controller, image, time);
    g_object_unref(image);
    return EE_OK;
}

static ee_status take_frame(ee_controller *controller, ee_made_frame *made, ee_error *error)
{
    (void)error;
    int needed = MAKES == LATE && !controller->has_ended ? 3 : 1;
    if (controller->waiting < needed)
        return EE_OK;
    made->image = controller->queue[0].image;
    made->time = controller->queue[0].time;
    controller->waiting--;
    memmove(
        controller->queue, controller->queue + 1,
        sizeof controller->queue[0] * (size_t)controller->waiting);
    return EE_OK;
}

static const ee_video_editing video = {sizeof video, put_frame, take_frame};
#else
static const ee_frame_processor frames = {sizeof frames, process_frame};
#endif

#ifdef LIVE
static ee_status begin_video(
    ee_controller *controller, const ee_live_photo *live_photo, ee_error *error)
{
    (void)error;
    controller->still = 100 + 10.0 * (double)live_photo->still_time / (double)live_photo->timescale;
    return EE_OK;
}

static const ee_live_photo_editing live = {sizeof live, begin_video};
#endif

static const void *get_capability(const char *id)
{
#ifdef LIVE
    if (strcmp(id, EE_CAPABILITY_LIVE_PHOTO_EDITING) == 0)
        return &live;
#endif
    if (strcmp(id, EE_CAPABILITY_PHOTO_EDITING) == 0)
        return &editing;
#ifdef MAKES
    return strcmp(id, EE_CAPABILITY_VIDEO_EDITING) == 0 ? &video : NULL;
#else
    return strcmp(id, EE_CAPABILITY_FRAME_PROCESSOR) == 0 ? &frames : NULL;
#endif
}

static const ee_entry entry = {
    sizeof entry, EE_ABI_MAJOR, EE_ABI_MINOR, "org.example.clock", "1.0", get_capability,
};

EE_EXPORT const ee_entry *editing_extension_entry(const ee_host *host)
{
    (void)host;
    return &entry;
}
