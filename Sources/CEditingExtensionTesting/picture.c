/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"
#include <stdarg.h>
#include <string.h>

static _Thread_local char message[2048];

const char *ee_test_message(void)
{
    return message;
}

bool ee_testing_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return false;
}

bool ee_testing_prepare(void)
{
    if (vips_init("editing_extension_testing") == 0)
        return true;
    return ee_testing_fail("libvips cannot be used: %s", vips_error_buffer());
}

/* Sets the message of a failed operation of libvips. */
static bool fail_vips(const char *what)
{
    char *reason = vips_error_buffer_copy();
    ee_testing_fail("%s: %s", what, g_strchomp(reason));
    g_free(reason);
    return false;
}

/* MARK: Pictures */

static size_t sample_count(const ee_test_picture *picture)
{
    return (size_t)picture->width * picture->height * picture->bands;
}

ee_test_picture *ee_test_picture_new(
    uint32_t width, uint32_t height, uint32_t bands, uint32_t depth)
{
    if (!width || !height || bands < 3 || bands > 4 || (depth != 8 && depth != 16)) {
        ee_testing_fail("a picture has 3 or 4 bands of 8 or 16 bits, and is not empty");
        return NULL;
    }
    ee_test_picture *made = g_new0(ee_test_picture, 1);
    *made = (ee_test_picture){width, height, bands, depth, NULL};
    made->samples = g_malloc0(sample_count(made) * (depth / 8));
    return made;
}

void ee_test_picture_free(ee_test_picture *picture)
{
    if (!picture)
        return;
    g_free(picture->samples);
    g_free(picture);
}

static uint32_t sample_at(const ee_test_picture *picture, size_t index)
{
    if (picture->depth == 8)
        return ((const uint8_t *)picture->samples)[index];
    return ((const uint16_t *)picture->samples)[index];
}

uint32_t ee_test_sample(const ee_test_picture *picture, uint32_t x, uint32_t y, uint32_t band)
{
    if (x >= picture->width || y >= picture->height || band >= picture->bands)
        return 0;
    return sample_at(picture, ((size_t)y * picture->width + x) * picture->bands + band);
}

ee_test_picture *ee_test_gradient(uint32_t width, uint32_t height, uint32_t bands, uint32_t depth)
{
    ee_test_picture *made = ee_test_picture_new(width, height, bands, depth);
    for (size_t index = 0; made && index < sample_count(made); index++) {
        size_t band = index % bands, x = index / bands % width, y = index / bands / width;
        size_t value = band == 3 ? 255 - (x + y) % 128 : (x * (band + 3) + y * (7 - band)) % 256;
        if (depth == 8)
            ((uint8_t *)made->samples)[index] = (uint8_t)value;
        else
            ((uint16_t *)made->samples)[index] = (uint16_t)(value * 257);
    }
    return made;
}

bool ee_test_same(const ee_test_picture *one, const ee_test_picture *other, uint32_t tolerance)
{
    if (one->width != other->width || one->height != other->height ||
        one->bands != other->bands || one->depth != other->depth)
        return ee_testing_fail(
            "%ux%u with %u bands of %u bits differs from %ux%u with %u bands of %u bits",
            one->width, one->height, one->bands, one->depth, other->width, other->height,
            other->bands, other->depth);
    for (size_t index = 0; index < sample_count(one); index++) {
        uint32_t a = sample_at(one, index), b = sample_at(other, index);
        if ((a > b ? a - b : b - a) <= tolerance)
            continue;
        size_t pixel = index / one->bands;
        return ee_testing_fail(
            "band %zu of the pixel at %zu, %zu is %u in one picture and %u in the other",
            index % one->bands, pixel % one->width, pixel / one->width, a, b);
    }
    return true;
}

/* MARK: Images */

