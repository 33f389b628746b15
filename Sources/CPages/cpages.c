/* SPDX-License-Identifier: Apache-2.0 */
#include "cpages.h"

#include <cairo-pdf.h>
#include <dlfcn.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(EACH) \
    EACH(cairo_create) \
    EACH(cairo_destroy) \
    EACH(cairo_get_target) \
    EACH(cairo_image_surface_create) \
    EACH(cairo_image_surface_get_data) \
    EACH(cairo_image_surface_get_height) \
    EACH(cairo_image_surface_get_stride) \
    EACH(cairo_image_surface_get_width) \
    EACH(cairo_move_to) \
    EACH(cairo_paint) \
    EACH(cairo_pdf_surface_create_for_stream) \
    EACH(cairo_pdf_surface_set_metadata) \
    EACH(cairo_rectangle) \
    EACH(cairo_restore) \
    EACH(cairo_save) \
    EACH(cairo_scale) \
    EACH(cairo_set_line_width) \
    EACH(cairo_set_source_rgb) \
    EACH(cairo_set_source_surface) \
    EACH(cairo_show_page) \
    EACH(cairo_status) \
    EACH(cairo_stroke) \
    EACH(cairo_surface_destroy) \
    EACH(cairo_surface_finish) \
    EACH(cairo_surface_flush) \
    EACH(cairo_surface_mark_dirty) \
    EACH(cairo_surface_set_mime_data) \
    EACH(cairo_surface_status) \
    EACH(cairo_translate) \
    EACH(g_object_unref) \
    EACH(pango_cairo_font_map_new) \
    EACH(pango_cairo_show_layout) \
    EACH(pango_font_description_free) \
    EACH(pango_font_description_new) \
    EACH(pango_font_description_set_absolute_size) \
    EACH(pango_font_description_set_family) \
    EACH(pango_font_map_create_context) \
    EACH(pango_layout_get_baseline) \
    EACH(pango_layout_new) \
    EACH(pango_layout_set_alignment) \
    EACH(pango_layout_set_ellipsize) \
    EACH(pango_layout_set_font_description) \
    EACH(pango_layout_set_single_paragraph_mode) \
    EACH(pango_layout_set_text) \
    EACH(pango_layout_set_width)

/* The functions of the libraries by their names. */
static struct {
#define DECLARE(name) __typeof__(&name) name;
    FUNCTIONS(DECLARE)
#undef DECLARE
} lib;

static bool is_loaded;

