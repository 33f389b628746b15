/* SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in for tests. It adds `amount` to every sample of red, green and blue, and misbehaves according to `mode`.
 * Its recipe is the text "AMOUNT MODE"; with RECORD, the calls so far follow.
 *
 * Macros: IDENTIFIER, FORMAT (written), READS (read; default FORMAT). PEEK: start fails if an encoded picture is open.
 * ASK: logs the arguments of can_handle. WITNESS: lines are appended to the recipe: the calls, the recipe of the input,
 * and the pixels of the placeholder, the display image and the full-size image in hexadecimal digits. ALWAYS: can
 * handle anything. FAILS_AT_START: every start fails. FLAT: the recipe is a JSON object. REFUSES: cannot handle its own
 * recipes. DRAWS_ELSE: adds one more than its recipe contains. CRASHES_OVER_RECIPE: crashes if it starts from a recipe.
 * ACCESSORS: create fails if the host misreads a text of accessors.h. More macros are in beginning.h.
 */
#include <editing_extension.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>

#ifdef ACCESSORS
#include "accessors.h"
#endif
#include "beginning.h"
#include "failing.h"
#include "fault_modes.h"
#include "peeking.h"
#include "rendered.h"
#include "witness.h"

#ifndef IDENTIFIER
#define IDENTIFIER "org.example.adder"
#endif
#ifndef FORMAT
#define FORMAT IDENTIFIER
#endif
#ifndef READS
#define READS FORMAT
#endif

struct ee_controller {
    const ee_input *input;
    double amount;
    char mode[64];
    char calls[1024];
    char json[512];
    char recipe[2048];
    VipsImage *output;
    char path[512];
    volatile bool is_cancelled;
    int files;
    GString *seen;
};

static const ee_host *the_host;

static void note(ee_controller *self, const char *call)
{
    strncat(self->calls, call, sizeof self->calls - strlen(self->calls) - 1);
    strncat(self->calls, " ", sizeof self->calls - strlen(self->calls) - 1);
}

static bool is_mode(const ee_controller *self, const char *mode)
{
    return strcmp(self->mode, mode) == 0;
}

static void misbehave(const ee_controller *self, const char *where)
{
    char wanted[80];
    snprintf(wanted, sizeof wanted, "crash-%s", where);
    if (is_mode(self, wanted))
        raise(SIGSEGV);
    snprintf(wanted, sizeof wanted, "hang-%s", where);
    while (is_mode(self, wanted))
        pause();
}

/* Creates a file in the runner's folder, and waits until the test removes it or cancels the edit. */
static void wait_for_test(const ee_controller *self)
{
    if (!strstr(self->mode, "wait"))
        return;
    char path[512];
    snprintf(path, sizeof path, "%s/waiting", getenv("TMPDIR"));
    FILE *file = fopen(path, "w");
    if (file)
        fclose(file);
    the_host->log(the_host, "waits");
    /* As long as `waitUntil`: on a busy machine, a test may take minutes to cancel. */
    for (int turn = 0; turn < 54000 && access(path, F_OK) == 0 && !self->is_cancelled; turn++)
        usleep(10000);
}

static ee_status fail(ee_error *error, ee_status status, const char *message)
{
    snprintf(error->message, sizeof error->message, "%s", message);
    return status;
}

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
#ifdef ACCESSORS
    const char *wrong = check_parameters(host);
    if (wrong)
        return fail(error, EE_FAILED, wrong);
#endif
    (void)error;
    the_host = host;
    *controller = calloc(1, sizeof **controller);
    (*controller)->amount = 10;
    strcpy((*controller)->mode, "plain");
    (*controller)->seen = g_string_new("");
    note(*controller, "create");
#ifdef ASK
    (*controller)->files = open_files();
#endif
    return EE_OK;
}

static void destroy(ee_controller *self)
{
    g_clear_object(&self->output);
    g_string_free(self->seen, TRUE);
    free(self);
}

static bool read_recipe(const ee_adjustment *adjustment, double *amount, char mode[64])
{
    char text[2048];
    size_t size = adjustment->size < sizeof text - 1 ? adjustment->size : sizeof text - 1;
    memcpy(text, adjustment->data, size);
    text[size] = 0;
#ifdef FLAT
    return sscanf(text, "{\"n\":%lf,\"m\":\"%63[^\"]\"}", amount, mode) == 2;
#else
    return sscanf(text, "%lf %63s", amount, mode) == 2;
#endif
}