VipsImage *ee_testing_image(const ee_test_picture *picture)
{
    size_t size = sample_count(picture) * (picture->depth / 8);
    VipsImage *made = vips_image_new_from_memory(
        picture->samples, size, (int)picture->width, (int)picture->height, (int)picture->bands,
        picture->depth == 8 ? VIPS_FORMAT_UCHAR : VIPS_FORMAT_USHORT);
    if (made)
        made->Type =
            picture->depth == 8 ? VIPS_INTERPRETATION_sRGB : VIPS_INTERPRETATION_RGB16;
    return made;
}

/* The read position of an image. */
typedef struct {
    GMutex lock;
    int lowest; /* the number of rows read so far */
} Reading;

/* As in edithost: rows may be read again up to this distance above the lowest one. */
enum { rows_kept = 512 };

static int generate(VipsRegion *out, void *sequence, void *input, void *context, gboolean *stop)
{
    Reading *reading = context;
    VipsRegion *from = sequence;
    (void)input, (void)stop;
    g_mutex_lock(&reading->lock);
    int lowest = reading->lowest;
    reading->lowest = MAX(lowest, VIPS_RECT_BOTTOM(&out->valid));
    g_mutex_unlock(&reading->lock);
    if (out->valid.top < lowest - rows_kept) {
        vips_error(
            "sequential access",
            "out of order read: row %d was read after row %d; EE_ACCESS_RANDOM allows this",
            out->valid.top, lowest - 1);
        return -1;
    }
    return vips_region_prepare(from, &out->valid) ||
           vips_region_region(out, from, &out->valid, out->valid.left, out->valid.top);
}

static void free_reading(VipsImage *image, Reading *reading)
{
    (void)image;
    g_mutex_clear(&reading->lock);
    g_free(reading);
}

VipsImage *ee_testing_sequential(VipsImage *image)
{
    VipsImage *made = vips_image_new();
    Reading *reading = g_new0(Reading, 1);
    g_mutex_init(&reading->lock);
    g_signal_connect(made, "close", G_CALLBACK(free_reading), reading);
    if (vips_image_pipelinev(made, VIPS_DEMAND_STYLE_THINSTRIP, image, NULL) ||
        vips_image_generate(
            made, vips_start_one, generate, vips_stop_one, image, reading))
        g_clear_object(&made);
    else {
        vips_image_set_int(made, EE_TESTING_SEQUENTIAL, 1);
        g_object_set_data_full(G_OBJECT(made), "input", g_object_ref(image), g_object_unref);
    }
    g_object_unref(image);
    return made;
}

/* Replaces an image by the result of an operation on it. If the operation failed, returns false and sets the image
 * to NULL. */
static bool replace(VipsImage **image, int status, VipsImage **result)
{
    g_clear_object(image);
    if (status == 0)
        *image = g_steal_pointer(result);
    return status == 0;
}

VipsImage *ee_testing_reduced(VipsImage *image, uint32_t longer_side)
{
    double scale = (double)longer_side / MAX(image->Xsize, image->Ysize);
    if (scale >= 1)
        return image;
    VipsBandFormat format = image->BandFmt;
    bool has_alpha = image->Bands == 4;
    VipsImage *made = NULL;
    if ((!has_alpha || replace(&image, vips_premultiply(image, &made, NULL), &made)) &&
        replace(&image, vips_resize(image, &made, scale, NULL), &made) &&
        (!has_alpha || replace(&image, vips_unpremultiply(image, &made, NULL), &made)))
        replace(&image, vips_cast(image, &made, format, NULL), &made);
    return image;
}

/* Returns the reason why an output cannot be used; NULL if it can. */
static const char *unusable(const VipsImage *image)
{
    if (image->Bands < 1 || image->Bands > 4)
        return "its output does not have 1 to 4 bands";
    if (vips_band_format_iscomplex(image->BandFmt))
        return "its output has complex numbers";
    switch (image->Type) {
    case VIPS_INTERPRETATION_MULTIBAND:
    case VIPS_INTERPRETATION_B_W:
    case VIPS_INTERPRETATION_GREY16:
    case VIPS_INTERPRETATION_RGB:
    case VIPS_INTERPRETATION_sRGB:
    case VIPS_INTERPRETATION_RGB16:
    case VIPS_INTERPRETATION_MATRIX:
    case VIPS_INTERPRETATION_HISTOGRAM: return NULL;
    default: return "its output is not RGB";
    }
}

