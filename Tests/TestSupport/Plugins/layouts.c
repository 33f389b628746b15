/* SPDX-License-Identifier: Apache-2.0
 *
 * An extension without libvips that logs the facts and some pixels of its input in each layout, the statuses of invalid
 * calls, and how often its data was freed. Its output has the pixels of its input, read and filled in one layout.
 *
 * Macros: SAMPLES, ENCODING: the layout of the output. BANDS: its bands, otherwise those of the input. UPWARDS: reads
 * the whole input from the bottom up, which sequential access does not allow. FAILS: its function to fill fails. SIZE:
 * the sides of its output, of which each pixel is the same. MEASURES: logs the size and a sum of the reduced input.
 * COLORS: logs colours in several spaces. PREVIEW_PROFILE: the name of the profile of its previews.
 */
#include <editing_extension.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDENTIFIER "org.example.layouts"

#ifndef SAMPLES
#define SAMPLES EE_SAMPLES_UINT8
#endif
#ifndef ENCODING
#define ENCODING EE_ENCODED
#endif

struct ee_controller {
    const ee_input *input;
};

typedef struct filling {
    VipsImage *source;
    ee_pixel_layout layout;
} filling;

static const ee_host *host;
static const ee_pixels *pixels;

static void say(const char *line)
{
    host->log(host, line);
}

static double level(const ee_pixel_layout *layout, const void *samples, size_t index)
{
    switch (layout->samples) {
    case EE_SAMPLES_UINT8: return ((const uint8_t *)samples)[index];
    case EE_SAMPLES_UINT16: return ((const uint16_t *)samples)[index];
    default: return ((const float *)samples)[index];
    }
}

/* Logs two pixels in each layout. */
static void read_all(VipsImage *image)
{
    for (int samples = 0; samples < 3; samples++)
        for (int encoding = 0; encoding < 2; encoding++)
            for (uint32_t bands = 3; bands < 5; bands++) {
                ee_pixel_layout layout = {sizeof layout, samples, encoding, bands};
                ee_error error = {{0}};
                /* Rows are longer than their pixels. */
                float memory[2][6] = {{0}};
                char line[512];
                ee_status status = pixels->read(
                    image, 1, 2, 1, 2, &layout, memory, sizeof memory[0], &error);
                int length = snprintf(
                    line, sizeof line, "read %d %d %u: %d", samples, encoding, bands, status);
                for (int row = 0; row < 2; row++)
                    for (uint32_t band = 0; band < bands; band++)
                        length += snprintf(
                            line + length, sizeof line - (size_t)length, " %.9g",
                            level(&layout, memory[row], band));
                say(line);
            }
}

/* Logs the statuses of calls that must fail, and whether they left the memory alone. */
static void misuse(VipsImage *image, uint32_t width)
{
    ee_pixel_layout good = {sizeof good, EE_SAMPLES_UINT16, EE_ENCODED, 3};
    ee_pixel_layout bad[] = {
        {8, EE_SAMPLES_UINT16, EE_ENCODED, 3}, {sizeof good, 3, EE_ENCODED, 3},
        {sizeof good, EE_SAMPLES_UINT8, 2, 3}, {sizeof good, EE_SAMPLES_UINT8, EE_ENCODED, 2}};
    uint16_t memory[64] = {7};
    ee_error error;
    ee_image_facts facts = {.struct_size = 8};
    char line[256];
    int statuses[16], count = 0;
#define READ(layout, left, top, across, down, place, bytes)                                        \
    statuses[count++] =                                                                            \
        pixels->read(image, left, top, across, down, layout, place, bytes, &error)
    for (int index = 0; index < 4; index++)
        READ(&bad[index], 0, 0, 1, 1, memory, 64);
    READ(NULL, 0, 0, 1, 1, memory, 64);
    READ(&good, width, 0, 1, 1, memory, 64);
    READ(&good, UINT32_MAX, 0, UINT32_MAX, 1, memory, SIZE_MAX);
    READ(&good, 0, 0, 0, 1, memory, 64);
    READ(&good, 0, 0, 2, 2, memory, 10);
    READ(&good, 0, 0, 1, 2, memory, 7);
    READ(&good, 0, 0, 1, 1, (char *)memory + 1, 64);
    READ(&good, 0, 0, 1, 2, memory, SIZE_MAX - 1);
    statuses[count++] = pixels->describe(image, &facts, &error);
    int length = snprintf(line, sizeof line, "misuse %d:", memory[0]);
    for (int index = 0; index < count; index++)
        length += snprintf(line + length, sizeof line - (size_t)length, " %d", statuses[index]);
    say(line);
}

#ifdef COLORS
static const ee_color *colors;