static ee_status can_handle(
    ee_controller *self, const ee_adjustment *adjustment, bool *answer, ee_error *error)
{
    (void)error;
    note(self, "canHandle");
#ifdef ASK
    char line[512];
    snprintf(
        line, sizeof line, "asked %s %s %.*s, new files %d", adjustment->format_identifier,
        adjustment->format_version, (int)adjustment->size, (const char *)adjustment->data,
        open_files() - self->files);
    the_host->log(the_host, line);
#endif
#ifdef CRASH_CAN_HANDLE
    raise(SIGSEGV);
#endif
#ifdef HANG_CAN_HANDLE
    for (;;)
        pause();
#endif
    *answer = strcmp(adjustment->format_identifier, READS) == 0;
#ifdef ALWAYS
    *answer = true;
#endif
#ifdef REFUSES
    *answer = false;
#endif
    return EE_OK;
}

static ee_status start(
    ee_controller *self, const ee_input *input, VipsImage *placeholder, ee_error *error)
{
    note(self, placeholder ? "start" : "start-without-placeholder");
    self->input = input;
    if (input->adjustment && !read_recipe(input->adjustment, &self->amount, self->mode))
        return fail(error, EE_BAD_ADJUSTMENT, "the recipe is not mine");
#ifdef DRAWS_ELSE
    if (input->adjustment)
        self->amount += 1;
#endif
    begin_otherwise(the_host, input, self->mode);
    tell_profile(the_host, "placeholder", placeholder);
#ifdef CRASHES_OVER_RECIPE
    if (input->adjustment)
        raise(SIGSEGV);
#endif
    misbehave(self, "start");
    if (is_mode(self, "ask-early")) {
        char line[256];
        double average = 0;
        vips_avg(placeholder, &average, NULL);
        snprintf(
            line, sizeof line, "start: placeholder %dx%d, %.2f", placeholder->Xsize,
            placeholder->Ysize, average);
        the_host->log(the_host, line);
    }
#ifdef PEEK
    if (sees_picture())
        return fail(error, EE_FAILED, "it sees an encoded picture");
#endif
#ifdef FAILS_AT_START
    return fail(error, EE_FAILED, "no start today");
#endif
    if (is_mode(self, "fail-start"))
        return fail(error, EE_FAILED, "no wish to start");
#ifdef WITNESS
    const char *recipe = input->adjustment ? input->adjustment->data : "-";
    size_t size = input->adjustment ? input->adjustment->size : 1;
    const char *end = memchr(recipe, '\n', size);
    g_string_append_printf(
        self->seen, "adjustment %.*s\n", (int)(end ? end - recipe : (long)size), recipe);
    g_string_append_printf(
        self->seen, "subtypes %llu\n", (unsigned long long)input->media_subtypes);
    see(self->seen, "placeholder", placeholder);
    VipsImage *display = NULL;
    ee_status shown = input->display_image(input, &display, error);
    if (shown != EE_OK)
        return shown;
    see(self->seen, "display", display);
    g_object_unref(display);
#endif
    return EE_OK;
}

static ee_status get_parameters(ee_controller *self, const char **json, ee_error *error)
{
    (void)error;
    snprintf(
        self->json, sizeof self->json, "{\"amount\": %g, \"mode\": \"%s\"}", self->amount,
        self->mode);
    *json = self->json;
    if (is_mode(self, "many-parameters")) {
        char *text = malloc(2 << 20);
        memset(text, ' ', 2 << 20);
        memcpy(text, self->json, strlen(self->json));
        text[(2 << 20) - 1] = 0;
        *json = text;
    }
    return EE_OK;
}

static ee_status set_parameters(
    ee_controller *self, const char *json, size_t size, ee_error *error)
{
    (void)error;
    note(self, "setParameters");
    char text[4096];
    snprintf(text, sizeof text, "%.*s", (int)(size < 4000 ? size : 4000), json);
    char *amount = strstr(text, "\"amount\":");
    if (amount)
        self->amount = atof(amount + 9);
    char *mode = strstr(text, "\"mode\":\"");
    if (mode)
        sscanf(mode + 8, "%63[^\"]", self->mode);
    return EE_OK;
}

