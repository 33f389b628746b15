/* SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in that reads the video of its input and writes what it finds into its recipe, one line each:
 *
 *   continued                             if it continues a recipe
 *   describe STATUS
 *   video WIDTH HEIGHT RATE CHANNELS DURATION STILL
 *   frame TIME WIDTH HEIGHT PIXELS        all in order of time
 *   random TIME WIDTH HEIGHT PIXELS       at 1e9, 0.5, -3 and 0.1 seconds
 *   misuse STATUS...                      of a time that is no number, a short frame, and a sample before the start
 *   longer RIGHT                          1 if the host reduces the size of a structure longer than its own
 *   sound SAMPLES                         from the start to the duration
 *   part FIRST SAMPLES                    500 of them from the middle
 *
 * Times are in seconds; pixels and the bits of samples are in hexadecimal digits. The plug-in leaves pictures and frames
 * unchanged. It fails if it can read a video while it renders.
 *
 * Macros: REPEATS: start logs "reads" and reads frames until that fails, and logs the message. OVERLAPS: start sends
 * demands without waiting for the supply, as a compromised runner could. */
#include "editing_extension.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vips/vips.h>

#ifndef REPEATS
#define REPEATS 0
#endif
#ifndef OVERLAPS
#define OVERLAPS 0
#endif

struct ee_controller {
    const ee_input *input;
    GString *seen;
};

static const ee_host *the_host;

static void see_samples(GString *seen, const float *samples, size_t count)
{
    for (size_t index = 0; index < count; index++) {
        uint32_t bits;
        memcpy(&bits, &samples[index], sizeof bits);
        g_string_append_printf(seen, "%08x", bits);
    }
    g_string_append_c(seen, '\n');
}

static double see_frame(
    GString *seen, const char *name, const ee_video_reading *reading, const ee_input *input,
    double time)
{
    ee_error error = {{0}};
    ee_frame frame = {.struct_size = sizeof frame};
    double next = NAN;
    if (reading->frame(input, time, &frame, &next, &error) != EE_OK) {
        g_string_append_printf(seen, "failed %s\n", error.message);
        return NAN;
    }
    size_t size = 0;
    unsigned char *pixels = vips_image_write_to_memory(frame.image, &size);
    g_string_append_printf(
        seen, "%s %.6f %d %d ", name, (double)frame.time / (double)frame.timescale,
        frame.image->Xsize, frame.image->Ysize);
    for (size_t index = 0; pixels && index < size; index++)
        g_string_append_printf(seen, "%02x", pixels[index]);
    g_string_append_c(seen, '\n');
    g_free(pixels);
    g_object_unref(frame.image);
    return next;
}

static void see_misuse(GString *seen, const ee_video_reading *reading, const ee_input *input)
{
    ee_error error = {{0}};
    ee_frame frame = {.struct_size = sizeof frame};
    ee_frame shorter = {.struct_size = EE_FRAME_SIZE_1_1 - 1};
    double next;
    float samples[64];
    g_string_append_printf(
        seen, "misuse %d %d %d\n", reading->frame(input, NAN, &frame, &next, &error),
        reading->frame(input, 0, &shorter, &next, &error),
        reading->sound(input, -1, 1, samples, &error));
}

static void see_longer(GString *seen, const ee_video_reading *reading, const ee_input *input)
{
    ee_error error = {{0}};
    struct {
        ee_video video;
        char later[16];
    } longer = {.video = {.struct_size = sizeof longer}};
    ee_status status = reading->describe(input, &longer.video, &error);
    g_string_append_printf(
        seen, "longer %d\n", status == EE_OK && longer.video.struct_size == sizeof longer.video);
}

static void see_sound(
    GString *seen, const ee_video_reading *reading, const ee_input *input, const ee_video *video)
{
    ee_error error = {{0}};
    size_t channels = video->channel_count;
    size_t count =
        (size_t)(video->duration * (int64_t)video->sample_rate / video->timescale);
    float *samples = calloc(count * channels + 1, sizeof *samples);
    if (reading->sound(input, 0, count, samples, &error) == EE_OK) {
        g_string_append(seen, "sound ");
        see_samples(seen, samples, count * channels);
    }
    if (count > 1000 && reading->sound(input, (int64_t)count / 2, 500, samples, &error) == EE_OK) {
        g_string_append_printf(seen, "part %zu ", count / 2);
        see_samples(seen, samples, 500 * channels);
    }
    free(samples);
}

