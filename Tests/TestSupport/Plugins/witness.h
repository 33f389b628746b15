/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes the input of a plug-in, for its recipe.
 */
#include <editing_extension.h>
#include <vips/vips.h>

/* Appends a line "NAME WIDTH HEIGHT BANDS PIXELS", with the pixels in hexadecimal digits. */
static inline void see(GString *seen, const char *name, VipsImage *image)
{
    g_string_append_printf(seen, "%s %d %d %d ", name, image->Xsize, image->Ysize, image->Bands);
    VipsImage *cast = NULL;
    size_t size = 0;
    unsigned char *pixels = vips_cast(image, &cast, VIPS_FORMAT_UCHAR, NULL)
        ? NULL : vips_image_write_to_memory(cast, &size);
    for (size_t index = 0; pixels && index < size; index++)
        g_string_append_printf(seen, "%02x", pixels[index]);
    g_string_append_c(seen, '\n');
    g_free(pixels);
    g_clear_object(&cast);
}

/* Returns a small number that depends on the input's facts about the photo. */
static inline int told(const ee_input *input)
{
    unsigned sum = input->has_location ? 7 + (unsigned)(int)input->latitude : 0;
    for (const char *c = input->creation_date; c && *c; c++)
        sum = sum * 31 + (unsigned char)*c;
    for (const char *c = input->default_rendered_content_type; c && *c; c++)
        sum = sum * 31 + (unsigned char)*c;
    const ee_capture *capture = input->capture;
    for (const char *c = capture->camera_model; c && *c; c++)
        sum = sum * 31 + (unsigned char)*c;
    if (capture->iso_speed > 0)
        sum = sum * 31 + (unsigned)capture->iso_speed + (unsigned)capture->flash;
    return (int)(sum % 100);
}