/* Logs two colours with alpha in another space, transformed in place, or the message of the failure. */
static void log_colors(
    const char *title, const ee_color_space *from, const ee_color_space *to, const float *given)
{
    float memory[8];
    char line[1200];
    ee_color_transform *transform = NULL;
    ee_error error = {{0}};
    memcpy(memory, given, sizeof memory);
    ee_status status = colors->create(from, to, &transform, &error);
    if (!status)
        status = colors->apply(transform, memory, memory, 2, 4, &error);
    int length = snprintf(line, sizeof line, "color %s: %d", title, status);
    for (int index = 0; index < 8 && !status; index++)
        length += snprintf(
            line + length, sizeof line - (size_t)length, " %.6f", (double)memory[index]);
    if (status)
        snprintf(line + length, sizeof line - (size_t)length, " %s", error.message);
    colors->release(transform);
    say(line);
}

static void log_all_colors(const ee_image_facts *facts)
{
    static const char *const names[] = {
        "srgb", "display-p3", "adobe-rgb", "prophoto-rgb", "rec-2020", "other"};
    const float given[8] = {0.2f, 0.5f, 0.8f, 0.25f, 1, 0, 0, 7};
    const float wild[8] = {-0.5f, 1.5f, 0.0f / 0.0f, -1, 1, 1, 1, 0};
    const float lab[8] = {50, 60, -70, 1, 100, 0, 0, 1};
    char title[64];
    ee_color_space from = {sizeof from, EE_COLOR_ENCODED, NULL, NULL, 0};
    ee_color_space to = {sizeof to, EE_COLOR_LINEAR, NULL, NULL, 0};
    for (int name = 0; name < 6; name++)
        for (ee_color_model model = EE_COLOR_ENCODED; model <= EE_COLOR_LAB; model++) {
            from.name = names[name];
            to.model = model;
            snprintf(title, sizeof title, "%s to %d", names[name], model);
            log_colors(title, &from, &to, given);
        }
    from.name = NULL;
    to.model = EE_COLOR_LINEAR;
    log_colors("wild", &from, &to, wild);
    ee_color_space picture = {
        sizeof picture, EE_COLOR_ENCODED, NULL, facts->profile, facts->profile_size};
    ee_color_space linear = picture;
    linear.model = EE_COLOR_LINEAR;
    log_colors("picture to linear", &picture, &linear, given);
    log_colors("linear to picture", &linear, &picture, given);
    to.model = EE_COLOR_XYZ;
    log_colors("picture to XYZ", &picture, &to, given);
    from = (ee_color_space){sizeof from, EE_COLOR_LAB, NULL, NULL, 0};
    log_colors("Lab to XYZ", &from, &to, lab);
    to = (ee_color_space){sizeof to, EE_COLOR_ENCODED, NULL, lab, sizeof lab};
    log_colors("malformed", &from, &to, lab);
    to.struct_size = 8;
    log_colors("short", &from, &to, lab);
    from.model = 4;
    log_colors("model", &from, &from, lab);
}
#endif

#ifdef UPWARDS
static ee_status read_upwards(VipsImage *image, const ee_image_facts *facts, ee_error *error)
{
    ee_pixel_layout layout = {sizeof layout, EE_SAMPLES_UINT8, EE_ENCODED, 3};
    uint8_t *row = malloc(3 * facts->width);
    ee_status status = EE_OK;
    for (uint32_t y = facts->height; y-- > 0 && !status;)
        status = pixels->read(image, 0, y, facts->width, 1, &layout, row, 3 * facts->width, error);
    free(row);
    return status;
}
#endif

static ee_status fill(
    void *data, uint32_t left, uint32_t top, uint32_t width, uint32_t height, void *rows,
    size_t row_bytes, ee_error *error)
{
    filling *self = data;
    (void)self, (void)error;
#ifdef FAILS
    snprintf(error->message, sizeof error->message, "100%% of its colours are missing");
    return EE_FAILED;
#endif
#ifdef SIZE
    /* Written beyond both ends, which the host clips. */
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            float *pixel = (float *)((char *)rows + y * row_bytes) + 3 * x;
            pixel[0] = -1, pixel[1] = 0.0f / 0.0f, pixel[2] = left < SIZE && top < SIZE ? 7 : 0;
        }
    return (uintptr_t)rows % 16 ? EE_FAILED : EE_OK;
#else
    return pixels->read(
        self->source, left, top, width, height, &self->layout, rows, row_bytes, error);
#endif
}

static void release(void *data)
{
    filling *self = data;
    pixels->release(self->source);
    free(self);
    say("freed");
}

static ee_status copied(VipsImage *image, VipsImage **result, ee_error *error)
{
    ee_image_facts facts = {.struct_size = sizeof facts};
    ee_status status = pixels->describe(image, &facts, error);
    if (status)
        return status;
    filling *made = malloc(sizeof *made);
    made->source = image;
    made->layout = (ee_pixel_layout){sizeof made->layout, SAMPLES, ENCODING, facts.bands};
#ifdef BANDS
    made->layout.bands = BANDS;
#endif
    pixels->retain(image);
    ee_image_source source = {
        sizeof source, facts.width, facts.height, &made->layout, made, fill, release};
#ifdef SIZE
    source.width = source.height = SIZE;
#endif
    /* Failed calls do not take over the data. */
    ee_image_source wrong = source;
    wrong.width = 0;
    VipsImage *none = NULL;
    if (!pixels->create(image, &wrong, &none, error) || none)
        return EE_FAILED;
    wrong = source;
    wrong.fill = NULL;
    if (!pixels->create(image, &wrong, &none, error) || none)
        return EE_FAILED;
    wrong = source;
    wrong.struct_size = 8;
    if (!pixels->create(image, &wrong, &none, error) || none)
        return EE_FAILED;
    return pixels->create(image, &source, result, error);
}

