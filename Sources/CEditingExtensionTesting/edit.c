/* SPDX-License-Identifier: Apache-2.0 */
#include "edit.h"
#include "json.h"
#include <poll.h>
#include <string.h>

/* Sets the message of a failed call of the extension. Returns false. */
static bool fail_call(const char *call, ee_status status, const ee_error *error)
{
    if (error->message[0])
        return ee_testing_fail("%s: %.1023s", call, error->message);
    return ee_testing_fail("%s returned the status %d without a message", call, status);
}

/* Runs the pending events of the extension, as edithost does before each call. */
static void run_events(const ee_test_extension *extension)
{
    if (!extension->events)
        return;
    struct pollfd file = {extension->events->descriptor(), POLLIN, 0};
    if (poll(&file, 1, 0) > 0 && file.revents & POLLIN)
        extension->events->dispatch();
}

/* MARK: Start */

static ee_controller *create(ee_test_extension *extension)
{
    ee_error error = {{0}};
    ee_controller *made = NULL;
    run_events(extension);
    ee_status status = extension->calls->create(&extension->host, &made, &error);
    if (status != EE_OK) {
        fail_call("create", status, &error);
        return NULL;
    }
    if (!made)
        ee_testing_fail("create returned no controller");
    return made;
}

static bool can_handle(
    ee_test_extension *extension, ee_controller *controller, const ee_adjustment *recipe)
{
    ee_error error = {{0}};
    bool answer = false;
    ee_status status = extension->calls->can_handle(controller, recipe, &answer, &error);
    if (status != EE_OK)
        return fail_call("can_handle", status, &error);
    return answer || ee_testing_fail(
                         "can_handle returned false for %s %s", recipe->format_identifier,
                         recipe->format_version);
}

bool ee_test_can_handle(ee_test_extension *extension, const ee_adjustment *recipe)
{
    ee_controller *controller = create(extension);
    if (!controller)
        return false;
    bool can = can_handle(extension, controller, recipe);
    extension->calls->destroy(controller);
    return can;
}

static bool start(ee_test_edit *edit)
{
    ee_error error = {{0}};
    VipsImage *placeholder = ee_testing_display(edit);
    if (!placeholder)
        return ee_testing_fail("the input is not a picture");
    ee_status status =
        edit->extension->calls->start(edit->controller, edit->input, placeholder, &error);
    g_object_unref(placeholder);
    return status == EE_OK || fail_call("start", status, &error);
}

static ee_test_edit *start_edit(
    ee_test_extension *extension, const ee_test_picture *input, const ee_adjustment *recipe,
    bool is_rendering)
{
    ee_controller *controller = create(extension);
    if (!controller)
        return NULL;
    ee_test_edit *edit = g_new0(ee_test_edit, 1);
    edit->extension = extension;
    edit->controller = controller;
    edit->picture = input;
    edit->is_rendering = is_rendering;
    ee_testing_open_input(edit, recipe);
    if ((!recipe || can_handle(extension, controller, recipe)) && start(edit))
        return edit;
    ee_test_end(edit);
    return NULL;
}

ee_test_edit *ee_test_start(
    ee_test_extension *extension, const ee_test_picture *input, const ee_adjustment *recipe)
{
    return start_edit(extension, input, recipe, false);
}

/* MARK: Parameters */

bool ee_test_set(ee_test_edit *edit, const char *json)
{
    ee_error error = {{0}};
    run_events(edit->extension);
    ee_status status = edit->extension->calls->set_parameters(
        edit->controller, json, strlen(json), &error);
    return status == EE_OK || fail_call("set_parameters", status, &error);
}

const char *ee_test_values(ee_test_edit *edit)
{
    ee_error error = {{0}};
    const char *json = NULL;
    run_events(edit->extension);
    ee_status status =
        edit->extension->calls->get_parameters(edit->controller, &json, &error);
    if (status != EE_OK) {
        fail_call("get_parameters", status, &error);
        return NULL;
    }
    GTree *values = json ? ee_testing_read_object(json, strlen(json)) : NULL;
    if (!values)
        ee_testing_fail("get_parameters returned no JSON object: %s", json ? json : "NULL");
    else
        g_tree_unref(values);
    return values ? json : NULL;
}

/* MARK: Previews */

typedef struct {
    ee_preview structure; /* its host_data is this structure */
    const ee_test_edit *edit;
    uint32_t longer_side;
} Preview;

static ee_status preview_image(
    const ee_preview *structure, ee_access access, VipsImage **image, ee_error *error)
{
    const Preview *preview = structure->host_data;
    VipsImage *made = ee_testing_image(preview->edit->picture);
    if (made)
        made = ee_testing_reduced(made, preview->longer_side);
    if (made && access == EE_ACCESS_SEQUENTIAL)
        made = ee_testing_sequential(made);
    if (!made) {
        if (error)
            g_strlcpy(error->message, vips_error_buffer(), sizeof error->message);
        return EE_FAILED;
    }
    *image = made;
    return EE_OK;
}

/* The profile makes no difference: nothing is converted between profiles. */
static ee_status set_preview_profile(const ee_preview *preview, const char *name, ee_error *error)
{
    (void)preview, (void)name, (void)error;
    return EE_OK;
}

