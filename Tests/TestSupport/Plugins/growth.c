/* SPDX-License-Identifier: Apache-2.0
 *
 * An extension that brightens by 1, and by what members of a later version tell it. EE_LATER is
 * defined by a header that has such members: a number and a pointer at the end of each structure.
 * SHORT makes the structure of that name shorter than it is in 1.0.
 */
#include <editing_extension.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

#ifndef IDENTIFIER
#define IDENTIFIER "org.example.growth"
#endif

#define SIZE(structure) (sizeof(structure) - (strcmp(SHORT, #structure) == 0 ? 16 : 0))
#ifndef SHORT
#define SHORT ""
#endif

/* Whoever reads the pointer as one of his own and uses it dies. */
#ifdef EE_LATER
#define FILL(structure) ((structure)->later_number = 7, (structure)->later_pointer = (void *)8)
#define TOLD(structure) (EE_COVERS(structure, later_number) ? (structure)->later_number : 0)
#else
#define FILL(structure) ((void)(structure))
#define TOLD(structure) ((void)(structure), 0)
#endif

struct ee_controller {
    const ee_host *host;
    const ee_input *input;
};

static ee_status failed(ee_error *error)
{
    snprintf(error->message, sizeof error->message, "%s", vips_error_buffer());
    return EE_FAILED;
}

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
    (void)error;
    *controller = calloc(1, sizeof **controller);
    (*controller)->host = host;
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

static ee_status brighten(VipsImage *image, double amount, VipsImage **result, ee_error *error)
{
    double one = 1;
    int status = vips_linear(image, result, &one, &amount, 1, "uchar", TRUE, NULL);
    g_object_unref(image);
    return status ? failed(error) : EE_OK;
}

static ee_status render_preview(ee_controller *self, VipsImage **image, ee_error *error)
{
    VipsImage *display;
    ee_status status = self->input->display_image(self->input, &display, error);
    return status ? status : brighten(display, 1 + TOLD(self->input), image, error);
}

static ee_status finish(ee_controller *self, const ee_completion *completion, ee_error *error)
{
    VipsImage *full;
    ee_status status =
        self->input->full_size_image(self->input, EE_ACCESS_SEQUENTIAL, &full, error);
    if (status)
        return status;
    double amount = 1 + TOLD(self->host) + TOLD(self->input) + TOLD(completion);
    ee_output output = {.struct_size = SIZE(ee_output)};
    output.adjustment = (ee_adjustment){IDENTIFIER, "1.0", "recipe", 6};
    FILL(&output);
    status = brighten(full, amount, &output.image, error);
    if (status)
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

static ee_photo_editing photo_editing = {
    .create = create,
    .destroy = destroy,
    .can_handle = can_handle,
    .start = start,
    .get_parameters = get_parameters,
    .set_parameters = set_parameters,
    .render_preview = render_preview,
    .finish = finish,
    .cancel = cancel,
    .should_show_cancel_confirmation = should_show_cancel_confirmation,
};

static const void *get_capability(const char *id)
{
    photo_editing.struct_size = SIZE(ee_photo_editing);
    FILL(&photo_editing);
    return strcmp(id, EE_CAPABILITY_PHOTO_EDITING) == 0 ? &photo_editing : NULL;
}

EE_EXPORT const ee_entry *editing_extension_entry(const ee_host *host)
{
    static ee_entry entry = {
        .abi_major = EE_ABI_MAJOR,
        .abi_minor = EE_ABI_MINOR,
        .identifier = IDENTIFIER,
        .version = "1.0",
        .get_capability = get_capability,
    };
    entry.struct_size = SIZE(ee_entry);
    FILL(&entry);
    return host->abi_major == EE_ABI_MAJOR ? &entry : NULL;
}
