/* SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in for tests of `extensions validate`. It multiplies the colours by `gain`. Each macro adds one mistake, which
 * exactly one check reports; ZooMember.swift lists them.
 */
#define _GNU_SOURCE
#include <editing_extension.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>

#ifndef ID
#define ID "org.example.zoo"
#endif
#ifndef VERSION
#define VERSION "1.0"
#endif
#ifndef FORMAT_VERSION
#define FORMAT_VERSION "1.0"
#endif
#ifndef MAJOR
#define MAJOR EE_ABI_MAJOR
#endif
#ifndef NULL_FUNCTION
#define NULL_FUNCTION 0
#endif
#ifndef NULL_CAPABILITIES
#define NULL_CAPABILITIES 0
#endif
#ifndef VALUES
#define VALUES "{\"gain\":1}"
#endif

static const ee_host *the_host;
static const ee_parameters *parameters;

struct ee_controller {
    const ee_input *input;
    char values[256];
    int previews;
};

static ee_status fail(ee_error *error, const char *message)
{
    g_strlcpy(error->message, message, sizeof error->message);
    return EE_FAILED;
}

#ifdef CRASH_AT_LOAD
__attribute__((constructor)) static void crash_at_load(void) { abort(); }
#endif
#ifdef EXIT_AT_LOAD
__attribute__((constructor)) static void exit_at_load(void) { exit(0); }
#endif

static double gain_of(const ee_controller *self)
{
    double gain = 1;
    parameters->number(self->values, strlen(self->values), "gain", &gain);
#ifdef DEAD_PARAMETER
    gain = 1.5;
#endif
#ifdef RANDOM
    gain *= 1 + (g_get_monotonic_time() % 997) * 2e-5;
#endif
#ifdef ROUND_TRIP
    if (self->input->adjustment)
        gain += 0.1;
#endif
#ifdef THREADS
    if (vips_concurrency_get() > 1)
        gain += 0.1;
#endif
    return gain;
}

#ifdef BYTES
/* Assumes samples of one byte. */
static VipsImage *multiplied_bytes(VipsImage *image, double gain)
{
    size_t size;
    int width = image->Xsize, height = image->Ysize, bands = image->Bands;
    unsigned char *pixels = vips_image_write_to_memory(image, &size);
    if (!pixels)
        return NULL;
    for (size_t i = 0; i < (size_t)width * height * bands; i++)
        if (i % bands < 3)
            pixels[i] = VIPS_MIN(255, rint(pixels[i] * gain));
    VipsImage *result = vips_image_new_from_memory_copy(
        pixels, (size_t)width * height * bands, width, height, bands, VIPS_FORMAT_UCHAR);
    g_free(pixels);
    return result;
}
#endif

#ifdef SRGB_ONLY
static bool is_srgb(VipsImage *image)
{
    const void *profile;
    size_t size;
    if (!vips_image_get_typeof(image, VIPS_META_ICC_NAME))
        return true;
    if (vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &size))
        return false;
    return memmem(profile, size, "sRGB", 4) || memmem(profile, size, "s\0R\0G\0B", 7);
}
#endif

/* Takes the image's reference, gives one away. */
static ee_status apply(ee_controller *self, VipsImage *image, VipsImage **result, ee_error *error)
{
    double gain = gain_of(self), none[4] = {0}, factors[4] = {gain, gain, gain, 1};
    int bands = image->Bands, status = 0;
    (void)factors, (void)none, (void)bands;
#ifdef ALPHA
    factors[3] = gain;
#endif
#ifdef THREE_FACTORS
    bands = 3;
#endif
#ifdef FLOATS
    for (int band = 0; band < 4; band++)
        factors[band] /= 255;
#endif
#ifdef SRGB_ONLY
    if (!is_srgb(image))
        status = fail(error, "the picture is not sRGB");
#endif
#ifdef SMALL
    if (image->Xsize < 2)
        status = fail(error, "the picture is too small");
#endif
#ifdef MEMORY
    if (image->Xsize > 4000) {
        char *memory = g_malloc(900 << 20);
        memset(memory, 1, 900 << 20);
        g_free(memory);
    }
#endif
    *result = NULL;
    VipsImage *multiplied = NULL;
#ifdef BYTES
    multiplied = multiplied_bytes(image, gain);
    status = status || !multiplied;
#else
    status = status || vips_linear(image, &multiplied, factors, none, bands, NULL);
#endif
    bool flips = false, mirrors = false;
#ifdef UPSIDE_DOWN
    flips = true;
#endif
#ifdef ORIENTS
    mirrors = self->input->capture->orientation != 1;
#endif
    if (!status && (flips || mirrors))
        status = vips_flip(
            multiplied, result, flips ? VIPS_DIRECTION_VERTICAL : VIPS_DIRECTION_HORIZONTAL, NULL);
    else if (!status)
        *result = g_object_ref(multiplied);
    g_clear_object(&multiplied);
#ifndef LEAK_IMAGES
    g_object_unref(image);
#endif
    if (status && !error->message[0])
        return fail(error, vips_error_buffer());
    return status ? EE_FAILED : EE_OK;
}