ee_test_picture *ee_test_preview(ee_test_edit *edit, uint32_t longer_side)
{
    ee_error error = {{0}};
    VipsImage *image = NULL;
    Preview preview = {.edit = edit, .longer_side = longer_side};
    double actual = MAX(edit->picture->width, edit->picture->height);
    preview.structure = (ee_preview){
        .struct_size = sizeof preview.structure, .host_data = &preview,
        .scale = MIN(1, longer_side / actual), .width = 1, .height = 1, .image = preview_image,
        .set_profile = set_preview_profile};
    run_events(edit->extension);
    ee_status status = edit->extension->calls->render_preview(
        edit->controller, &preview.structure, &image, &error);
    if (status != EE_OK) {
        fail_call("render_preview", status, &error);
        return NULL;
    }
    /* The extension may have used the display image, which can be larger. */
    if (image)
        image = ee_testing_reduced(image, longer_side);
    if (image)
        return ee_testing_output(image, edit->picture->depth);
    ee_testing_fail("render_preview returned no image");
    return NULL;
}

/* MARK: Finish */

static bool check_recipe(const ee_adjustment *recipe)
{
    if (!recipe->format_identifier || !recipe->format_version || !recipe->format_identifier[0] ||
        !recipe->format_version[0])
        return ee_testing_fail("its recipe has no format identifier or version");
    if (strlen(recipe->format_identifier) > 255 || strlen(recipe->format_version) > 255)
        return ee_testing_fail("the format of its recipe is longer than 255 bytes");
    if (recipe->size == 0)
        return ee_testing_fail("its recipe is empty");
    if (recipe->size > 16 << 20)
        return ee_testing_fail("its recipe is larger than 16 MiB");
    return true;
}

/* Reads the picture that the extension passed to its completion. */
static ee_test_picture *read_output(ee_test_edit *edit, Completion *given)
{
    if (given->image)
        return ee_testing_output(g_steal_pointer(&given->image), edit->picture->depth);
    char *path = ee_testing_rendered_path(edit, given->content_type);
    if (!path) {
        ee_testing_fail("its output has neither an image nor a file");
        return NULL;
    }
    ee_test_picture *picture = ee_testing_read(path, edit->picture->depth);
    g_free(path);
    return picture;
}

static ee_test_picture *take_output(ee_test_edit *edit, Completion *given)
{
    if (given->status == EE_DISCARDED)
        ee_testing_fail("it discarded the edit");
    else if (given->status != EE_OK)
        fail_call("finish", given->status, &given->error);
    else if (!given->has_output)
        ee_testing_fail("it gave no output");
    else if (given->output_size < EE_OUTPUT_SIZE_1_0)
        ee_testing_fail("the struct_size of its ee_output is too small");
    else if (check_recipe(&given->recipe))
        return read_output(edit, given);
    return NULL;
}

ee_test_picture *ee_test_finish(ee_test_edit *edit)
{
    ee_error error = {{0}};
    if (edit->is_finishing) {
        ee_testing_fail("the edit has already been finished");
        return NULL;
    }
    edit->is_finishing = true;
    Completion *completion = ee_testing_completion_new();
    g_atomic_pointer_set(&edit->completion, completion);
    /* A later cancellation finds the completion. */
    if (g_atomic_int_get(&edit->is_cancelled)) {
        ee_testing_fail("the edit was cancelled");
        return NULL;
    }
    run_events(edit->extension);
    ee_status status =
        edit->extension->calls->finish(edit->controller, &completion->structure, &error);
    if (status != EE_OK) {
        fail_call("finish", status, &error);
        return NULL;
    }
    switch (ee_testing_completion_wait(completion, edit->extension->events)) {
    case COMPLETION_CALLED: return take_output(edit, completion);
    case COMPLETION_CANCELLED: ee_testing_fail("the edit was cancelled"); return NULL;
    default: ee_testing_fail("it has not called its completion for 60 seconds"); return NULL;
    }
}

const ee_adjustment *ee_test_recipe(const ee_test_edit *edit)
{
    if (edit->completion && edit->completion->recipe.data)
        return &edit->completion->recipe;
    ee_testing_fail("the edit has not been finished");
    return NULL;
}

/* MARK: The end */

void ee_test_cancel(ee_test_edit *edit)
{
    if (!g_atomic_int_compare_and_exchange(&edit->is_cancelled, 0, 1))
        return;
    Completion *completion = g_atomic_pointer_get(&edit->completion);
    if (completion)
        ee_testing_completion_cancel(completion);
    edit->extension->calls->cancel(edit->controller);
}

bool ee_test_end(ee_test_edit *edit)
{
    run_events(edit->extension);
    edit->extension->calls->destroy(edit->controller);
    const char *complaint =
        edit->completion ? ee_testing_completion_close(edit->completion) : NULL;
    ee_testing_close_input(edit);
    g_free(edit);
    return !complaint || ee_testing_fail("%s", complaint);
}

ee_test_picture *ee_test_render(
    ee_test_extension *extension, const ee_test_picture *input, const ee_adjustment *recipe)
{
    ee_test_edit *edit = start_edit(extension, input, recipe, true);
    if (!edit)
        return NULL;
    ee_test_picture *picture = ee_test_finish(edit);
    if (ee_test_end(edit))
        return picture;
    ee_test_picture_free(picture);
    return NULL;
}
