/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's capability ee_pixels. The pictures of the test host have no profile, so their transfer curve is that of
 * sRGB.
 */
#include "edit.h"
#include <math.h>
#include <string.h>

static ee_status fail(ee_error *error, ee_status status, const char *message)
{
    if (error)
        g_strlcpy(error->message, message, sizeof error->message);
    return status;
}

/* Sets an error with the message of libvips. */
static ee_status fail_vips(ee_error *error)
{
    char *reason = vips_error_buffer_copy();
    ee_status status = fail(error, EE_FAILED, g_strchomp(reason));
    g_free(reason);
    return status;
}

/* MARK: Layouts */

/* Gets the layout in which an image is stored. Returns false if it is not RGB or RGBA of 8 or 16 bits. */
static bool stored_layout(const VipsImage *image, ee_pixel_layout *layout)
{
    bool is_deep = image->BandFmt == VIPS_FORMAT_USHORT;
    *layout = (ee_pixel_layout){
        sizeof *layout, is_deep ? EE_SAMPLES_UINT16 : EE_SAMPLES_UINT8, EE_ENCODED,
        (uint32_t)image->Bands};
    return (is_deep || image->BandFmt == VIPS_FORMAT_UCHAR) &&
           (image->Bands == 3 || image->Bands == 4);
}

static const char *const other_image = "only images with 3 or 4 bands of 8 or 16 bits can be read";

static size_t sample_size(const ee_pixel_layout *layout)
{
    return layout->samples == EE_SAMPLES_UINT8 ? 1 : layout->samples == EE_SAMPLES_UINT16 ? 2 : 4;
}

/* Returns the reason why a layout cannot be used; NULL if it can. */
static const char *unusable_layout(const ee_pixel_layout *layout)
{
    if (!layout || layout->struct_size < EE_PIXEL_LAYOUT_SIZE_1_1)
        return "there is no ee_pixel_layout, or its struct_size is too small";
    if (layout->samples < EE_SAMPLES_UINT8 || layout->samples > EE_SAMPLES_FLOAT)
        return "there are no samples of this type";
    if (layout->encoding != EE_ENCODED && layout->encoding != EE_LINEAR)
        return "there is no such encoding";
    return layout->bands == 3 || layout->bands == 4 ? NULL : "a layout has 3 or 4 bands";
}

/* MARK: Conversion */

static double light_of(double level)
{
    return level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4);
}

