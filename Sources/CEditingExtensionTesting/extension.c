/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"
#include <color_transforms.h>
#include <dlfcn.h>
#include <string.h>

/* MARK: The host */

static ee_test_extension *behind(const ee_host *host)
{
    return host->host_data;
}

static void log_line(const ee_host *host, const char *message)
{
    fprintf(stderr, "%s: %s\n", behind(host)->identifier, message);
}

GBytes *ee_testing_file(const ee_host *host, const char *name, ee_error *error)
{
    ee_test_extension *extension = behind(host);
    GBytes *bytes = name ? g_hash_table_lookup(extension->files, name) : NULL;
    if (bytes || !name || strchr(name, '/'))
        return bytes;
    char *path = g_build_filename(extension->folder ? extension->folder : ".", name, NULL);
    char *contents;
    gsize size;
    if (g_file_get_contents(path, &contents, &size, NULL)) {
        void *aligned = g_aligned_alloc(1, size + 1, 64);
        memcpy(aligned, contents, size);
        bytes = g_bytes_new_with_free_func(aligned, size, g_aligned_free, aligned);
        g_hash_table_insert(extension->files, g_strdup(name), bytes);
        g_free(contents);
    } else if (error)
        g_snprintf(error->message, sizeof error->message, "%s cannot be read", path);
    g_free(path);
    return bytes;
}

static ee_status file_bytes(
    const ee_host *host, const char *name, const void **data, size_t *size, ee_error *error)
{
    GBytes *bytes = ee_testing_file(host, name, error);
    if (!bytes)
        return EE_FAILED;
    *data = g_bytes_get_data(bytes, size);
    return EE_OK;
}

const void *ee_testing_capability(const ee_host *host, const char *id)
{
    static const ee_files files = {sizeof files, file_bytes, ee_testing_parameter_file};
    (void)host;
    if (strcmp(id, EE_CAPABILITY_PARAMETERS) == 0)
        return &ee_testing_parameters;
    if (strcmp(id, EE_CAPABILITY_WORK) == 0)
        return &ee_testing_work;
    if (strcmp(id, EE_CAPABILITY_PIXELS) == 0)
        return &ee_testing_pixels;
    if (strcmp(id, EE_CAPABILITY_COLOR) == 0)
        return ee_color_capability();
    return strcmp(id, EE_CAPABILITY_FILES) == 0 ? &files : NULL;
}

/* MARK: Loading */

static bool has_all_calls(const ee_photo_editing *calls)
{
    return calls->create && calls->destroy && calls->can_handle && calls->start &&
           calls->get_parameters && calls->set_parameters && calls->render_preview &&
           calls->finish && calls->cancel && calls->should_show_cancel_confirmation;
}

static bool check_entry(const ee_test_extension *extension)
{
    const ee_entry *entry = extension->entry;
    if (!entry)
        return ee_testing_fail(
            "editing_extension_entry returned NULL: it cannot run in this host");
    if (entry->struct_size < EE_ENTRY_SIZE_1_0)
        return ee_testing_fail("the struct_size of its ee_entry is too small");
    if (entry->abi_major != EE_ABI_MAJOR)
        return ee_testing_fail(
            "it was built for version %u of the contract with extensions; this host supports %d",
            entry->abi_major, EE_ABI_MAJOR);
    if (!entry->identifier || strcmp(entry->identifier, extension->identifier) != 0)
        return ee_testing_fail(
            "the identifier in the library is %s, but in its manifest %s",
            entry->identifier ? entry->identifier : "missing", extension->identifier);
    if (!entry->version || strcmp(entry->version, extension->version) != 0)
        return ee_testing_fail(
            "the version in the library is %s, but in its manifest %s",
            entry->version ? entry->version : "missing", extension->version);
    return true;
}

static bool find_calls(ee_test_extension *extension)
{
    const ee_entry *entry = extension->entry;
    if (!entry->get_capability)
        return ee_testing_fail("its ee_entry has no get_capability");
    extension->calls = entry->get_capability(EE_CAPABILITY_PHOTO_EDITING);
    if (!extension->calls)
        return ee_testing_fail(
            "it cannot edit photos: it does not offer " EE_CAPABILITY_PHOTO_EDITING);
    if (extension->calls->struct_size < EE_PHOTO_EDITING_SIZE_1_0 ||
        !has_all_calls(extension->calls))
        return ee_testing_fail(
            "its ee_photo_editing has a struct_size that is too small, or lacks a function");
    extension->events = entry->get_capability(EE_CAPABILITY_EVENTS);
    return true;
}

