/* SPDX-License-Identifier: Apache-2.0
 *
 * An extension for tests. It inverts colours, logs the calls that it receives, and misbehaves according to
 * the macro MODE.
 */
#include "editing_extension.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>

#ifndef MODE
#define MODE "plain"
#endif
#ifndef IDENTIFIER
#define IDENTIFIER "org.example.recorder"
#endif
#ifndef RECIPE_SIZE
#define RECIPE_SIZE 6
#endif
#ifndef PROFILE
#define PROFILE NULL
#endif

struct ee_controller {
    const ee_input *input;
    const ee_completion *completion;
    VipsImage *kept;
    int amount;
    volatile int cancelled;
    char parameters[64];
};

static const ee_host *the_host;

static int mode(const char *name)
{
    return strcmp(MODE, name) == 0;
}

static void say(const char *line)
{
    the_host->log(the_host, line);
}

static ee_status failed(ee_error *error, const char *message)
{
    snprintf(error->message, sizeof error->message, "%s", message);
    return EE_FAILED;
}

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
    (void)host;
    (void)error;
    say("create");
    *controller = calloc(1, sizeof **controller);
    (*controller)->amount = 7;
    return EE_OK;
}

static void destroy(ee_controller *controller)
{
    say("destroy");
    g_clear_object(&controller->kept);
    free(controller);
}

static ee_status can_handle(
    ee_controller *controller, const ee_adjustment *adjustment, bool *answer, ee_error *error)
{
    (void)controller;
    say("can_handle");
    if (mode("can_handle_fails"))
        return failed(error, "no idea");
    *answer = strcmp(adjustment->format_identifier, IDENTIFIER) == 0 &&
        strcmp(adjustment->format_version, "1.0") == 0;
    return EE_OK;
}

static ee_status start(
    ee_controller *controller, const ee_input *input, VipsImage *placeholder, ee_error *error)
{
    (void)error;
    double pixel = 0;
    if (!mode("batch"))
        vips_avg(placeholder, &pixel, NULL);
    char line[256];
    snprintf(
        line, sizeof line, "start type=%d content=%s date=%s place=%.2f,%.2f full=%ux%u o=%d "
        "scale=%.4f,%.4f recipe=%.*s default=%s placeholder=%dx%d,%.0f size=%zu",
        input->media_type, input->content_type, input->creation_date ? input->creation_date : "-",
        input->has_location ? input->latitude : 0, input->has_location ? input->longitude : 0,
        input->full_width, input->full_height, input->full_size_orientation, input->full_scale,
        input->display_scale, input->adjustment ? (int)input->adjustment->size : 1,
        input->adjustment ? (const char *)input->adjustment->data : "-",
        input->default_rendered_content_type, vips_image_get_width(placeholder),
        vips_image_get_height(placeholder), pixel,
        input->adjustment ? input->adjustment->size : 0);
    say(line);
    controller->input = input;
    return EE_OK;
}

static ee_status get_parameters(ee_controller *controller, const char **json, ee_error *error)
{
    (void)error;
    snprintf(
        controller->parameters, sizeof controller->parameters, "{\"amount\": %d}",
        controller->amount);
    *json = mode("no_parameters") ? NULL : controller->parameters;
    return EE_OK;
}

static ee_status set_parameters(
    ee_controller *controller, const char *json, size_t size, ee_error *error)
{
    int amount;
    if (size == 0 || sscanf(json, "{\"amount\":%d}", &amount) != 1) {
        snprintf(error->message, sizeof error->message, "amount is missing");
        return EE_BAD_PARAMETER;
    }
    controller->amount = amount;
    return EE_OK;
}

static ee_status render_preview(
    ee_controller *controller, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    say("render_preview");
    VipsImage *display;
    if (controller->input->display_image(controller->input, &display, error))
        return EE_FAILED;
    int status = vips_invert(display, image, NULL);
    g_object_unref(display);
    return status ? failed(error, vips_error_buffer()) : EE_OK;
}

/* Returns "recipe", padded with line feeds to RECIPE_SIZE. */
static const char *recipe(void)
{
    char *text = malloc(RECIPE_SIZE > 6 ? RECIPE_SIZE : 6);
    memset(text, '\n', RECIPE_SIZE > 6 ? RECIPE_SIZE : 6);
    memcpy(text, "recipe", 6);
    return text;
}

/* Copies a region in 20 ms. The first call is logged. */
static int generate_slowly(
    VipsRegion *out, void *sequence, void *image, void *said, gboolean *stop)
{
    VipsRegion *in = sequence;
    (void)image;
    (void)stop;
    if (g_atomic_int_compare_and_exchange((gint *)said, 0, 1))
        say("computes pixels");
    usleep(20000);
    if (vips_region_prepare(in, &out->valid))
        return -1;
    vips_region_copy(in, out, &out->valid, out->valid.left, out->valid.top);
    return 0;
}

static int slow(VipsImage *in, VipsImage **out)
{
    static gint said;
    *out = vips_image_new();
    g_object_ref(in);
    vips_object_local(*out, in);
    return vips_image_pipelinev(*out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL) ||
        vips_image_generate(
            *out, vips_start_one, generate_slowly, vips_stop_one, in, &said);
}

/* Transforms the full-size image according to the mode. */
static int transform(VipsImage *in, VipsImage **out)
{
    double factor[] = {0.5}, offset[] = {0.25};
    if (mode("random"))
        return vips_rot(in, out, VIPS_ANGLE_D90, NULL);
    if (mode("float"))
        return vips_linear(in, out, factor, offset, 1, NULL);
    if (mode("gray"))
        return vips_extract_band(in, out, 1, NULL);
    if (mode("five_bands")) {
        VipsImage *bands[] = {in, in};
        return vips_bandjoin(bands, out, 2, NULL);
    }
    if (mode("slow"))
        return slow(in, out);
    return vips_invert(in, out, NULL);
}

