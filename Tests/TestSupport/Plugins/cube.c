/* SPDX-License-Identifier: Apache-2.0
 *
 * An extension with a parameter `lut` of the type file. It brightens by the sum of the file's bytes, modulo
 * 50, and logs their number and hash (64-bit FNV-1a). The recipe is the values of the parameters.
 * Macro TELLS: the text that get_parameters returns instead.
 */
#include <editing_extension.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

static const ee_host *host;
static const ee_parameters *parameters;

struct ee_controller {
    const ee_input *input;
    char values[512];
};

static ee_status create(const ee_host *from, ee_controller **controller, ee_error *error)
{
    (void)error;
    host = from;
    parameters = host->get_capability(host, EE_CAPABILITY_PARAMETERS);
    *controller = calloc(1, sizeof **controller);
    strcpy((*controller)->values, "{\"lut\":\"default.cube\"}");
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
    *answer = strcmp(adjustment->format_identifier, "org.example.cube") == 0;
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
    (void)placeholder;
    self->input = input;
    const ee_adjustment *recipe = input->adjustment;
    return recipe ? set_parameters(self, recipe->data, recipe->size, error) : EE_OK;
}

static ee_status get_parameters(ee_controller *self, const char **json, ee_error *error)
{
    (void)error;
    *json = self->values;
#ifdef TELLS
    *json = TELLS;
#endif
    return EE_OK;
}

static ee_status brighten(
    ee_controller *self, VipsImage *image, VipsImage **result, ee_error *error)
{
    const ee_files *files = host->get_capability(host, EE_CAPABILITY_FILES);
    const void *data = NULL;
    size_t size = 0;
    char value[128] = "";
    parameters->text(self->values, strlen(self->values), "lut", value, sizeof value);
    ee_status status = files->parameter(self->input, value, &data, &size, error);
    if (status) {
        g_object_unref(image);
        return status;
    }
    const unsigned char *bytes = data;
    double one = 1, amount = 0;
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t index = 0; index < size; index++) {
        amount = (int)(amount + bytes[index]) % 50;
        hash = (hash ^ bytes[index]) * 0x100000001b3;
    }
    char line[128];
    snprintf(line, sizeof line, "lut %zu bytes %016llx", size, (unsigned long long)hash);
    host->log(host, line);
    int failed = vips_linear(image, result, &one, &amount, 1, "uchar", TRUE, NULL);
    g_object_unref(image);
    return failed ? EE_FAILED : EE_OK;
}

static ee_status render_preview(
    ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    VipsImage *input;
    ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, &input, error);
    return status ? status : brighten(self, input, image, error);
}

static ee_status finish(
    ee_controller *self, const ee_completion *completion, ee_error *error)
{
    ee_output output = {
        .struct_size = sizeof output,
        .adjustment = {"org.example.cube", "1.0", self->values, strlen(self->values)},
    };
    VipsImage *full;
    ee_status status =
        self->input->full_size_image(self->input, EE_ACCESS_SEQUENTIAL, &full, error);
    if (status || (status = brighten(self, full, &output.image, error)))
        return status;
    completion->complete(completion, EE_OK, &output, NULL);
    g_object_unref(output.image);
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

#define IDENTIFIER "org.example.cube"
#include "frame.h"