/* Adds to the colours but not to alpha. The result is float; the host casts it. */
static VipsImage *added(ee_controller *self, VipsImage *in)
{
    double ones[4] = {1, 1, 1, 1};
    double amounts[4] = {self->amount, self->amount, self->amount, 0};
    VipsImage *out = NULL;
    if (is_mode(self, "crash-pixels"))
        return crashing(in);
    if (strstr(self->mode, "-kept") && self->output)
        return g_object_ref(self->output);
    if (is_mode(self, "facts"))
        for (int band = 0; band < 3; band++)
            amounts[band] += told(self->input);
    vips_linear(in, &out, ones, amounts, in->Bands, NULL);
    return spoiled(self->mode, out);
}

/* Logs the sizes of the input, and requests the full-size image early. */
static void ask_early(ee_controller *self, const char *call)
{
    VipsImage *image = NULL;
    const char *path;
    ee_error error;
    const ee_input *input = self->input;
    ee_status first = input->full_size_image(input, EE_ACCESS_RANDOM, &image, &error);
    ee_status second = input->full_size_path(input, &path, &error);
    char line[256];
    snprintf(
        line, sizeof line, "%s: %ux%u, %.4f, %.4f, image %d %dx%d, path %d", call,
        input->full_width, input->full_height, input->full_scale, input->display_scale, first,
        image ? image->Xsize : 0, image ? image->Ysize : 0, second);
    the_host->log(the_host, line);
    g_clear_object(&image);
}

static ee_status render_preview(
    ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    note(self, "preview");
    misbehave(self, "preview");
    if (is_mode(self, "ask-early"))
        ask_early(self, "preview");
    if (is_mode(self, "wait-preview"))
        wait_for_test(self);
    if (is_mode(self, "slow-preview")) {
        the_host->log(the_host, "takes its time");
        usleep(200000);
    }
    VipsImage *display = NULL;
    ee_status status = self->input->display_image(self->input, &display, error);
    if (status != EE_OK)
        return status;
    *image = added(self, display);
    if (*image && strstr(self->mode, "-kept") && !self->output)
        self->output = g_object_ref(*image);
    g_object_unref(display);
    return *image ? EE_OK : fail(error, EE_FAILED, "no preview");
}

typedef struct later {
    ee_controller *self;
    const ee_completion *completion;
    ee_output output;
} later;

static void *complete_later(void *data)
{
    later *job = data;
    usleep(20000);
    job->completion->complete(job->completion, EE_OK, &job->output, NULL);
    if (strcmp(job->self->mode, "file-removed-later") == 0)
        unlink(job->self->path);
    free(job);
    return NULL;
}

static ee_status write_file(ee_controller *self, ee_output *output, ee_error *error)
{
    bool is_lie = is_mode(self, "file-lie");
    const char *type = is_lie ? "image/jpeg" : "image/tiff";
    const char *path;
    ee_status status = self->input->rendered_content_path(self->input, type, &path, error);
    if (status != EE_OK)
        return status;
    if (is_mode(self, "file-missing"))
        unlink(path);
    else if (is_mode(self, "file-turned"))
        vips_image_set_int(self->output, VIPS_META_ORIENTATION, 6);
    else if (is_mode(self, "file-unprofiled"))
        vips_image_remove(self->output, VIPS_META_ICC_NAME);
    VipsImage *cast = NULL;
    VipsBandFormat format =
        is_mode(self, "file-deep") ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR;
    snprintf(self->path, sizeof self->path, "%s", path);
    if (!is_mode(self, "file-missing") && !is_mode(self, "file-unwritten")) {
        VipsTarget *target = vips_target_new_to_file(path);
        int failed = !target || vips_cast(self->output, &cast, format, NULL)
            || (is_lie ? vips_pngsave_target(cast, target, NULL)
                       : vips_tiffsave_target(cast, target, NULL));
        g_clear_object(&cast);
        g_clear_object(&target);
        if (failed)
            return fail(error, EE_FAILED, vips_error_buffer());
    }
    if (is_mode(self, "file-sparse"))
        make_sparse(path);
    if (is_mode(self, "file-hollow"))
        make_hollow(path);
    output->image = NULL;
    output->rendered_content_type = type;
    return EE_OK;
}