static ee_status create(const ee_host *host, ee_controller **self, ee_error *error)
{
    (void)host, (void)error;
#ifdef NULL_CONTROLLER
    *self = NULL;
    return EE_OK;
#endif
    *self = g_new0(ee_controller, 1);
    g_strlcpy((*self)->values, VALUES, sizeof(*self)->values);
#ifdef CRASH_IN_CREATE
    abort();
#endif
    return EE_OK;
}

static void destroy(ee_controller *self)
{
#ifdef CRASH_IN_DESTROY
    if (!self->input)
        abort();
#endif
#ifdef LEAK
    /* Volatile, so that the compiler does not remove what is never read. */
    static void *volatile leaked;
    leaked = malloc(1 << 20);
    memset(leaked, 1, 1 << 20);
#endif
    g_free(self);
}

static ee_status can_handle(
    ee_controller *self, const ee_adjustment *recipe, bool *answer, ee_error *error)
{
    (void)self, (void)error;
#ifdef CRASH_OVER_RECIPE
    const char *text = recipe->data;
    if (recipe->size == 0 || text[recipe->size - 1] != '}')
        abort();
#endif
    *answer = g_str_equal(recipe->format_identifier, ID);
#ifdef ANY_RECIPE
    *answer = true;
#endif
#ifdef NO_RECIPE
    *answer = false;
#endif
    return EE_OK;
}

#ifdef CRASH_OVER_VALUE
static void require_valid(const char *json, size_t size)
{
    double gain = 0;
    if (!parameters->number(json, size, "gain", &gain) || gain < 0 || gain > 4)
        abort();
}
#endif

static ee_status set_parameters(
    ee_controller *self, const char *json, size_t size, ee_error *error)
{
#ifdef IGNORE_VALUES
    (void)self, (void)json, (void)size, (void)error;
    return EE_OK;
#else
#ifdef CRASH_OVER_VALUE
    require_valid(json, size);
#endif
#ifdef NO_MAXIMUM
    double gain = 0;
    if (parameters->number(json, size, "gain", &gain) && gain >= 4) {
        fail(error, "gain must be less than 4");
        return EE_BAD_PARAMETER;
    }
#endif
    return parameters->merge(self->values, sizeof self->values, json, size, error);
#endif
}

static ee_status start(
    ee_controller *self, const ee_input *input, VipsImage *placeholder, ee_error *error)
{
    (void)placeholder;
    const ee_adjustment *recipe = input->adjustment;
    self->input = input;
#ifdef CRASH_IN_START
    abort();
#endif
#ifdef FAIL_IN_START
    return fail(error, "no start");
#endif
    if (recipe &&
        parameters->merge(self->values, sizeof self->values, recipe->data, recipe->size, error))
        return EE_BAD_ADJUSTMENT;
    return EE_OK;
}

static ee_status get_parameters(ee_controller *self, const char **json, ee_error *error)
{
    (void)error;
    *json = self->values;
#ifdef NULL_PARAMETERS
    *json = NULL;
#endif
    return EE_OK;
}

static ee_status render_preview(
    ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    VipsImage *input;
    ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, &input, error);
    if (status)
        return status;
#ifdef ONE_PREVIEW
    if (self->previews++ > 0) {
        g_object_unref(input);
        return fail(error, "a second preview");
    }
#endif
#ifdef CRASH_IN_PREVIEW
    abort();
#endif
#ifdef NULL_PREVIEW
    g_object_unref(input);
    *image = NULL;
    return EE_OK;
#endif
#ifdef PLAIN_PREVIEW
    *image = input;
    return EE_OK;
#endif
    status = apply(self, input, image, error);
#ifdef PREVIEW_PART
    if (!status && preview->width < 1)
        status = apply(self, vips_image_copy_memory(*image), image, error);
#endif
    return status;
}

#ifdef LATE
static volatile bool was_cancelled;

/* What a thread needs to call the completion, even after the controller was destroyed. */
struct late {
    const ee_completion *completion;
    VipsImage *image;
    char recipe[256];
};

static void *complete_late(void *data)
{
    struct late *late = data;
    ee_output output = {
        sizeof output, .adjustment = {ID, FORMAT_VERSION, late->recipe, strlen(late->recipe)},
        .image = late->image};
    usleep(200000); /* A cancellation comes first, even on a busy machine. */
    late->completion->complete(late->completion, EE_OK, &output, NULL);
    /* After a cancellation, the input of the image is gone. */
    if (!was_cancelled)
        g_object_unref(late->image);
    g_free(late);
    return NULL;
}

static void start_late(
    ee_controller *self, const ee_completion *completion, const ee_output *output)
{
    struct late *late = g_new0(struct late, 1);
    late->completion = completion;
    late->image = output->image;
    g_strlcpy(late->recipe, self->values, sizeof late->recipe);
    g_object_ref(late->image);
    pthread_t thread;
    if (pthread_create(&thread, NULL, complete_late, late) == 0)
        pthread_detach(thread);
}
#endif

