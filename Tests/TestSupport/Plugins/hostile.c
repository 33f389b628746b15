/* SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in for tests that attacks the system and changes no pixel. Its recipe lists the results:
 * "threads=N inputs=N succeeded=NAME,NAME, report=NAME:SUCCESS:ERRNO:NS,".
 *
 * Macros: ATTACKS: a list of groups and names, each surrounded by spaces. FOLDER: a folder with a file
 * "sentinel". VICTIM: a process. PORT and NAME: the addresses of a listening IPv4 and abstract socket.
 * WHERE: 0 in start, 1 in a constructor, 2 in threads of libvips, 3 when the parameter "attacks" is set
 * to a name. SYSTEM_CALL: int80 or x32.
 */
#define _GNU_SOURCE
#include <editing_extension.h>

#include "attacks.h"

#include <vips/vips.h>

static GMutex lock;
static char succeeded[4096];
static char report[4096];
static int threads;
static int inputs;

/* Makes one attack, and records its success, errno and duration. */
static int try(const attack *attack)
{
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    errno = 0;
    int is_success = attack->run() != 0;
    int error = errno;
    clock_gettime(CLOCK_MONOTONIC, &after);
    long long taken =
        (after.tv_sec - before.tv_sec) * 1000000000LL + after.tv_nsec - before.tv_nsec;
    size_t used = strlen(report);
    if (used < sizeof report - 128)
        snprintf(
            report + used, sizeof report - used, "%.*s:%d:%d:%lld,",
            (int)strlen(attack->name) - 2, attack->name + 1, is_success, error, taken);
    return is_success;
}

static void attack_with(const char *wanted)
{
    g_mutex_lock(&lock);
    threads++;
    inputs += count_inputs(is_input);
    for (size_t index = 0; index < sizeof attacks / sizeof attacks[0]; index++) {
        const attack *attack = &attacks[index];
        if (!strstr(wanted, attack->group) && !strstr(wanted, attack->name))
            continue;
        if (!try(attack) || strlen(succeeded) > sizeof succeeded - 64)
            continue;
        strcat(succeeded, attack->name + 1);
        succeeded[strlen(succeeded) - 1] = ',';
    }
    g_mutex_unlock(&lock);
}

#if WHERE != 3
static void attack_all(void) { attack_with(ATTACKS); }
#endif

#ifdef SYSTEM_CALL
static void int80(void) { __asm__ volatile("int $0x80" : : "a"(20L) : "memory"); }
static void x32(void) { syscall(0x40000000 | SYS_getpid); }
#endif

#if WHERE == 1
__attribute__((constructor)) static void construct(void) { attack_all(); }
#endif

#if WHERE == 2
static int attack_in_pixels(VipsRegion *out, void *sequence, void *a, void *caller, gboolean *stop)
{
    (void)sequence;
    (void)a;
    (void)stop;
    if (g_thread_self() != caller)
        attack_all();
    vips_region_black(out);
    return 0;
}

/* Attacks from the threads with which libvips computes an image. */
static void attack_from_threads(void)
{
    VipsImage *image = vips_image_new();
    vips_image_init_fields(
        image, 1024, 1024, 1, VIPS_FORMAT_UCHAR, VIPS_CODING_NONE, VIPS_INTERPRETATION_B_W, 1, 1);
    vips_image_pipelinev(image, VIPS_DEMAND_STYLE_SMALLTILE, NULL);
    vips_image_generate(image, NULL, attack_in_pixels, NULL, NULL, g_thread_self());
    double average;
    vips_avg(image, &average, NULL);
    g_object_unref(image);
}
#endif

struct ee_controller {
    const ee_input *input;
    VipsImage *output;
    char recipe[9000];
};

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
    (void)host;
    (void)error;
    *controller = calloc(1, sizeof **controller);
    return EE_OK;
}

static void destroy(ee_controller *self)
{
    g_clear_object(&self->output);
    free(self);
}

static ee_status can_handle(
    ee_controller *self, const ee_adjustment *adjustment, bool *answer, ee_error *error)
{
    (void)self;
    (void)adjustment;
    (void)error;
    *answer = false;
    return EE_OK;
}

static ee_status start(
    ee_controller *self, const ee_input *input, VipsImage *placeholder, ee_error *error)
{
    (void)placeholder;
    (void)error;
    self->input = input;
#ifdef SYSTEM_CALL
    SYSTEM_CALL();
#endif
#if WHERE == 0
    attack_all();
#elif WHERE == 2
    attack_from_threads();
#endif
    return EE_OK;
}

static ee_status get_parameters(ee_controller *self, const char **json, ee_error *error)
{
    (void)self;
    (void)error;
    *json = "{}";
    return EE_OK;
}

static ee_status set_parameters(
    ee_controller *self, const char *json, size_t size, ee_error *error)
{
    (void)self;
    (void)json;
    (void)size;
    (void)error;
#if WHERE == 3
    char text[256];
    char name[64];
    char wanted[70];
    snprintf(text, sizeof text, "%.*s", (int)(size < 200 ? size : 200), json);
    succeeded[0] = report[0] = 0;
    if (sscanf(text, "{\"attacks\":\"%63[^\"]", name) == 1) {
        snprintf(wanted, sizeof wanted, " %s ", name);
        attack_with(wanted);
    }
#endif
    return EE_OK;
}

static ee_status render_preview(
    ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    return self->input->display_image(self->input, image, error);
}

static ee_status finish(
    ee_controller *self, const ee_completion *completion, ee_error *error)
{
    ee_status status = self->input->full_size_image(
        self->input, EE_ACCESS_SEQUENTIAL, &self->output, error);
    if (status != EE_OK)
        return status;
    snprintf(
        self->recipe, sizeof self->recipe, "threads=%d inputs=%d succeeded=%s report=%s", threads,
        inputs, succeeded, report);
    ee_output output = {
        .struct_size = sizeof output,
        .adjustment = {"org.example.hostile", "1.0", self->recipe, strlen(self->recipe)},
        .image = self->output,
    };
    completion->complete(completion, EE_OK, &output, NULL);
    return EE_OK;
}

static void cancel(ee_controller *self) { (void)self; }

static bool should_show_cancel_confirmation(ee_controller *self)
{
    (void)self;
    return false;
}

#define IDENTIFIER "org.example.hostile"
#include "frame.h"