#ifdef MEASURES
/* Logs the size and a sum over the pixels of the input with this longer side, or the status. */
static void measure(const char *call, const ee_input *input, uint32_t side)
{
    VipsImage *image = NULL;
    ee_image_facts facts = {.struct_size = sizeof facts};
    ee_pixel_layout layout = {sizeof layout, EE_SAMPLES_UINT8, EE_ENCODED, 3};
    ee_error error;
    char line[128];
    uint32_t sum = 0;
    ee_status status = pixels->reduced_image(input, side, &image, &error);
    if (!status)
        status = pixels->describe(image, &facts, &error);
    size_t size = (size_t)3 * facts.width * facts.height;
    uint8_t *memory = malloc(size + 1);
    if (!status)
        status = pixels->read(
            image, 0, 0, facts.width, facts.height, &layout, memory, 3 * facts.width, &error);
    for (size_t index = 0; index < size && !status; index++)
        sum = sum * 31 + memory[index];
    free(memory);
    if (image)
        pixels->release(image);
    snprintf(
        line, sizeof line, "%s measured %u: %d, %ux%u, access %d, sum %u", call, side, status,
        facts.width, facts.height, facts.access, sum);
    say(line);
}
#else
#define measure(call, input, side) ((void)(input))
#endif

static ee_status create(const ee_host *given, ee_controller **controller, ee_error *error)
{
    (void)given, (void)error;
    *controller = calloc(1, sizeof **controller);
    return EE_OK;
}

static void destroy(ee_controller *self)
{
    free(self);
}

static ee_status can_handle(
    ee_controller *self, const ee_adjustment *adjustment, bool *answer, ee_error *error)
{
    (void)self, (void)error;
    *answer = strcmp(adjustment->format_identifier, IDENTIFIER) == 0;
    return EE_OK;
}

static ee_status start(
    ee_controller *self, const ee_input *input, VipsImage *placeholder, ee_error *error)
{
    (void)placeholder, (void)error;
    self->input = input;
    measure("start", input, 60);
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
    VipsImage *input;
    measure("preview", self->input, 60);
    ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, &input, error);
    if (status)
        return status;
    status = copied(input, image, error);
    pixels->release(input);
#ifdef PREVIEW_PROFILE
    if (!status)
        status = preview->set_profile(preview, PREVIEW_PROFILE, error);
#endif
    return status;
}

static ee_status finish(ee_controller *self, const ee_completion *completion, ee_error *error)
{
    const ee_input *input = self->input;
    VipsImage *image;
    ee_image_facts facts = {.struct_size = sizeof facts};
    char line[256];
    measure("finish", input, 60);
    measure("finish", input, UINT32_MAX);
    measure("finish", input, 0);
    ee_status status = input->full_size_image(input, EE_ACCESS_RANDOM, &image, error);
    if (status || (status = pixels->describe(image, &facts, error)))
        return status;
    snprintf(
        line, sizeof line, "facts %ux%u, samples %d, bands %u, access %d, linear %u, profile %zu",
        facts.width, facts.height, facts.samples, facts.bands, facts.access, facts.has_linear,
        facts.profile ? facts.profile_size : 0);
    say(line);
    read_all(image);
    misuse(image, facts.width);
#ifdef COLORS
    log_all_colors(&facts);
#endif
    pixels->release(image);

    status = input->full_size_image(input, EE_ACCESS_SEQUENTIAL, &image, error);
    if (status || (status = pixels->describe(image, &facts, error)))
        return status;
    if (facts.access != EE_ACCESS_SEQUENTIAL)
        return EE_FAILED;
#ifdef UPWARDS
    status = read_upwards(image, &facts, error);
    if (status)
        return status;
#endif
    ee_output output = {.struct_size = sizeof output};
    output.adjustment = (ee_adjustment){IDENTIFIER, "1.0", "recipe", 6};
    status = copied(image, &output.image, error);
    pixels->release(image);
    if (status)
        return status;
    completion->complete(completion, EE_OK, &output, NULL);
    pixels->release(output.image);
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
    sizeof entry, EE_ABI_MAJOR, EE_ABI_MINOR, IDENTIFIER, "1.0", get_capability};

EE_EXPORT const ee_entry *editing_extension_entry(const ee_host *given)
{
    host = given;
    pixels = host->get_capability(host, EE_CAPABILITY_PIXELS);
#ifdef COLORS
    colors = host->get_capability(host, EE_CAPABILITY_COLOR);
    if (!colors)
        return NULL;
#endif
    return pixels ? &entry : NULL;
}
