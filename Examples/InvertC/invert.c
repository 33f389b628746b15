/* SPDX-License-Identifier: Apache-2.0
 *
 * A complete editing extension in C: the negative of a photo. Build it with `make`.
 */
#include <editing_extension.h>
#include <stdio.h>
#include <stdlib.h>
#include <vips/vips.h>

/* One edit. A filter with parameters would keep their values here. */
struct ee_controller {
    const ee_input *input; /* owned by the host, valid until destroy */
};

/* This filter has no parameters, but a recipe must not be empty: it is an empty object. */
static const ee_adjustment recipe = {"com.example.invert", "1.0", "{}", 2};

static ee_status fail(ee_error *error)
{
    snprintf(error->message, sizeof error->message, "%s", vips_error_buffer());
    vips_error_clear();
    return EE_FAILED;
}

/* The whole filter: largest value minus value; the fourth band, alpha, does not change. It only
 * builds the pipeline. Consumes the input's reference and returns a new one. */
static ee_status invert(VipsImage *image, VipsImage **result, ee_error *error)
{
    double largest = vips_image_get_format(image) == VIPS_FORMAT_UCHAR ? 255 : 65535;
    double factor[] = {-1, -1, -1, 1}, offset[] = {largest, largest, largest, 0};
    int status = vips_linear(image, result, factor, offset, vips_image_get_bands(image), NULL);
    g_object_unref(image);
    return status ? fail(error) : EE_OK;
}

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
    (void)host, (void)error;
    *controller = g_new0(ee_controller, 1);
    return EE_OK;
}

static void destroy(ee_controller *controller)
{
    g_free(controller);
}

static ee_status can_handle(
    ee_controller *controller, const ee_adjustment *adjustment, bool *answer, ee_error *error)
{
    (void)controller, (void)error;
    *answer = g_str_equal(adjustment->format_identifier, recipe.format_identifier) &&
              g_str_equal(adjustment->format_version, recipe.format_version);
    return EE_OK;
}

static ee_status start(
    ee_controller *controller, const ee_input *input, VipsImage *placeholder, ee_error *error)
{
    (void)placeholder, (void)error;
    controller->input = input;
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
    VipsImage *input;
    ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, &input, error);
    return status ? status : invert(input, image, error);
}

static ee_status finish(
    ee_controller *controller, const ee_completion *completion, ee_error *error)
{
    const ee_input *input = controller->input;
    ee_output output = {.struct_size = sizeof output, .adjustment = recipe};
    VipsImage *full;
    ee_status status = input->full_size_image(input, EE_ACCESS_SEQUENTIAL, &full, error);
    if (status || (status = invert(full, &output.image, error)))
        return status;
    completion->complete(completion, EE_OK, &output, NULL);
    g_object_unref(output.image); /* the host holds its own reference */
    return EE_OK;
}

/* No work is in flight between calls. */
static void cancel(ee_controller *controller)
{
    (void)controller;
}

static bool should_show_cancel_confirmation(ee_controller *controller)
{
    (void)controller;
    return false;
}

static const ee_photo_editing photo_editing = {
    sizeof photo_editing, create, destroy, can_handle, start, get_parameters, set_parameters,
    render_preview, finish, cancel, should_show_cancel_confirmation};

static const void *get_capability(const char *id)
{
    return g_str_equal(id, EE_CAPABILITY_PHOTO_EDITING) ? &photo_editing : NULL;
}

static const ee_entry entry = {
    sizeof entry, EE_ABI_MAJOR, EE_ABI_MINOR, "com.example.invert", "1.0", get_capability};

/* The only symbol that the library exports. */
const ee_entry *editing_extension_entry(const ee_host *host)
{
    return host->abi_major == EE_ABI_MAJOR ? &entry : NULL;
}