static double level_of(double light)
{
    return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

/* Returns a sample scaled to 0...1. */
static double get(const ee_pixel_layout *layout, const void *samples, size_t index)
{
    switch (layout->samples) {
    case EE_SAMPLES_UINT8: return ((const uint8_t *)samples)[index] / 255.0;
    case EE_SAMPLES_UINT16: return ((const uint16_t *)samples)[index] / 65535.0;
    default: return ((const float *)samples)[index];
    }
}

static void put(const ee_pixel_layout *layout, void *samples, size_t index, double value)
{
    /* Written so that NAN becomes 0. */
    double clipped = value > 0 ? MIN(value, 1) : 0;
    switch (layout->samples) {
    case EE_SAMPLES_UINT8: ((uint8_t *)samples)[index] = (uint8_t)(clipped * 255 + 0.5); break;
    case EE_SAMPLES_UINT16: ((uint16_t *)samples)[index] = (uint16_t)(clipped * 65535 + 0.5); break;
    default: ((float *)samples)[index] = (float)value;
    }
}

/* Converts pixels between layouts. A missing alpha is opaque. */
static void convert(
    const ee_pixel_layout *from, const void *given, const ee_pixel_layout *to, void *made,
    size_t count)
{
    for (size_t pixel = 0; pixel < count; pixel++)
        for (uint32_t band = 0; band < to->bands; band++) {
            double value =
                band < from->bands ? get(from, given, pixel * from->bands + band) : 1;
            if (band < 3 && from->encoding != to->encoding)
                value = to->encoding == EE_LINEAR ? light_of(value) : level_of(value);
            put(to, made, pixel * to->bands + band, value);
        }
}

/* MARK: Reading */

static ee_status describe(VipsImage *image, ee_image_facts *facts, ee_error *error)
{
    ee_pixel_layout stored;
    if (!stored_layout(image, &stored))
        return fail(error, EE_UNSUPPORTED, other_image);
    if (facts->struct_size < EE_IMAGE_FACTS_SIZE_1_1)
        return fail(error, EE_UNSUPPORTED, "the struct_size of ee_image_facts is too small");
    bool is_sequential = vips_image_get_typeof(image, EE_TESTING_SEQUENTIAL) != 0;
    ee_image_facts filled = {
        .struct_size = MIN(facts->struct_size, (uint32_t)sizeof filled),
        .width = (uint32_t)image->Xsize, .height = (uint32_t)image->Ysize,
        .samples = stored.samples, .bands = stored.bands,
        .access = is_sequential ? EE_ACCESS_SEQUENTIAL : EE_ACCESS_RANDOM, .has_linear = 1};
    memcpy(facts, &filled, filled.struct_size);
    return EE_OK;
}

/* Returns the reason why a rectangle cannot be read; NULL if it can. */
static const char *unreadable(
    const VipsImage *image, const VipsRect *area, const ee_pixel_layout *layout,
    const void *pixels, size_t row_bytes)
{
    VipsRect whole = {0, 0, image->Xsize, image->Ysize};
    const char *reason = unusable_layout(layout);
    if (reason)
        return reason;
    if (area->width < 1 || area->height < 1 || !vips_rect_includesrect(&whole, area))
        return "the rectangle does not lie within the image";
    if (row_bytes < (size_t)area->width * layout->bands * sample_size(layout) ||
        row_bytes > SIZE_MAX / (size_t)area->height)
        return "the rows are shorter than their pixels, or too long";
    if ((uintptr_t)pixels % sample_size(layout) || row_bytes % sample_size(layout))
        return "the memory is not aligned to the size of a sample";
    return NULL;
}

static ee_status read_pixels(
    VipsImage *image, uint32_t left, uint32_t top, uint32_t width, uint32_t height,
    const ee_pixel_layout *layout, void *pixels, size_t row_bytes, ee_error *error)
{
    ee_pixel_layout stored;
    /* Image sides are smaller than this, so the sums below cannot overflow. */
    uint32_t limit = VIPS_MAX_COORD;
    VipsRect area = {
        (int)MIN(left, limit), (int)MIN(top, limit), (int)MIN(width, limit),
        (int)MIN(height, limit)};
    const char *reason = stored_layout(image, &stored)
                             ? unreadable(image, &area, layout, pixels, row_bytes)
                             : other_image;
    if (reason)
        return fail(error, EE_UNSUPPORTED, reason);
    VipsRegion *region = vips_region_new(image);
    int failed = region ? 0 : -1;
    for (int y = 0; y < area.height && !failed; y += 64) {
        VipsRect rows = {area.left, area.top + y, area.width, MIN(64, area.height - y)};
        failed = vips_region_prepare(region, &rows);
        for (int row = 0; row < rows.height && !failed; row++)
            convert(
                &stored, VIPS_REGION_ADDR(region, rows.left, rows.top + row), layout,
                (char *)pixels + (size_t)(y + row) * row_bytes, (size_t)rows.width);
    }
    if (region)
        g_object_unref(region);
    return failed ? fail_vips(error) : EE_OK;
}

static ee_status reduced_image(
    const ee_input *input, uint32_t longest_side, VipsImage **image, ee_error *error)
{
    const ee_test_edit *edit = input->host_data;
    if (edit->is_rendering)
        return fail(
            error, EE_UNSUPPORTED,
            "the controller renders, which can use only what its recipe contains");
    VipsImage *reduced = ee_testing_display(edit);
    if (reduced)
        reduced = ee_testing_reduced(reduced, MAX(1, longest_side));
    *image = reduced ? vips_image_copy_memory(reduced) : NULL;
    g_clear_object(&reduced);
    return *image ? EE_OK : fail_vips(error);
}

/* MARK: Images that the extension computes */

typedef struct {
    ee_image_source description; /* without its layout, which is borrowed */
    ee_pixel_layout layout;
    ee_pixel_layout stored;
    VipsImage *source;
} Filling;

static int generate(VipsRegion *out, void *sequence, void *input, void *context, gboolean *stop)
{
    const Filling *filling = context;
    const VipsRect *area = &out->valid;
    size_t size = (size_t)area->width * filling->layout.bands * sample_size(&filling->layout);
    size_t row_bytes = (size + 15) & ~(size_t)15;
    char *rows = g_aligned_alloc0((gsize)area->height, row_bytes, 16);
    ee_error error = {{0}};
    (void)sequence, (void)input, (void)stop;
    ee_status status = filling->description.fill(
        filling->description.data, (uint32_t)area->left, (uint32_t)area->top,
        (uint32_t)area->width, (uint32_t)area->height, rows, row_bytes, &error);
    for (int row = 0; row < area->height && !status; row++)
        convert(
            &filling->layout, rows + (size_t)row * row_bytes, &filling->stored,
            VIPS_REGION_ADDR(out, area->left, area->top + row), (size_t)area->width);
    g_aligned_free(rows);
    if (status)
        vips_error("fill", "%s", error.message[0] ? error.message : "it gave no reason");
    return status ? -1 : 0;
}

static void free_filling(VipsImage *image, Filling *filling)
{
    (void)image;
    if (filling->description.release)
        filling->description.release(filling->description.data);
    g_object_unref(filling->source);
    g_free(filling);
}

/* Returns the reason why an image cannot be made; NULL if it can. */
static const char *unusable_source(const ee_image_source *description)
{
    if (description->struct_size < EE_IMAGE_SOURCE_SIZE_1_1)
        return "the struct_size of ee_image_source is too small";
    if (description->width < 1 || description->height < 1 ||
        MAX(description->width, description->height) >= VIPS_MAX_COORD)
        return "an image cannot have this size";
    return description->fill ? unusable_layout(description->layout) : "there is no function fill";
}

static ee_status create_image(
    VipsImage *source, const ee_image_source *description, VipsImage **image, ee_error *error)
{
    ee_pixel_layout stored;
    const char *reason =
        stored_layout(source, &stored) ? unusable_source(description) : other_image;
    if (reason)
        return fail(error, EE_UNSUPPORTED, reason);
    stored.bands = description->layout->bands;
    Filling *filling = g_new0(Filling, 1);
    *filling = (Filling){*description, *description->layout, stored, source};
    VipsImage *made = vips_image_new();
    int status = vips_image_pipelinev(made, VIPS_DEMAND_STYLE_ANY, source, NULL);
    made->Xsize = (int)description->width;
    made->Ysize = (int)description->height;
    made->Bands = (int)stored.bands;
    if (status || vips_image_generate(made, NULL, generate, NULL, NULL, filling)) {
        g_object_unref(made);
        g_free(filling);
        return fail_vips(error);
    }
    g_object_ref(source);
    g_signal_connect(made, "close", G_CALLBACK(free_filling), filling);
    *image = made;
    return EE_OK;
}

static void retain(VipsImage *image)
{
    if (image)
        g_object_ref(image);
}

static void release(VipsImage *image)
{
    if (image)
        g_object_unref(image);
}

const ee_pixels ee_testing_pixels = {
    sizeof ee_testing_pixels, describe, read_pixels, create_image, retain, release, reduced_image};
