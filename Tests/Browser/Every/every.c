/* SPDX-License-Identifier: Apache-2.0
 *
 * An extension with a parameter of each type, for the tests of the form. It applies its tone curve, and changes nothing
 * else. It crashes if its caption is "crash".
 */
#include <editing_extension.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

#define ID "com.example.every"

static const ee_parameters *parameters;
static const ee_pixels *pixels;

struct ee_controller {
    const ee_input *input;
    char values[16384]; /* the parameters as a JSON object, which is also the recipe */
};

/* The defaults of the manifest: only values that are present are changed. */
static const char defaults[] =
    "{\"amount\":0.5,\"radius\":3.5,\"count\":4,\"angle\":0,\"grain\":false,\"caption\":\"\",\"mode\":\"soft\","
    "\"blend\":\"b\",\"table\":\"\",\"tint\":\"#cc8844ff\",\"center\":{\"x\":0.5,\"y\":0.5},"
    "\"stars\":[[0.25,0.25],[0.75,0.5]],\"area\":{\"x\":0.25,\"y\":0.25,\"width\":0.5,\"height\":0.5},"
    "\"tone\":[[0,0],[1,1]]}";

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
    (void)host, (void)error;
    *controller = calloc(1, sizeof **controller);
    if (!*controller)
        return EE_FAILED;
    strcpy((*controller)->values, defaults);
    return EE_OK;
}

static void destroy(ee_controller *self)
{
    free(self);
}

static ee_status can_handle(
    ee_controller *self, const ee_adjustment *recipe, bool *answer, ee_error *error)
{
    (void)self, (void)error;
    *answer = strcmp(recipe->format_identifier, ID) == 0;
    return EE_OK;
}

static ee_status set_parameters(
    ee_controller *self, const char *json, size_t size, ee_error *error)
{
    return parameters->merge(self->values, sizeof self->values, json, size, error);
}

static ee_status start(
    ee_controller *self, const ee_input *input, VipsImage *placeholder, ee_error *error)
{
    const ee_adjustment *recipe = input->adjustment;
    (void)placeholder;
    self->input = input;
    bool fails = recipe && set_parameters(self, recipe->data, recipe->size, error);
    return fails ? EE_BAD_ADJUSTMENT : EE_OK;
}

static ee_status get_parameters(ee_controller *self, const char **json, ee_error *error)
{
    (void)error;
    *json = self->values;
    return EE_OK;
}

/* Applies the curve to red, green and blue, and releases the image. */
static ee_status tone(
    const ee_controller *self, VipsImage *image, VipsImage **result, ee_error *error)
{
    int bands = vips_image_get_bands(image);
    double curve[256];
    unsigned char table[256 * 4];
    if (!parameters->curve(self->values, strlen(self->values), "tone", curve, 256))
        return EE_BAD_PARAMETER;
    for (int level = 0; level < 256; level++)
        for (int band = 0; band < bands; band++)
            table[level * bands + band] = band < 3 ? lround(curve[level] * 255) : level;
    VipsImage *map = vips_image_new_from_memory_copy(
        table, 256 * bands, 256, 1, bands, VIPS_FORMAT_UCHAR);
    int status = vips_maplut(image, result, map, NULL);
    g_object_unref(map);
    g_object_unref(image);
    if (status)
        g_strlcpy(error->message, vips_error_buffer(), sizeof error->message);
    return status ? EE_FAILED : EE_OK;
}

static ee_status render_preview(
    ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    if (strstr(self->values, "\"crash\""))
        abort();
    VipsImage *input;
    ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, &input, error);
    return status ? status : tone(self, input, image, error);
}

static ee_status finish(ee_controller *self, const ee_completion *completion, ee_error *error)
{
    const ee_input *input = self->input;
    ee_output output = {
        sizeof output, .adjustment = {ID, "1.0", self->values, strlen(self->values)}};
    VipsImage *image;
    ee_status status = input->full_size_image(input, EE_ACCESS_SEQUENTIAL, &image, error);
    status = status ? status : tone(self, image, &output.image, error);
    if (status)
        return status;
    completion->complete(completion, EE_OK, &output, NULL);
    pixels->release(output.image); /* the host holds its own reference */
    return EE_OK;
}

static void cancel(ee_controller *self)
{
    (void)self;
}

static bool should_show_cancel_confirmation(ee_controller *self)
{
    (void)self;
    return false;
}

static const ee_photo_editing photo_editing = {
    sizeof photo_editing, create, destroy, can_handle, start, get_parameters, set_parameters,
    render_preview, finish, cancel, should_show_cancel_confirmation};

static const void *get_capability(const char *id)
{
    return strcmp(id, EE_CAPABILITY_PHOTO_EDITING) ? NULL : &photo_editing;
}

static const ee_entry entry = {
    sizeof entry, EE_ABI_MAJOR, EE_ABI_MINOR, ID, "1.0", get_capability};

const ee_entry *editing_extension_entry(const ee_host *host)
{
    parameters = host->get_capability(host, EE_CAPABILITY_PARAMETERS);
    pixels = host->get_capability(host, EE_CAPABILITY_PIXELS);
    return parameters && pixels ? &entry : NULL;
}
