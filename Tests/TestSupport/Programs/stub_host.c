/* SPDX-License-Identifier: Apache-2.0
 *
 * A minimal host. It edits a picture whose samples are all 100 and prints the results. Its structures end at an
 * unreadable page, so an extension that reads a member beyond their end crashes.
 *
 * A header with members of a later version defines EE_LATER: a number and a pointer at the end of each structure. The
 * numbers of this host are 10 in ee_host, 20 in ee_input, 30 in ee_completion and 40 in ee_preview.
 *
 * Usage: stub_host LIBRARY
 */
#include <dlfcn.h>
#include <editing_extension.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vips/vips.h>

static sem_t completed;
static VipsImage *result;

static void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* Returns zeroed memory that ends at an unreadable page. */
static void *at_end_of_page(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(pages != MAP_FAILED && size <= page, "no memory");
    require(mprotect(pages + page, page, PROT_NONE) == 0, "no protection");
    return pages + page - size;
}

static void print_log(const ee_host *host, const char *message)
{
    (void)host;
    printf("log %s\n", message);
}

static const void *no_capability(const ee_host *host, const char *id)
{
    (void)host, (void)id;
    return NULL;
}

static VipsImage *gray(void)
{
    double one[] = {1, 1, 1}, level[] = {100, 100, 100};
    VipsImage *black, *image;
    require(!vips_black(&black, 16, 8, "bands", 3, NULL), "no picture");
    require(!vips_linear(black, &image, one, level, 3, "uchar", TRUE, NULL), "no picture");
    g_object_unref(black);
    return image;
}

static ee_status display_image(const ee_input *input, VipsImage **image, ee_error *error)
{
    (void)input, (void)error;
    *image = gray();
    return EE_OK;
}

static ee_status full_size_image(
    const ee_input *input, ee_access access, VipsImage **image, ee_error *error)
{
    (void)access;
    return display_image(input, image, error);
}

static ee_status full_size_path(const ee_input *input, const char **path, ee_error *error)
{
    (void)input, (void)path, (void)error;
    return EE_UNSUPPORTED;
}

static ee_status rendered_content_path(
    const ee_input *input, const char *type, const char **path, ee_error *error)
{
    (void)type;
    return full_size_path(input, path, error);
}

static void complete(
    const ee_completion *completion, ee_status status, const ee_output *output,
    const ee_error *error)
{
    (void)completion;
    require(status == EE_OK && output, error ? error->message : "no output");
    require(output->struct_size >= EE_OUTPUT_SIZE_1_0, "a short output");
    printf(
        "recipe %s %s %d\n", output->adjustment.format_identifier,
        output->adjustment.format_version, output->adjustment.size > 0);
#ifdef EE_LATER
    printf("output %d\n", EE_COVERS(output, later_number) ? (int)output->later_number : 0);
#endif
    result = g_object_ref(output->image);
    sem_post(&completed);
}

static const ee_input *input(void)
{
    ee_input *made = at_end_of_page(sizeof *made);
    made->struct_size = sizeof *made;
    made->media_type = 1;
    made->content_type = made->default_rendered_content_type = "image/png";
    made->full_width = 16;
    made->full_height = 8;
    made->full_size_orientation = 1;
    made->full_scale = made->display_scale = 1;
    made->display_image = display_image;
    made->full_size_image = full_size_image;
    made->full_size_path = full_size_path;
    made->rendered_content_path = rendered_content_path;
#ifdef EE_LATER
    made->later_number = 20;
#endif
    return made;
}

static ee_status preview_image(
    const ee_preview *preview, ee_access access, VipsImage **image, ee_error *error)
{
    (void)preview, (void)access;
    return display_image(NULL, image, error);
}

static const ee_preview *wanted(void)
{
    ee_preview *made = at_end_of_page(sizeof *made);
    made->struct_size = sizeof *made;
    made->scale = made->width = made->height = 1;
    made->image = preview_image;
#ifdef EE_LATER
    made->later_number = 40;
#endif
    return made;
}

static const ee_host *host(void)
{
    ee_host *made = at_end_of_page(sizeof *made);
    made->struct_size = sizeof *made;
    made->abi_major = EE_ABI_MAJOR;
    made->abi_minor = EE_ABI_MINOR;
    made->identifier = "org.example.stub";
    made->version = "1.0";
    made->log = print_log;
    made->get_capability = no_capability;
#ifdef EE_LATER
    made->later_number = 10;
#endif
    return made;
}

static const ee_completion *completion(void)
{
    ee_completion *made = at_end_of_page(sizeof *made);
    made->struct_size = sizeof *made;
    made->complete = complete;
#ifdef EE_LATER
    made->later_number = 30;
#endif
    return made;
}

static void print_pixel(const char *name, VipsImage *image)
{
    double value;
    require(!vips_avg(image, &value, NULL), vips_error_buffer());
    printf("%s %.0f\n", name, value);
    g_object_unref(image);
}

static void edit(const ee_host *host, const ee_photo_editing *editing)
{
    static const ee_adjustment other = {"org.example.nobody", "1.0", "x", 1};
    ee_error error = {{0}};
    ee_controller *controller;
    VipsImage *placeholder = gray(), *preview;
    const char *json;
    bool answer = false;
    require(!editing->create(host, &controller, &error), error.message);
    require(!editing->can_handle(controller, &other, &answer, &error), error.message);
    printf("can_handle %d\n", answer);
    require(!editing->start(controller, input(), placeholder, &error), error.message);
    g_object_unref(placeholder);
    require(!editing->get_parameters(controller, &json, &error), error.message);
    require(!editing->set_parameters(controller, json, strlen(json), &error), error.message);
    require(!editing->render_preview(controller, wanted(), &preview, &error), error.message);
    print_pixel("preview", preview);
    require(!editing->finish(controller, completion(), &error), error.message);
    sem_wait(&completed);
    print_pixel("pixel", result);
    editing->destroy(controller);
}

int main(int count, char **words)
{
    require(count == 2 && !vips_init(words[0]) && !sem_init(&completed, 0, 0), "bad call");
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    require(library != NULL, library ? "" : dlerror());
    const ee_entry *(*enter)(const ee_host *);
    *(void **)&enter = dlsym(library, "editing_extension_entry");
    require(enter != NULL, "no entry");
    const ee_host *offered = host();
    const ee_entry *entry = enter(offered);
    require(entry && entry->struct_size >= EE_ENTRY_SIZE_1_0, "a short entry");
    const ee_photo_editing *editing = entry->get_capability(EE_CAPABILITY_PHOTO_EDITING);
    require(editing && editing->struct_size >= EE_PHOTO_EDITING_SIZE_1_0, "a short capability");
    edit(offered, editing);
    return 0;
}