/* The extensions that have run. They are never freed, and the list keeps LeakSanitizer from reporting them. */
static ee_test_extension *loaded_extensions;
G_LOCK_DEFINE_STATIC(loaded_extensions);

static void remember(ee_test_extension *extension)
{
    G_LOCK(loaded_extensions);
    extension->next = loaded_extensions;
    loaded_extensions = extension;
    G_UNLOCK(loaded_extensions);
}

static void free_extension(ee_test_extension *extension)
{
    g_hash_table_unref(extension->files);
    g_free(extension->identifier);
    g_free(extension->version);
    g_free(extension->folder);
    g_free(extension);
}

static ee_test_extension *use(
    const ee_entry *(*entry)(const ee_host *host), const char *identifier, const char *version,
    const char *folder)
{
    ee_test_extension *made = g_new0(ee_test_extension, 1);
    made->identifier = g_strdup(identifier);
    made->version = g_strdup(version);
    made->folder = g_strdup(folder);
    made->files =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
    made->host = (ee_host){
        sizeof made->host, EE_ABI_MAJOR, EE_ABI_MINOR, made, made->identifier, made->version,
        log_line, ee_testing_capability};
    made->entry = entry(&made->host);
    bool is_usable = check_entry(made) && find_calls(made);
    /* An entry that ran may keep the host. */
    if (made->entry)
        remember(made);
    else
        free_extension(made);
    return is_usable ? made : NULL;
}

ee_test_extension *ee_test_use(
    const ee_entry *(*entry)(const ee_host *host), const char *identifier, const char *version)
{
    return ee_testing_prepare() ? use(entry, identifier, version, NULL) : NULL;
}

static ee_test_extension *load(
    const char *folder, const char *library, const char *identifier, const char *version)
{
    if (!library || strchr(library, '/') || !identifier || !version) {
        ee_testing_fail("%s: its manifest lacks library, identifier or version", folder);
        return NULL;
    }
    char *path = g_build_filename(folder, library, NULL);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    g_free(path);
    const ee_entry *(*entry)(const ee_host *host) = NULL;
    if (handle)
        *(void **)&entry = dlsym(handle, "editing_extension_entry");
    if (entry)
        return use(entry, identifier, version, folder);
    ee_testing_fail("%s: %s", folder, dlerror());
    return NULL;
}

/* Loads the extension in a folder with an absolute path. */
static ee_test_extension *load_folder(const char *folder)
{
    char *path = g_build_filename(folder, "manifest.json", NULL), *json;
    gsize size;
    gboolean is_read = g_file_get_contents(path, &json, &size, NULL);
    g_free(path);
    if (!is_read) {
        ee_testing_fail("%s: its manifest.json cannot be read", folder);
        return NULL;
    }
    char *library = ee_testing_json_string(json, size, "library");
    char *identifier = ee_testing_json_string(json, size, "identifier");
    char *version = ee_testing_json_string(json, size, "version");
    ee_test_extension *loaded = load(folder, library, identifier, version);
    g_free(library);
    g_free(identifier);
    g_free(version);
    g_free(json);
    return loaded;
}

ee_test_extension *ee_test_load(const char *folder)
{
    if (!ee_testing_prepare())
        return NULL;
    /* The path must be absolute, because the extension may read its files after the current folder has changed. */
    char *path = g_canonicalize_filename(folder, NULL);
    ee_test_extension *loaded = load_folder(path);
    g_free(path);
    return loaded;
}

const char *ee_test_manifest(const ee_test_extension *extension)
{
    const ee_manifest *manifest = extension->entry->get_capability(EE_CAPABILITY_MANIFEST);
    const char *json =
        manifest && manifest->struct_size >= EE_MANIFEST_SIZE_1_0 ? manifest->json() : NULL;
    if (!json)
        ee_testing_fail("it generates no manifest");
    return json;
}
