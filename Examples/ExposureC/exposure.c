/* SPDX-License-Identifier: Apache-2.0
 *
 * A complete editing extension in C that uses only the header: it changes the exposure of a photo in
 * linear light. It needs no header of libvips and is linked with no library. Build it with `make`.
 */
#include <editing_extension.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ID "com.example.exposure"

/* Functions of the host. */
static const ee_parameters *parameters;
static const ee_pixels *pixels;

/* One edit. */
struct ee_controller {
    const ee_input *input;
    char values[64]; /* the parameters as a JSON object, which is also the recipe */
};

/* The state of an image that is being computed: its input, and the parameters. */
typedef struct exposed {
    VipsImage *source;
    ee_pixel_layout layout;
    float factor;
} exposed;

/* Computes a rectangle of the output. It is called on several threads. */
static ee_status fill(
    void *data, uint32_t left, uint32_t top, uint32_t width, uint32_t height, void *rows,
    size_t row_bytes, ee_error *error)
{
    const exposed *self = data;
    uint32_t bands = self->layout.bands;
    ee_status status = pixels->read(
        self->source, left, top, width, height, &self->layout, rows, row_bytes, error);
    for (uint32_t y = 0; y < height && !status; y++) {
        float *row = (float *)((char *)rows + y * row_bytes);
        for (uint32_t x = 0; x < width; x++)
            for (int band = 0; band < 3; band++) /* the fourth band, alpha, does not change */
                row[bands * x + band] *= self->factor;
    }
    return status;
}

static void release(void *data)
{
    exposed *self = data;
    pixels->release(self->source);
    free(self);
}

/* The whole filter. It only prepares the output, whose pixels are computed later. It consumes the reference to the
 * image, and returns a new one. */
static ee_status expose(
    ee_controller *self, VipsImage *image, VipsImage **result, ee_error *error)
{
    ee_image_facts facts = {.struct_size = sizeof facts};
    double stops = 0;
    parameters->number(self->values, strlen(self->values), "stops", &stops);
    ee_status status = pixels->describe(image, &facts, error);
    exposed *made = status ? NULL : malloc(sizeof *made);
    if (!made) {
        pixels->release(image);
        return status ? status : EE_FAILED;
    }
    /* The pixels are floating-point numbers in linear light. */
    ee_pixel_layout layout = {sizeof layout, EE_SAMPLES_FLOAT, EE_LINEAR, facts.bands};
    *made = (exposed){image, layout, (float)exp2(stops)};
    ee_image_source source = {
        sizeof source, facts.width, facts.height, &layout, made, fill, release};
    status = pixels->create(image, &source, result, error);
    if (status)
        release(made);
    return status;
}

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
    (void)host, (void)error;
    *controller = calloc(1, sizeof **controller);
    if (!*controller)
        return EE_FAILED;
    strcpy((*controller)->values, "{\"stops\":0}");
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

static ee_status render_preview(
    ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    VipsImage *input;
    ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, &input, error);
    return status ? status : expose(self, input, image, error);
}

static ee_status finish(ee_controller *self, const ee_completion *completion, ee_error *error)
{
    const ee_input *input = self->input;
    ee_output output = {
        sizeof output, .adjustment = {ID, "1.0", self->values, strlen(self->values)}};
    VipsImage *full;
    ee_status status = input->full_size_image(input, EE_ACCESS_SEQUENTIAL, &full, error);
    if (status || (status = expose(self, full, &output.image, error)))
        return status;
    completion->complete(completion, EE_OK, &output, NULL);
    pixels->release(output.image); /* the host holds its own reference */
    return EE_OK;
}

/* No work continues between calls, so there is nothing to cancel. */
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

/* The only symbol that the library exports. */
const ee_entry *editing_extension_entry(const ee_host *host)
{
    parameters = host->get_capability(host, EE_CAPABILITY_PARAMETERS);
    pixels = host->get_capability(host, EE_CAPABILITY_PIXELS);
    return parameters && pixels ? &entry : NULL;
}