static ee_status give(ee_controller *controller, const ee_completion *completion, VipsImage *image)
{
    ee_output output = {
        .struct_size = sizeof output,
        .adjustment = {IDENTIFIER, "1.0", recipe(), mode("no_recipe") ? 0 : RECIPE_SIZE},
        .image = image,
        .profile = mode("p3") ? "display-p3" : mode("bad_profile") ? "wide" : PROFILE,
    };
    (void)controller;
    completion->complete(completion, EE_OK, &output, NULL);
    if (mode("twice"))
        completion->complete(completion, EE_OK, &output, NULL);
    return EE_OK;
}

static ee_status give_file(
    ee_controller *controller, const ee_completion *completion, ee_error *error)
{
    const ee_input *input = controller->input;
    const char *path, *tiff, *again;
    VipsImage *in = NULL, *out = NULL;
    if (input->full_size_path(input, &tiff, error) ||
        input->full_size_path(input, &again, error) || strcmp(tiff, again) != 0 ||
        input->rendered_content_path(input, "image/png", &path, error))
        return EE_FAILED;
    if (input->rendered_content_path(input, "image/svg+xml", &(const char *){0}, error) ==
        EE_UNSUPPORTED)
        say("svg refused");
    in = vips_image_new_from_file(tiff, NULL);
    if (!in || vips_invert(in, &out, NULL) || vips_image_write_to_file(out, path, NULL))
        return failed(error, vips_error_buffer());
    g_object_unref(in);
    g_object_unref(out);
    ee_output output = {
        .struct_size = sizeof output,
        .adjustment = {IDENTIFIER, "1.0", "recipe", 6},
        .rendered_content_type = mode("wrong_type") ? "image/jpeg" : "image/png",
    };
    completion->complete(completion, EE_OK, &output, NULL);
    return EE_OK;
}

static void *ask_for_input(void *argument)
{
    ee_controller *controller = argument;
    ee_error error = {0};
    VipsImage *image = NULL;
    if (controller->input->full_size_image(
            controller->input, EE_ACCESS_SEQUENTIAL, &image, &error))
        say(error.message);
    return image;
}

/* Requests the input on two concurrent threads, waits for them, and requests it on this thread. */
static VipsImage *ask_on_threads(ee_controller *controller)
{
    pthread_t threads[2];
    void *images[2] = {NULL, NULL};
    for (int index = 0; index < 2; index++)
        pthread_create(&threads[index], NULL, ask_for_input, controller);
    for (int index = 0; index < 2; index++)
        pthread_join(threads[index], &images[index]);
    VipsImage *own = ask_for_input(controller);
    double first = -1, second = -2, third = -3;
    if (images[0] && images[1] && own && !vips_avg(images[0], &first, NULL) &&
        !vips_avg(images[1], &second, NULL) && !vips_avg(own, &third, NULL))
        say(first == second && first == third ? "three equal inputs" : "inputs differ");
    g_clear_object((VipsImage **)&images[1]);
    g_clear_object(&own);
    return images[0];
}

static void *complete_later(void *argument)
{
    ee_controller *controller = argument;
    const ee_completion *completion = controller->completion;
    VipsImage *kept = controller->kept;
    if (mode("after_cancel")) {
        say("waits for cancel");
        while (!controller->cancelled)
            usleep(1000);
    }
    give(controller, completion, kept);
    return NULL;
}

static ee_status finish(
    ee_controller *controller, const ee_completion *completion, ee_error *error)
{
    say("finish");
    if (mode("crash"))
        abort();
    if (mode("discard") || mode("no_output")) {
        completion->complete(completion, mode("discard") ? EE_DISCARDED : EE_OK, NULL, NULL);
        return EE_OK;
    }
    if (mode("empty_output")) {
        ee_output empty = {.struct_size = sizeof empty};
        completion->complete(completion, EE_OK, &empty, NULL);
        return EE_OK;
    }
    if (mode("fails"))
        return failed(error, "cannot \xff be done");
    if (mode("silent"))
        return EE_OK;
    if (mode("file") || mode("wrong_type"))
        return give_file(controller, completion, error);
    const ee_input *input = controller->input;
    VipsImage *in;
    ee_access access = mode("random") ? EE_ACCESS_RANDOM : EE_ACCESS_SEQUENTIAL;
    if (mode("asks_on_threads"))
        in = ask_on_threads(controller);
    else if (input->full_size_image(input, access, &in, error))
        return EE_FAILED;
    int status = transform(in, &controller->kept);
    g_object_unref(in);
    if (status)
        return failed(error, vips_error_buffer());
    if (mode("thread") || mode("after_cancel")) {
        controller->completion = completion;
        pthread_t thread;
        pthread_create(&thread, NULL, complete_later, controller);
        pthread_detach(thread);
        return EE_OK;
    }
    return give(controller, completion, controller->kept);
}

static void cancel(ee_controller *controller)
{
    say("cancel");
    controller->cancelled = 1;
    /* Leaves time for the forbidden completion before the controller is destroyed. */
    if (mode("after_cancel"))
        usleep(50000);
}

static bool should_show_cancel_confirmation(ee_controller *controller)
{
    (void)controller;
    return true;
}

#define ENTER(host) (the_host = (host))
#include "frame.h"
