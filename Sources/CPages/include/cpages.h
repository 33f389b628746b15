/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws pages with cairo and Pango, as a PDF file or as pixels. Lengths are in points, from the top left corner.
 *
 * The libraries are loaded by the first drawing, because loading them at the start of every command takes several
 * milliseconds. Errors are sticky: after one, functions do nothing and `cpages_end_page` returns false.
 */
#ifndef CPAGES_H
#define CPAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cpages cpages;

/* Receives the next bytes of a file. */
typedef void cpages_write(void *context, const uint8_t *bytes, size_t count);

/* Returns whether the libraries are installed. May be called by several threads. */
bool cpages_load(void);

/* Begins a PDF file. Returns NULL if the libraries are missing. */
cpages *cpages_pdf(
    double width, double height, const char *title, cpages_write *write, void *context);

/* Begins a page of pixels, `scale` of them per point. Returns NULL if the libraries are missing. */
cpages *cpages_pixels(double width, double height, double scale);

/* The size in pixels of a page of pixels. */
void cpages_size(const cpages *pages, int32_t *width, int32_t *height);

/* Draws a line of text, centred in `width` and shortened to it, with its baseline at y + font_size. */
void cpages_text(
    cpages *pages, const char *text, double x, double y, double width, double font_size);

/* Draws the outline of a rectangle. */
void cpages_outline(cpages *pages, double x, double y, double width, double height);

/* Draws a JPEG file of `width` by `height` pixels, each `scale` points wide. Only for PDF, which contains the bytes
 * unchanged. Nothing is decoded. */
void cpages_draw_jpeg(
    cpages *pages, const uint8_t *bytes, size_t count, int32_t width, int32_t height, double x,
    double y, double scale);

/* Draws 8-bit RGB pixels in row-major order without padding. The corner is rounded to a pixel of the page. */
void cpages_draw_rgb(
    cpages *pages, const uint8_t *rgb, int32_t width, int32_t height, double x, double y,
    double scale);

/* Ends a page and begins the next one. `rgb` gets the pixels in the form of `cpages_draw_rgb`; it is NULL for PDF.
 * Returns whether everything was drawn. */
bool cpages_end_page(cpages *pages, uint8_t *rgb);

/* Writes the end of a PDF file. Returns whether everything was drawn. */
bool cpages_finish(cpages *pages);

/* Frees the memory. No callback is called. */
void cpages_free(cpages *pages);

#endif