/* Repeats gray in three bands. Alpha, the second band, is kept. */
static bool with_color(VipsImage **image)
{
    VipsImage *gray, *alpha = NULL, *made = NULL;
    if ((*image)->Bands > 2)
        return true;
    if (vips_extract_band(*image, &gray, 0, NULL))
        return replace(image, -1, NULL);
    int status = (*image)->Bands == 2 ? vips_extract_band(*image, &alpha, 1, NULL) : 0;
    VipsImage *bands[] = {gray, gray, gray, alpha};
    status = status || vips_bandjoin(bands, &made, alpha ? 4 : 3, NULL);
    g_object_unref(gray);
    g_clear_object(&alpha);
    return replace(image, status, &made);
}

/* Converts samples to 8 or 16 bits. They are rounded and clipped, and integers of the other depth are scaled. */
static bool with_depth(VipsImage **image, uint32_t depth)
{
    VipsBandFormat wanted = depth == 8 ? VIPS_FORMAT_UCHAR : VIPS_FORMAT_USHORT;
    VipsBandFormat given = (*image)->BandFmt;
    VipsImage *made = NULL;
    if (given == wanted)
        return true;
    bool is_scaled = given == VIPS_FORMAT_UCHAR || given == VIPS_FORMAT_USHORT;
    double factor = depth == 8 ? 1.0 / 257 : 257;
    return (!is_scaled ||
            replace(image, vips_linear1(*image, &made, factor, 0, NULL), &made)) &&
           replace(image, vips_rint(*image, &made, NULL), &made) &&
           replace(image, vips_cast(*image, &made, wanted, NULL), &made);
}

ee_test_picture *ee_testing_output(VipsImage *image, uint32_t depth)
{
    const char *reason = unusable(image);
    if (reason) {
        ee_testing_fail("%s", reason);
        g_object_unref(image);
        return NULL;
    }
    size_t size = 0;
    void *samples = NULL;
    if (with_color(&image) && with_depth(&image, depth))
        samples = vips_image_write_to_memory(image, &size);
    if (!samples) {
        fail_vips("its pixels cannot be computed");
        g_clear_object(&image);
        return NULL;
    }
    ee_test_picture *made = g_new0(ee_test_picture, 1);
    *made = (ee_test_picture){
        (uint32_t)image->Xsize, (uint32_t)image->Ysize, (uint32_t)image->Bands, depth, samples};
    g_object_unref(image);
    return made;
}

/* MARK: Files */

ee_test_picture *ee_testing_read(const char *path, uint32_t depth)
{
    if (!ee_testing_prepare())
        return NULL;
    VipsImage *image = vips_image_new_from_file(path, NULL), *made = NULL;
    bool can = image && replace(&image, vips_autorot(image, &made, NULL), &made);
    if (can) {
        bool is_deep = image->BandFmt == VIPS_FORMAT_USHORT;
        VipsInterpretation space =
            is_deep ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB;
        if (replace(&image, vips_colourspace(image, &made, space, NULL), &made))
            return ee_testing_output(image, depth ? depth : is_deep ? 16 : 8);
    }
    fail_vips(path);
    return NULL;
}

ee_test_picture *ee_test_read(const char *path)
{
    return ee_testing_read(path, 0);
}

bool ee_test_write(const ee_test_picture *picture, const char *path)
{
    if (!ee_testing_prepare())
        return false;
    VipsImage *image = ee_testing_image(picture);
    int status = image ? vips_image_write_to_file(image, path, NULL) : -1;
    g_clear_object(&image);
    return status == 0 || fail_vips(path);
}
