/* SPDX-License-Identifier: Apache-2.0
 * A complete editing extension in C with three parameters that colours a photo. Build it with
 * `make`. The host parses and changes the parameter values. */
#include <editing_extension.h>
#include <vips/vips.h>
#define ID "com.example.tint"

static const ee_parameters *parameters; /* the host's functions to read and change values */
struct ee_controller {                  /* one edit */
    const ee_input *input;
    char values[256]; /* the parameter values as a JSON object, which is also the recipe */
};

/* The whole filter. It only builds the pipeline. It consumes the reference to the image, and returns a new one. */
static ee_status tint(ee_controller *self, VipsImage *image, VipsImage **result, ee_error *error)
{
    double strength = 0, color[4] = {0}, factor[4] = {1, 1, 1, 1}, offset[4] = {0};
    double largest = vips_image_get_format(image) == VIPS_FORMAT_UCHAR ? 255 : 65535;
    bool negative = false;
    parameters->number(self->values, strlen(self->values), "strength", &strength);
    parameters->color(self->values, strlen(self->values), "color", color);
    parameters->boolean(self->values, strlen(self->values), "negative", &negative);
    strength = VIPS_CLIP(0, strength, 1);  /* a recipe may hold any value */
    for (int band = 0; band < 3; band++) { /* the fourth band, alpha, does not change */
        factor[band] = (1 - strength) * (negative ? -1 : 1);
        offset[band] = largest * (strength * color[band] + (negative ? 1 - strength : 0));
    }
    int status = vips_linear(image, result, factor, offset, vips_image_get_bands(image), NULL);
    g_object_unref(image);
    if (status) g_strlcpy(error->message, vips_error_buffer(), sizeof error->message);
    return status ? EE_FAILED : EE_OK;
}
static ee_status create(const ee_host *host, ee_controller **self, ee_error *error)
{
    static const char defaults[] = "{\"color\":\"#704214ff\",\"negative\":false,\"strength\":0.5}";
    g_strlcpy((*self = g_new0(ee_controller, 1))->values, defaults, sizeof(*self)->values);
    return EE_OK;
}
static void destroy(ee_controller *self) { g_free(self); }
static ee_status can_handle(
    ee_controller *self, const ee_adjustment *recipe, bool *answer, ee_error *error)
{
    *answer = g_str_equal(recipe->format_identifier, ID);
    return EE_OK;
}
static ee_status set_parameters(ee_controller *self, const char *json, size_t size, ee_error *error)
{
    return parameters->merge(self->values, sizeof self->values, json, size, error);
}
static ee_status start(ee_controller *self, const ee_input *input, VipsImage *now, ee_error *error)
{
    const ee_adjustment *recipe = input->adjustment;
    self->input = input;
    bool fails = recipe && set_parameters(self, recipe->data, recipe->size, error);
    return fails ? EE_BAD_ADJUSTMENT : EE_OK;
}
static ee_status get_parameters(ee_controller *self, const char **json, ee_error *error)
{ return *json = self->values, EE_OK; }
static ee_status render_preview(
    ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    VipsImage *input;
    ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, &input, error);
    return status ? status : tint(self, input, image, error);
}
static ee_status finish(ee_controller *self, const ee_completion *completion, ee_error *error)
{
    ee_output made = {sizeof made, .adjustment = {ID, "1.0", self->values, strlen(self->values)}};
    const ee_input *input = self->input;
    VipsImage *full;
    ee_status status = input->full_size_image(input, EE_ACCESS_SEQUENTIAL, &full, error);
    if (status || (status = tint(self, full, &made.image, error))) return status;
    completion->complete(completion, EE_OK, &made, NULL);
    g_object_unref(made.image); /* the host holds its own reference */
    return EE_OK;
}
static void cancel(ee_controller *self) {} /* no work continues between calls, so there is nothing to cancel */
static bool asks(ee_controller *self) { return false; }
static const ee_photo_editing calls = {sizeof calls, create, destroy, can_handle, start,
    get_parameters, set_parameters, render_preview, finish, cancel, asks};
static const void *get(const char *id)
{ return strcmp(id, EE_CAPABILITY_PHOTO_EDITING) ? NULL : &calls; }
static const ee_entry tint_entry = {sizeof tint_entry, EE_ABI_MAJOR, EE_ABI_MINOR, ID, "1.0", get};
const ee_entry *editing_extension_entry(const ee_host *host) /* the only exported symbol */
{
    parameters = host->get_capability(host, EE_CAPABILITY_PARAMETERS);
    return parameters ? &tint_entry : NULL;
}
