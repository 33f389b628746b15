/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations shared by the files of the test host.
 */
#ifndef EE_TESTING_INTERNAL_H
#define EE_TESTING_INTERNAL_H

#include "editing_extension_testing.h"
#include <vips/vips.h>

struct ee_test_extension {
    ee_host host; /* its host_data is this structure */
    const ee_entry *entry;
    const ee_photo_editing *calls;
    const ee_events *events; /* NULL if there are none */
    char *identifier;
    char *version;
    char *folder;      /* NULL if the extension is linked into the program */
    GHashTable *files; /* the bytes of its files by name */
    ee_test_extension *next; /* the one that was loaded before */
};

/* Sets the message of a failure. Returns false. */
bool ee_testing_fail(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* The host's capabilities. */
const void *ee_testing_capability(const ee_host *host, const char *id);
extern const ee_parameters ee_testing_parameters;
extern const ee_work ee_testing_work;
extern const ee_pixels ee_testing_pixels;
ee_status ee_testing_parameter_file(
    const ee_input *input, const char *value, const void **data, size_t *size, ee_error *error);

/* Returns the bytes of a file in the folder of the extension; NULL and an error if it cannot be read. */
GBytes *ee_testing_file(const ee_host *host, const char *name, ee_error *error);

/* Returns a string in a JSON object, to be freed with g_free; NULL if there is none. */
char *ee_testing_json_string(const char *json, size_t size, const char *name);

/* Copies a recipe, whose members may be NULL. */
ee_adjustment ee_testing_copy_recipe(const ee_adjustment *recipe);

/* Frees the members of a copy. */
void ee_testing_clear_recipe(ee_adjustment *recipe);

/* Initializes libvips. */
bool ee_testing_prepare(void);

/* Creates an image that uses the samples of a picture. The picture must outlive it. */
VipsImage *ee_testing_image(const ee_test_picture *picture);

/* The metadata field that marks images with sequential access, and images that are computed from them. */
#define EE_TESTING_SEQUENTIAL "editing-extension-sequential"

/* Returns an image that fails if it is not read from top to bottom. Takes the reference. */
VipsImage *ee_testing_sequential(VipsImage *image);

/* Returns the image, reduced to fit into a square. Takes the reference. */
VipsImage *ee_testing_reduced(VipsImage *image, uint32_t longer_side);

/* Computes the pixels of an output of the extension in a depth of 8 or 16 bits. Takes the reference. */
ee_test_picture *ee_testing_output(VipsImage *image, uint32_t depth);

/* Reads an image file and makes it upright, in a depth of 8 or 16 bits; 0 means the depth of the file. */
ee_test_picture *ee_testing_read(const char *path, uint32_t depth);

#endif