static ee_status finish(
    ee_controller *self, const ee_completion *completion, ee_error *error)
{
    ee_output output = {
        sizeof output,
        .adjustment = {ID, FORMAT_VERSION, self->values, strlen(self->values)}};
    VipsImage *full;
    ee_status status =
        self->input->full_size_image(self->input, EE_ACCESS_SEQUENTIAL, &full, error);
    if (status)
        return status;
#ifdef CRASH_IN_FINISH
    abort();
#endif
    status = apply(self, full, &output.image, error);
    if (status)
        return status;
#ifdef SLOW_FINISH
    usleep(200000);
#endif
#ifdef BYTES
    /* The pixels are already computed, which takes a while. */
    const ee_work *work = the_host->get_capability(the_host, EE_CAPABILITY_WORK);
    if (work && work->is_cancelled(self->input)) {
        g_clear_object(&output.image);
        return EE_CANCELLED;
    }
#endif
#ifdef EMPTY_RECIPE
    output.adjustment.size = 0;
#endif
#ifdef NULL_RECIPE
    memset(&output.adjustment, 0, sizeof output.adjustment);
#endif
#ifdef NO_IMAGE
    g_clear_object(&output.image);
#endif
#ifdef NULL_OUTPUT
    completion->complete(completion, EE_OK, NULL, NULL);
#elif defined LATE
    start_late(self, completion, &output);
#elif defined DISCARDS
    completion->complete(completion, EE_DISCARDED, NULL, NULL);
#elif !defined NO_COMPLETION
    completion->complete(completion, EE_OK, &output, NULL);
#endif
#ifdef TWICE
    completion->complete(completion, EE_OK, &output, NULL);
#endif
    g_clear_object(&output.image);
    return EE_OK;
}

static void cancel(ee_controller *self)
{
    (void)self;
#ifdef LATE
    was_cancelled = true;
#endif
#ifdef HANG_IN_CANCEL
    for (;;)
        pause();
#endif
#ifdef CRASH_IN_CANCEL
    abort();
#endif
}

static bool should_show_cancel_confirmation(ee_controller *self)
{
    (void)self;
    return false;
}

static const ee_photo_editing photo_editing = {
    sizeof photo_editing, create, destroy, can_handle, start, get_parameters, set_parameters,
    render_preview, finish, NULL_FUNCTION ? NULL : cancel, should_show_cancel_confirmation};

#ifdef VIDEO
static ee_status process_frame(
    ee_controller *self, const ee_frame *frame, VipsImage **image, ee_error *error)
{
    VipsImage *result;
    ee_status status = apply(self, g_object_ref(frame->image), &result, error);
    if (status)
        return status;
#ifdef FRAME_SIZES
    int width = result->Xsize - (frame->time > 0);
    status = vips_crop(result, image, 0, 0, width, result->Ysize, NULL) ? EE_FAILED : EE_OK;
    g_object_unref(result);
#elif defined NULL_FRAME
    g_object_unref(result);
    *image = NULL;
#elif defined FRAME_NOISE
    status = vips_linear1(result, image, 1, getpid() % 199, NULL) ? EE_FAILED : EE_OK;
    g_object_unref(result);
#else
    *image = result;
#endif
    return status;
}
static const ee_frame_processor frames = {sizeof frames, process_frame};
#endif

#ifdef GENERATES
static const char *generate(void)
{
    return "{\"identifier\": \"" ID "\", \"name\": \"Zoo\", \"version\": \"1.0\", \"abi\": \"1.0\","
           "\"supportedMediaTypes\": [\"image\"], \"parameters\": [{\"name\": \"gain\","
           "\"type\": \"number\", \"minimum\": 0, \"maximum\": 8, \"default\": 1}]}";
}
static const ee_manifest manifest = {sizeof manifest, generate};
#endif

static const void *get_capability(const char *id)
{
#ifdef GENERATES
    if (g_str_equal(id, EE_CAPABILITY_MANIFEST))
        return &manifest;
#endif
#ifdef VIDEO
    if (g_str_equal(id, EE_CAPABILITY_FRAME_PROCESSOR))
        return &frames;
#endif
#ifdef NO_CAPABILITY
    return NULL;
#endif
    return g_str_equal(id, EE_CAPABILITY_PHOTO_EDITING) ? &photo_editing : NULL;
}

static const ee_entry entry = {
    sizeof entry, MAJOR, EE_ABI_MINOR, ID, VERSION, NULL_CAPABILITIES ? NULL : get_capability};

#ifdef NO_ENTRY
#define editing_extension_entry editing_extension_entrance
const ee_entry *editing_extension_entrance(const ee_host *host);
#endif

EE_EXPORT const ee_entry *editing_extension_entry(const ee_host *host)
{
    the_host = host;
    parameters = host->get_capability(host, EE_CAPABILITY_PARAMETERS);
#ifdef SLOW_LOAD
    usleep(700000);
#endif
#ifdef NULL_ENTRY
    return NULL;
#endif
    return parameters ? &entry : NULL;
}
