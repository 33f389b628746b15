/* SPDX-License-Identifier: Apache-2.0
 *
 * An extension that brightens by 1 plus the numbers in members of a later version. A header with such members
 * defines EE_LATER: a number and a pointer at the end of each structure.
 *
 * Macros: SHORT: the structure with this name is shorter than in 1.0. BRIDGE: uses the manifest's identifier, and
 * brightens by the last digit of it. CAPABILITY: the capability that it offers. ORIGINAL: logs the facts about the
 * original. CACHE: logs the contents of its cache. FILES: also brightens by the sum of the bytes of its file table.bin.
 * WORK: reports progress, and logs cancellation, the number of threads and the temporary space. FONTS: logs whether it
 * can read and write a font.
 */
#include <editing_extension.h>
#ifdef FONTS
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
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

/* The pointer is invalid: code that dereferences it crashes. */
#ifdef EE_LATER
#define FILL(structure) ((structure)->later_number = 7, (structure)->later_pointer = (void *)8)
#define TOLD(structure) (EE_COVERS(structure, later_number) ? (structure)->later_number : 0)
#else
#define FILL(structure) ((void)(structure))
#define TOLD(structure) ((void)(structure), 0)
#endif

#ifndef CAPABILITY
#define CAPABILITY EE_CAPABILITY_PHOTO_EDITING
#endif

static const char *identifier = IDENTIFIER;

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
    *answer = strcmp(adjustment->format_identifier, identifier) == 0;
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

static ee_status render_preview(
    ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    VipsImage *input;
    ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, &input, error);
    return status ? status : brighten(input, 1 + TOLD(self->input) + TOLD(preview), image, error);
}

#ifdef WORK
/* Reports valid and invalid progress, and logs what the host reports. With WAIT it waits for a cancel. */
static ee_status work(ee_controller *self, ee_error *error)
{
    const ee_work *work = self->host->get_capability(self->host, EE_CAPABILITY_WORK);
    if (!work || self->host->get_capability(self->host, "org.example.unknown/1")) {
        snprintf(error->message, sizeof error->message, "the host's capabilities are wrong");
        return EE_FAILED;
    }
    const double told[] = {-1, 0.25, 0.0 / 0.0, 0.5, 0.25, 7};
    for (size_t index = 0; index < sizeof told / sizeof told[0]; index++)
        work->report_progress(self->input, told[index]);
    const char *path;
    uint64_t limit;
    ee_status status = work->temporary_space(self->input, &path, &limit, error);
    if (status)
        return status;
    char line[4096];
    snprintf(line, sizeof line, "%s/scratch", path);
    FILE *file = fopen(line, "w");
    bool is_written = file && fputs("bytes", file) >= 0 && fclose(file) == 0;
    snprintf(
        line, sizeof line, "threads %u, written %d, limit %llu, cancelled %d",
        work->thread_count(self->input), is_written, (unsigned long long)limit,
        work->is_cancelled(self->input));
    self->host->log(self->host, line);
#ifdef WAIT
    while (!work->is_cancelled(self->input))
        g_usleep(1000);
    self->host->log(self->host, "saw the cancel");
    snprintf(error->message, sizeof error->message, "cancelled");
    return EE_CANCELLED;
#else
    return EE_OK;
#endif
}
#endif

#ifdef FONTS
/* Finds the first file in a folder and its subfolders. */
static bool find_file(const char *folder, char *path, size_t capacity)
{
    DIR *entries = opendir(folder);
    bool is_found = false;
    for (struct dirent *entry; entries && !is_found && (entry = readdir(entries));) {
        char inner[4096];
        struct stat status;
        snprintf(inner, sizeof inner, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(inner, &status))
            continue;
        if (S_ISDIR(status.st_mode))
            is_found = find_file(inner, path, capacity);
        else if (S_ISREG(status.st_mode))
            is_found = snprintf(path, capacity, "%s", inner) > 0;
    }
    if (entries)
        closedir(entries);
    return is_found;
}

