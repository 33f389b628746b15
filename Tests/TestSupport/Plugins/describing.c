/* SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in that generates a manifest, and edits nothing. The manifest has mistakes unless LABEL, a JSON string,
 * is defined.
 */
#include <editing_extension.h>
#include <string.h>

static const char *json(void)
{
#ifdef LABEL
    return "{\"identifier\": \"org.example.describing\", \"name\": \"Describing\", \"version\": \"1.0\","
           "\"abi\": \"1.0\", \"library\": \"another.so\", \"supportedMediaTypes\": [\"image\"],"
           "\"parameters\": [{\"name\": \"a\", \"type\": \"number\", \"default\": 0, \"label\": " LABEL "}]}";
#else
    return "{\"identifier\": \"org.example.describing\", \"name\": \"Describing\", \"version\": \"1.0\","
           "\"abi\": \"1.0\", \"library\": \"another.so\", \"supportedMediaTypes\": [\"image\"],"
           "\"parameter\": 1, \"parameters\": [{\"name\": \"a\", \"type\": \"number\"}]}";
#endif
}

static const ee_manifest manifest = {sizeof manifest, json};

static const void *get(const char *id)
{
    /* A library must have another capability known to the host. This one is too short to be used. */
    if (strcmp(id, EE_CAPABILITY_MANIFEST) == 0)
        return &manifest;
    return strcmp(id, EE_CAPABILITY_EVENTS) == 0 ? &manifest : NULL;
}

static const ee_entry entry = {
    sizeof entry, EE_ABI_MAJOR, EE_ABI_MINOR, "org.example.describing", "1.0", get};

const ee_entry *editing_extension_entry(const ee_host *host)
{
    (void)host;
    return &entry;
}