static void see_video(GString *seen, const ee_input *input)
{
    const ee_video_reading *reading = the_host->get_capability(the_host, EE_CAPABILITY_VIDEO);
    if (!reading || reading->struct_size < EE_VIDEO_READING_SIZE_1_1)
        return;
    ee_error error = {{0}};
    ee_video video = {.struct_size = sizeof video};
    ee_status status = reading->describe(input, &video, &error);
    g_string_append_printf(seen, "describe %d\n", status);
    if (status != EE_OK)
        return;
    double unit = 1.0 / (double)video.timescale;
    g_string_append_printf(
        seen, "video %u %u %u %u %.6f %.6f\n", video.width, video.height, video.sample_rate,
        video.channel_count, (double)video.duration * unit,
        video.still_time < 0 ? -1 : (double)video.still_time * unit);
    double time = 0;
    for (int count = 0; count < 1000 && !isnan(time); count++)
        time = see_frame(seen, "frame", reading, input, time);
    const double others[] = {1e9, 0.5, -3, 0.1};
    for (int index = 0; index < 4; index++)
        see_frame(seen, "random", reading, input, others[index]);
    see_misuse(seen, reading, input);
    see_longer(seen, reading, input);
    if (video.channel_count > 0)
        see_sound(seen, reading, input, &video);
}

static ee_status read_until_failure(const ee_input *input, ee_error *error)
{
    const ee_video_reading *reading = the_host->get_capability(the_host, EE_CAPABILITY_VIDEO);
    ee_status status = EE_OK;
    for (int count = 0; status == EE_OK; count++) {
        ee_frame frame = {.struct_size = sizeof frame};
        double next;
        status = reading->frame(input, count % 2, &frame, &next, error);
        if (status == EE_OK)
            g_object_unref(frame.image);
        if (count == 0)
            the_host->log(the_host, "reads");
    }
    the_host->log(the_host, error->message);
    return status;
}

/* The socket to the host is descriptor 3. */
static void send_overlapping_demands(void)
{
    static const char demand[] = "{\"videoNeeded\":{\"_0\":{\"open\":{}}}}";
    unsigned char packet[16 + sizeof demand - 1] = {'E', 'H', 'R', '1'};
    packet[8] = sizeof demand - 1;
    memcpy(packet + 16, demand, sizeof demand - 1);
    for (int count = 0; count < 64; count++) {
        ssize_t sent = send(3, packet, sizeof packet, MSG_NOSIGNAL);
        (void)sent;
    }
    for (;;)
        pause();
}

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
    (void)host, (void)error;
    *controller = calloc(1, sizeof **controller);
    (*controller)->seen = g_string_new("viewer\n");
    return EE_OK;
}

static void destroy(ee_controller *controller)
{
    g_string_free(controller->seen, TRUE);
    free(controller);
}

static ee_status can_handle(
    ee_controller *controller, const ee_adjustment *adjustment, bool *answer, ee_error *error)
{
    (void)controller, (void)error;
    *answer = strcmp(adjustment->format_identifier, "org.example.viewer") == 0;
    return EE_OK;
}

static ee_status start(
    ee_controller *controller, const ee_input *input, VipsImage *placeholder, ee_error *error)
{
    (void)placeholder;
    controller->input = input;
    if (input->adjustment)
        g_string_append(controller->seen, "continued\n");
    if (OVERLAPS)
        send_overlapping_demands();
    if (REPEATS)
        return read_until_failure(input, error);
    see_video(controller->seen, input);
    return EE_OK;
}

static ee_status get_parameters(ee_controller *controller, const char **json, ee_error *error)
{
    (void)controller, (void)error;
    *json = "{}";
    return EE_OK;
}

static ee_status set_parameters(
    ee_controller *controller, const char *json, size_t size, ee_error *error)
{
    (void)controller, (void)json, (void)size, (void)error;
    return EE_OK;
}

static ee_status render_preview(
    ee_controller *controller, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    (void)controller;
    return preview->image(preview, EE_ACCESS_SEQUENTIAL, image, error);
}

static ee_status process_frame(
    ee_controller *controller, const ee_frame *frame, VipsImage **image, ee_error *error)
{
    if (!strstr(controller->seen->str, "describe 4\n")) {
        strcpy(error->message, "a controller that renders can read the video");
        return EE_FAILED;
    }
    *image = g_object_ref(frame->image);
    return EE_OK;
}

static ee_status finish(
    ee_controller *controller, const ee_completion *completion, ee_error *error)
{
    const ee_input *input = controller->input;
    ee_output output = {.struct_size = sizeof output};
    output.adjustment = (ee_adjustment){
        "org.example.viewer", "1", controller->seen->str, controller->seen->len};
    if (input->media_type == 1) {
        ee_status status =
            input->full_size_image(input, EE_ACCESS_SEQUENTIAL, &output.image, error);
        if (status != EE_OK)
            return status;
    }
    completion->complete(completion, EE_OK, &output, NULL);
    g_clear_object(&output.image);
    return EE_OK;
}

static void cancel(ee_controller *controller) { (void)controller; }

static bool should_show_cancel_confirmation(ee_controller *controller)
{
    (void)controller;
    return false;
}

static const ee_frame_processor frames = {sizeof frames, process_frame};

#define IDENTIFIER "org.example.viewer"
#define ENTER(host) (the_host = host)
#define EXTRA_CAPABILITY(id) (strcmp(id, EE_CAPABILITY_FRAME_PROCESSOR) == 0 ? &frames : NULL)
#include "frame.h"