static bool opens(const char *path, int flags)
{
    int file = open(path, flags, 0600);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static void try_fonts(ee_controller *self)
{
    char path[4096] = "";
    bool is_found = find_file("/usr/share/fonts", path, sizeof path);
    FILE *font = fopen(path, "r");
    bool is_read = font && fgetc(font) != EOF;
    if (font)
        fclose(font);
    char line[256];
    snprintf(
        line, sizeof line, "font found %d, read %d, written %d, made %d, configuration %d",
        is_found, is_read, opens(path, O_WRONLY),
        opens("/usr/share/fonts/made-by-growth", O_WRONLY | O_CREAT | O_EXCL),
        opens("/etc/fonts/fonts.conf", O_RDONLY));
    self->host->log(self->host, line);
}
#endif

#ifdef FILES
static ee_status read_table(ee_controller *self, double *amount, ee_error *error)
{
    const ee_files *files = self->host->get_capability(self->host, EE_CAPABILITY_FILES);
    const unsigned char *data = NULL;
    size_t size = 0;
    const char *others[] = {"../manifest.json", "manifest.json", "libgrowth.so", "", NULL};
    for (int index = 0; index < 5; index++)
        if (files->bytes(self->host, others[index], (const void **)&data, &size, error) == EE_OK) {
            snprintf(error->message, sizeof error->message, "it was given %s", others[index]);
            return EE_FAILED;
        }
    ee_status status =
        files->bytes(self->host, "table.bin", (const void **)&data, &size, error);
    if (status)
        return status;
    if ((uintptr_t)data % 64) {
        snprintf(error->message, sizeof error->message, "its bytes are not aligned");
        return EE_FAILED;
    }
    for (size_t index = 0; index < size; index++)
        *amount += data[index];
    return files->bytes(self->host, "empty.bin", (const void **)&data, &size, error);
}
#endif

#ifdef ORIGINAL
/* Logs the original's name, size and sum, or that it is unavailable. */
static void read_original(ee_controller *self)
{
    const ee_original *original =
        self->host->get_capability(self->host, EE_CAPABILITY_ORIGINAL);
    const unsigned char *data;
    const char *name;
    size_t size;
    ee_error error = {{0}};
    char line[256];
    ee_status status = original->bytes(self->input, (const void **)&data, &size, &error);
    if (status || original->filename(self->input, &name, &error)) {
        snprintf(line, sizeof line, "no original, %d", status);
    } else {
        unsigned sum = 0;
        for (size_t index = 0; index < size; index++)
            sum += data[index];
        snprintf(line, sizeof line, "original %s %zu %u", name, size, sum);
    }
    self->host->log(self->host, line);
}
#endif

#ifdef CACHE
/* Logs its entry and stores one that is a byte longer. Then tries operations that must fail. */
static ee_status use_cache(ee_controller *self, ee_error *error)
{
    const ee_cache *cache = self->host->get_capability(self->host, EE_CAPABILITY_CACHE);
    const uint8_t key[32] = {7}, other[32] = {8};
    const char *found = NULL, *again = NULL;
    size_t size = 0, same = 0;
    char line[256], kept[64];
    bool is_there = cache->find(self->host, key, (const void **)&found, &size);
    snprintf(line, sizeof line, "cache %d %.*s", is_there, (int)size, is_there ? found : "");
    self->host->log(self->host, line);
    snprintf(kept, sizeof kept, "%.*sx", (int)size, is_there ? found : "");
    if (cache->store(self->host, key, kept, strlen(kept), error))
        return EE_FAILED;
    /* The found bytes stay valid after the entry was replaced. */
    if (is_there && memcmp(found, kept, size))
        return EE_FAILED;
    cache->release(self->host, is_there ? found : kept);
    if (!cache->find(self->host, key, (const void **)&again, &same) || same != strlen(kept)
        || memcmp(again, kept, same) || (uintptr_t)again % 64)
        return EE_FAILED;
    cache->release(self->host, again);
    ee_status large = cache->store(self->host, other, kept, (size_t)10 << 30, error);
    ee_status huge = cache->store(self->host, other, kept, SIZE_MAX, error);
    bool other_is_there = cache->find(self->host, other, (const void **)&again, &same);
    snprintf(
        line, sizeof line, "limit %zu, large %d, huge %d, there %d", cache->limit(self->host),
        large, huge, other_is_there);
    self->host->log(self->host, line);
    return EE_OK;
}
#endif

static ee_status finish(ee_controller *self, const ee_completion *completion, ee_error *error)
{
    VipsImage *full;
    ee_status status =
        self->input->full_size_image(self->input, EE_ACCESS_SEQUENTIAL, &full, error);
    if (status)
        return status;
    double amount = 1 + TOLD(self->host) + TOLD(self->input) + TOLD(completion);
#ifdef BRIDGE
    amount = identifier[strlen(identifier) - 1] - '0';
#endif
#ifdef ORIGINAL
    read_original(self);
#endif
#ifdef FONTS
    try_fonts(self);
#endif
#ifdef CACHE
    status = use_cache(self, error);
    if (status) {
        g_object_unref(full);
        return status;
    }
#endif
#ifdef FILES
    status = read_table(self, &amount, error);
    if (status) {
        g_object_unref(full);
        return status;
    }
#endif
#ifdef WORK
    status = work(self, error);
    if (status) {
        g_object_unref(full);
        return status;
    }
#endif
    ee_output output = {.struct_size = SIZE(ee_output)};
    output.adjustment = (ee_adjustment){identifier, "1.0", "recipe", 6};
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
    return strcmp(id, CAPABILITY) == 0 ? &photo_editing : NULL;
}

EE_EXPORT const ee_entry *editing_extension_entry(const ee_host *host)
{
    static ee_entry entry = {
        .abi_major = EE_ABI_MAJOR,
        .abi_minor = EE_ABI_MINOR,
        .version = "1.0",
        .get_capability = get_capability,
    };
#ifdef BRIDGE
    identifier = host->identifier;
    entry.version = host->version;
#endif
    entry.identifier = identifier;
    entry.struct_size = SIZE(ee_entry);
    FILL(&entry);
    return host->abi_major == EE_ABI_MAJOR ? &entry : NULL;
}