static void load(void)
{
    /* Names are also looked up in the libraries that this one needs. */
    void *handle = dlopen("libpangocairo-1.0.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL)
        return;
    is_loaded = true;
#define FIND(name) \
    *(void **)&lib.name = dlsym(handle, #name); \
    is_loaded = is_loaded && lib.name != NULL;
    FUNCTIONS(FIND)
#undef FIND
}

bool cpages_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

struct cpages {
    cairo_t *cairo;
    PangoLayout *layout;
    /* The pixels per point; 0 for PDF. */
    double scale;
    cpages_write *write;
    void *context;
};

static void set_color(cpages *pages, double gray)
{
    lib.cairo_set_source_rgb(pages->cairo, gray, gray, gray);
}

/* Takes the surface. */
static cpages *begin(cpages *pages, cairo_surface_t *surface)
{
    pages->cairo = lib.cairo_create(surface);
    lib.cairo_surface_destroy(surface);
    /* The default font map belongs to a thread, and a task may continue on another one. */
    PangoFontMap *fonts = lib.pango_cairo_font_map_new();
    PangoContext *context = lib.pango_font_map_create_context(fonts);
    pages->layout = lib.pango_layout_new(context);
    lib.g_object_unref(context);
    lib.g_object_unref(fonts);
    lib.pango_layout_set_alignment(pages->layout, PANGO_ALIGN_CENTER);
    lib.pango_layout_set_ellipsize(pages->layout, PANGO_ELLIPSIZE_MIDDLE);
    lib.pango_layout_set_single_paragraph_mode(pages->layout, TRUE);
    lib.cairo_set_line_width(pages->cairo, 0.5);
    return pages;
}

static cairo_status_t append(void *pages, const unsigned char *bytes, unsigned int count)
{
    const cpages *own = pages;
    own->write(own->context, bytes, count);
    return CAIRO_STATUS_SUCCESS;
}

cpages *cpages_pdf(
    double width, double height, const char *title, cpages_write *write, void *context)
{
    cpages *pages = cpages_load() ? calloc(1, sizeof *pages) : NULL;
    if (pages == NULL)
        return NULL;
    pages->write = write;
    pages->context = context;
    cairo_surface_t *surface =
        lib.cairo_pdf_surface_create_for_stream(append, pages, width, height);
    lib.cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
    return begin(pages, surface);
}

static void clear(cpages *pages)
{
    set_color(pages, 1);
    lib.cairo_paint(pages->cairo);
}

cpages *cpages_pixels(double width, double height, double scale)
{
    cpages *pages = cpages_load() ? calloc(1, sizeof *pages) : NULL;
    if (pages == NULL)
        return NULL;
    pages->scale = scale;
    begin(
        pages, lib.cairo_image_surface_create(
                   CAIRO_FORMAT_RGB24, (int)ceil(width * scale), (int)ceil(height * scale)));
    lib.cairo_scale(pages->cairo, scale, scale);
    clear(pages);
    return pages;
}

void cpages_size(const cpages *pages, int32_t *width, int32_t *height)
{
    cairo_surface_t *surface = lib.cairo_get_target(pages->cairo);
    *width = lib.cairo_image_surface_get_width(surface);
    *height = lib.cairo_image_surface_get_height(surface);
}

void cpages_text(
    cpages *pages, const char *text, double x, double y, double width, double font_size)
{
    PangoFontDescription *font = lib.pango_font_description_new();
    lib.pango_font_description_set_family(font, "sans-serif");
    lib.pango_font_description_set_absolute_size(font, font_size * PANGO_SCALE);
    lib.pango_layout_set_font_description(pages->layout, font);
    lib.pango_font_description_free(font);
    lib.pango_layout_set_width(pages->layout, (int)(width * PANGO_SCALE));
    lib.pango_layout_set_text(pages->layout, text, -1);
    set_color(pages, 0);
    /* Fonts differ in height, and a line may use several. */
    const double baseline = lib.pango_layout_get_baseline(pages->layout) / (double)PANGO_SCALE;
    lib.cairo_move_to(pages->cairo, x, y + font_size - baseline);
    lib.pango_cairo_show_layout(pages->cairo, pages->layout);
}

void cpages_outline(cpages *pages, double x, double y, double width, double height)
{
    set_color(pages, 0.6);
    lib.cairo_rectangle(pages->cairo, x, y, width, height);
    lib.cairo_stroke(pages->cairo);
}

/* Draws a picture and releases it. */
static void draw(cpages *pages, cairo_surface_t *picture, double x, double y, double scale)
{
    lib.cairo_save(pages->cairo);
    lib.cairo_translate(pages->cairo, x, y);
    lib.cairo_scale(pages->cairo, scale, scale);
    lib.cairo_set_source_surface(pages->cairo, picture, 0, 0);
    lib.cairo_paint(pages->cairo);
    lib.cairo_restore(pages->cairo);
    lib.cairo_surface_destroy(picture);
}

void cpages_draw_jpeg(
    cpages *pages, const uint8_t *bytes, size_t count, int32_t width, int32_t height, double x,
    double y, double scale)
{
    /* The pixels stay empty, because a PDF surface reads only the file. */
    cairo_surface_t *picture =
        lib.cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    uint8_t *copy = malloc(count);
    if (copy != NULL) {
        memcpy(copy, bytes, count);
        if (lib.cairo_surface_set_mime_data(
                picture, CAIRO_MIME_TYPE_JPEG, copy, count, free, copy)
            != CAIRO_STATUS_SUCCESS)
            free(copy);
    }
    draw(pages, picture, x, y, scale);
}

void cpages_draw_rgb(
    cpages *pages, const uint8_t *rgb, int32_t width, int32_t height, double x, double y,
    double scale)
{
    cairo_surface_t *picture =
        lib.cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    uint8_t *pixels = lib.cairo_image_surface_get_data(picture);
    if (pixels != NULL) {
        const size_t stride = (size_t)lib.cairo_image_surface_get_stride(picture);
        for (int32_t row = 0; row < height; row++) {
            uint32_t *out = (uint32_t *)(pixels + (size_t)row * stride);
            for (int32_t column = 0; column < width; column++, rgb += 3)
                out[column] = (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
        }
        lib.cairo_surface_mark_dirty(picture);
    }
    if (pages->scale > 0) {
        x = round(x * pages->scale) / pages->scale;
        y = round(y * pages->scale) / pages->scale;
    }
    draw(pages, picture, x, y, scale);
}

static bool is_sound(const cpages *pages)
{
    return lib.cairo_status(pages->cairo) == CAIRO_STATUS_SUCCESS
        && lib.cairo_surface_status(lib.cairo_get_target(pages->cairo))
               == CAIRO_STATUS_SUCCESS;
}

bool cpages_end_page(cpages *pages, uint8_t *rgb)
{
    if (rgb == NULL) {
        lib.cairo_show_page(pages->cairo);
        return is_sound(pages);
    }
    cairo_surface_t *surface = lib.cairo_get_target(pages->cairo);
    lib.cairo_surface_flush(surface);
    const uint8_t *pixels = lib.cairo_image_surface_get_data(surface);
    if (pixels == NULL || !is_sound(pages))
        return false;
    const size_t stride = (size_t)lib.cairo_image_surface_get_stride(surface);
    int32_t width, height;
    cpages_size(pages, &width, &height);
    for (int32_t row = 0; row < height; row++) {
        const uint32_t *in = (const uint32_t *)(pixels + (size_t)row * stride);
        for (int32_t column = 0; column < width; column++) {
            *rgb++ = (uint8_t)(in[column] >> 16);
            *rgb++ = (uint8_t)(in[column] >> 8);
            *rgb++ = (uint8_t)in[column];
        }
    }
    clear(pages);
    return true;
}

bool cpages_finish(cpages *pages)
{
    const bool was_sound = is_sound(pages);
    cairo_surface_t *surface = lib.cairo_get_target(pages->cairo);
    lib.cairo_surface_finish(surface);
    return was_sound && lib.cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS;
}

static void discard(void *context, const uint8_t *bytes, size_t count)
{
    (void)context, (void)bytes, (void)count;
}

void cpages_free(cpages *pages)
{
    /* An unfinished surface writes the rest of its file. */
    pages->write = discard;
    lib.g_object_unref(pages->layout);
    lib.cairo_destroy(pages->cairo);
    free(pages);
}