static ee_status finish(
    ee_controller *self, const ee_completion *completion, ee_error *error)
{
    note(self, "finish");
    misbehave(self, "finish");
    if (is_mode(self, "silent"))
        return EE_OK;
    if (!is_mode(self, "wait-with-image"))
        wait_for_test(self);
    commit_fault(self->mode);
    if (is_mode(self, "ask-early"))
        ask_early(self, "finish");
    if (is_mode(self, "full-size-path")) {
        const char *path;
        ee_error overlooked;
        self->input->full_size_path(self->input, &path, &overlooked);
    }
    if (is_mode(self, "fail-finish"))
        return fail(error, EE_FAILED, "no wish to finish");
    if (is_mode(self, "discard")) {
        completion->complete(completion, EE_DISCARDED, NULL, NULL);
        return EE_OK;
    }
    VipsImage *image = NULL;
    ee_status status = self->input->full_size_image(
        self->input, EE_ACCESS_SEQUENTIAL, &image, error);
    if (status != EE_OK)
        return status;
    tell_profile(the_host, "full", image);
#ifdef WITNESS
    VipsImage *memory = vips_image_copy_memory(image);
    g_object_unref(image);
    image = memory;
    see(self->seen, "full", image);
#endif
    VipsImage *result = added(self, image);
    g_clear_object(&self->output);
    self->output = result;
    g_object_unref(image);
    if (is_mode(self, "wait-with-image"))
        wait_for_test(self);
#ifdef RECORD
    snprintf(self->recipe, sizeof self->recipe, "%g %s %s", self->amount, self->mode, self->calls);
#elif defined FLAT
    snprintf(
        self->recipe, sizeof self->recipe, "{\"n\":%g,\"m\":\"%s\"}", self->amount, self->mode);
#else
    snprintf(self->recipe, sizeof self->recipe, "%g %s", self->amount, self->mode);
#endif
    ee_output output = {
        .struct_size = sizeof output,
        .adjustment = {FORMAT, "1.0", self->recipe, strlen(self->recipe)},
        .image = self->output,
    };
#ifdef WITNESS
    g_string_prepend(self->seen, "\n");
    g_string_prepend(self->seen, self->calls);
    g_string_prepend(self->seen, "\ncalls ");
    g_string_prepend(self->seen, self->recipe);
    output.adjustment.data = self->seen->str;
    output.adjustment.size = self->seen->len;
#endif
    if (is_mode(self, "empty-recipe"))
        output.adjustment.size = 0;
    if (is_mode(self, "huge-recipe")) {
        output.adjustment.size = (16 << 20) + 1;
        output.adjustment.data = calloc(1, output.adjustment.size);
    }
    if (is_mode(self, "giant-recipe")) {
        output.adjustment.size = 64 << 20;
        output.adjustment.data = calloc(1, output.adjustment.size);
    }
    if (is_mode(self, "binary-recipe")) {
        output.adjustment.data = "\xff\xfe\x00\xc0\x80 no text";
        output.adjustment.size = 13;
    }
    if (is_mode(self, "unknown-format")) {
        output.adjustment.format_identifier = "org.nobody.knows";
        output.adjustment.format_version = "77.\xf0\x9f\x8e\x9e";
    }
    if (is_mode(self, "binary-format"))
        output.adjustment.format_identifier = "org.\xff\xc0.binary";
    if (is_mode(self, "endless-format")) {
        char *name = malloc(1 << 20);
        memset(name, 'a', 1 << 20);
        name[(1 << 20) - 1] = 0;
        output.adjustment.format_identifier = name;
    }
    if (is_mode(self, "gray"))
        vips_colourspace(self->output, &output.image, VIPS_INTERPRETATION_B_W, NULL);
    if (strncmp(self->mode, "file", 4) == 0) {
        status = write_file(self, &output, error);
        if (status != EE_OK)
            return status;
    }
    if (is_mode(self, "noise"))
        for (int line = 0; line < 2000; line++)
            printf("{\"noise\": %d}\n", line);
    fflush(stdout);
    if (strstr(self->mode, "later")) {
        later *job = malloc(sizeof *job);
        *job = (later){self, completion, output};
        pthread_t thread;
        pthread_create(&thread, NULL, complete_later, job);
        pthread_detach(thread);
        return EE_OK;
    }
    completion->complete(completion, EE_OK, &output, NULL);
    if (strncmp(self->mode, "file", 4) == 0)
        the_host->log(
            the_host, access(self->path, F_OK) == 0 ? "the file is there" : "the file is gone");
    spoil_file(self->mode, self->path);
    if (is_mode(self, "twice"))
        completion->complete(completion, EE_OK, NULL, NULL);
    return EE_OK;
}

static void cancel(ee_controller *self) { self->is_cancelled = true; }

static bool should_show_cancel_confirmation(ee_controller *self)
{
    misbehave(self, "confirm");
    sleep(is_mode(self, "slow-confirm") ? 2 : 0);
    return strncmp(self->mode, "asking", 6) == 0;
}

#include "frame.h"
