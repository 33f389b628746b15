/* SPDX-License-Identifier: Apache-2.0
 *
 * The input of an edit, and the host's capability ee_work.
 */
#include "edit.h"
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

enum { display_side = 2048 };

static ee_test_edit *behind(const ee_input *input)
{
    return input->host_data;
}

static ee_status fail(ee_error *error, ee_status status, const char *message)
{
    if (error)
        g_strlcpy(error->message, message, sizeof error->message);
    return status;
}

/* Transfers a reference to an image to the extension. */
static ee_status give(VipsImage *made, VipsImage **image, ee_error *error)
{
    if (!made)
        return fail(error, EE_FAILED, vips_error_buffer());
    *image = made;
    return EE_OK;
}

/* MARK: Images */

VipsImage *ee_testing_display(const ee_test_edit *edit)
{
    VipsImage *image = ee_testing_image(edit->picture);
    return image ? ee_testing_reduced(image, display_side) : NULL;
}

static ee_status display_image(const ee_input *input, VipsImage **image, ee_error *error)
{
    return give(ee_testing_display(behind(input)), image, error);
}

static ee_status only_in_finish(const ee_test_edit *edit, ee_error *error)
{
    return edit->is_finishing
               ? EE_OK
               : fail(error, EE_UNSUPPORTED, "the full-size image is available only in finish");
}

static ee_status full_size_image(
    const ee_input *input, ee_access access, VipsImage **image, ee_error *error)
{
    ee_test_edit *edit = behind(input);
    ee_status status = only_in_finish(edit, error);
    if (status != EE_OK)
        return status;
    VipsImage *made = ee_testing_image(edit->picture);
    return give(
        made && access == EE_ACCESS_SEQUENTIAL ? ee_testing_sequential(made) : made, image,
        error);
}

/* MARK: Files */

/* The folder for temporary files; NULL if it cannot be created. */
static const char *folder(ee_test_edit *edit)
{
    if (!edit->folder)
        edit->folder = g_dir_make_tmp("editing-extension-XXXXXX", NULL);
    return edit->folder;
}

char *ee_testing_rendered_path(ee_test_edit *edit, const char *content_type)
{
    static const char *const names[][2] = {
        {"image/jpeg", "rendered.jpg"}, {"image/png", "rendered.png"}, {"image/tiff", "rendered.tif"}};
    for (size_t index = 0; content_type && index < G_N_ELEMENTS(names); index++)
        if (strcmp(content_type, names[index][0]) == 0 && folder(edit))
            return g_build_filename(edit->folder, names[index][1], NULL);
    return NULL;
}

static ee_status full_size_path(const ee_input *input, const char **path, ee_error *error)
{
    ee_test_edit *edit = behind(input);
    ee_status status = only_in_finish(edit, error);
    if (status != EE_OK)
        return status;
    if (!folder(edit))
        return fail(error, EE_FAILED, "there is no folder for temporary files");
    char *file = g_build_filename(edit->folder, "input.tif", NULL);
    *path = g_intern_string(file);
    g_free(file);
    return ee_test_write(edit->picture, *path) ? EE_OK
                                               : fail(error, EE_FAILED, ee_test_message());
}

static ee_status rendered_content_path(
    const ee_input *input, const char *type, const char **path, ee_error *error)
{
    char *file = ee_testing_rendered_path(behind(input), type);
    if (!file)
        return fail(error, EE_UNSUPPORTED, "files of this type are not supported");
    *path = g_intern_string(file);
    g_free(file);
    return EE_OK;
}

ee_status ee_testing_parameter_file(
    const ee_input *input, const char *value, const void **data, size_t *size, ee_error *error)
{
    GBytes *bytes = ee_testing_file(&behind(input)->extension->host, value, error);
    if (!bytes)
        return EE_FAILED;
    *data = g_bytes_get_data(bytes, size);
    return EE_OK;
}

static void remove_folder(const char *folder)
{
    GDir *opened = g_dir_open(folder, 0, NULL);
    const char *name;
    while (opened && (name = g_dir_read_name(opened))) {
        char *path = g_build_filename(folder, name, NULL);
        g_remove(path);
        g_free(path);
    }
    g_clear_pointer(&opened, g_dir_close);
    g_rmdir(folder);
}

/* MARK: Work */

static bool is_cancelled(const ee_input *input)
{
    return g_atomic_int_get(&behind(input)->is_cancelled);
}

static void report_progress(const ee_input *input, double fraction)
{
    (void)input, (void)fraction;
}

static uint32_t thread_count(const ee_input *input)
{
    (void)input;
    return (uint32_t)MAX(1, vips_concurrency_get());
}

static ee_status temporary_space(
    const ee_input *input, const char **path, uint64_t *limit, ee_error *error)
{
    *path = folder(behind(input));
    *limit = UINT64_MAX;
    return *path ? EE_OK : fail(error, EE_UNSUPPORTED, "there is no folder for temporary files");
}

const ee_work ee_testing_work = {
    sizeof ee_testing_work, is_cancelled, report_progress, thread_count, temporary_space};

/* MARK: The structure */

void ee_testing_open_input(ee_test_edit *edit, const ee_adjustment *recipe)
{
    uint32_t width = edit->picture->width, height = edit->picture->height;
    edit->capture = g_new0(ee_capture, 1);
    *edit->capture = (ee_capture){
        .struct_size = sizeof *edit->capture, .orientation = 1, .flash = -1, .white_balance = -1,
        .focal_length = NAN, .focal_length_35mm = NAN, .aperture = NAN, .exposure_time = NAN,
        .iso_speed = NAN, .exposure_bias = NAN, .subject_distance = NAN};
    if (recipe) {
        edit->recipe = g_new0(ee_adjustment, 1);
        *edit->recipe = ee_testing_copy_recipe(recipe);
    }
    edit->input = g_new0(ee_input, 1);
    *edit->input = (ee_input){
        .struct_size = sizeof *edit->input, .host_data = edit, .media_type = 1,
        .content_type = "image/jpeg", .full_width = width, .full_height = height,
        .full_size_orientation = 1, .full_scale = 1,
        .display_scale = MIN(1, (double)display_side / MAX(width, height)), .adjustment = edit->recipe,
        .display_image = display_image, .full_size_image = full_size_image,
        .full_size_path = full_size_path, .rendered_content_path = rendered_content_path,
        .default_rendered_content_type = "image/jpeg", .capture = edit->capture};
}

void ee_testing_close_input(ee_test_edit *edit)
{
    if (edit->folder)
        remove_folder(edit->folder);
    g_free(edit->folder);
    if (edit->recipe)
        ee_testing_clear_recipe(edit->recipe);
    g_free(edit->recipe);
    g_free(edit->capture);
    g_free(edit->input);
}
