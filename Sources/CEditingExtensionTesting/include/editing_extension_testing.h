/* SPDX-License-Identifier: Apache-2.0
 *
 * editing_extension_testing.h: a test host for editing extensions.
 *
 * It loads an extension into the calling process and edits pictures in memory. There is no library,
 * sandbox, deadline or trust, so a unit test can run under gdb, perf, valgrind and the sanitizers.
 * A complete test of an extension that is linked into the program:
 *
 *   #include <editing_extension_testing.h>
 *
 *   int main(void)
 *   {
 *       ee_test_extension *glow = ee_test_use(editing_extension_entry, "org.example.glow", "1.0");
 *       EE_TEST_REQUIRE(glow);
 *       ee_test_picture *input = ee_test_gradient(64, 48, 3, 8);
 *       ee_test_edit *edit = ee_test_start(glow, input, NULL);
 *       EE_TEST_REQUIRE(edit && ee_test_set(edit, "{\"gain\": 0.5}"));
 *       ee_test_picture *output = ee_test_finish(edit);
 *       EE_TEST_REQUIRE(output && ee_test_same(output, input, 128));
 *       EE_TEST_REQUIRE(ee_test_end(edit));
 *   }
 *
 * Build it with the options that `pkg-config --cflags --libs edithost-testing` prints.
 *
 * The extension is called as edithost calls it, and outputs that edithost rejects are failures here
 * too. This host differs from edithost as follows:
 *
 * - It edits photos only.
 * - It does not check values against the manifest.
 * - It does not convert pictures between profiles.
 * - It has no capabilities other than EE_CAPABILITY_PARAMETERS, EE_CAPABILITY_FILES,
 *   EE_CAPABILITY_WORK, EE_CAPABILITY_PIXELS and EE_CAPABILITY_COLOR.
 *
 * To test without these differences, use `edithost extensions run`.
 *
 * Functions that return a pointer or a bool return NULL or false on failure, and ee_test_message
 * returns the reason. All functions except ee_test_cancel must be called on one thread.
 */
#ifndef EDITING_EXTENSION_TESTING_H
#define EDITING_EXTENSION_TESTING_H

#include <editing_extension.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ends the program with status 1 if the condition is false, after printing it and ee_test_message. */
#define EE_TEST_REQUIRE(condition)                                                                 \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(                                                                               \
                stderr, "%s:%d: failed: %s\n%s\n", __FILE__, __LINE__, #condition,                 \
                ee_test_message());                                                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* The reason why the last failed call returned NULL or false; empty if no call has failed. Valid until the
 * next call. */
const char *ee_test_message(void);

/* A picture in memory: RGB, or RGB and straight alpha. Its rows are stored from top to bottom without
 * padding. */
typedef struct ee_test_picture {
    uint32_t width;
    uint32_t height;
    uint32_t bands; /* 3 or 4 */
    uint32_t depth; /* bits per sample: 8 or 16 */
    void *samples;  /* width * height * bands numbers: uint8_t, or uint16_t for 16 bits */
} ee_test_picture;

/* Creates a picture whose samples are all 0: black, and transparent if it has alpha. Free it with
 * ee_test_picture_free, like every picture that these functions return. */
ee_test_picture *ee_test_picture_new(
    uint32_t width, uint32_t height, uint32_t bands, uint32_t depth);

/* Creates a picture with many different colours. The same arguments always give the same pixels. */
ee_test_picture *ee_test_gradient(uint32_t width, uint32_t height, uint32_t bands, uint32_t depth);

/* Reads an image file. The pixels are made upright. */
ee_test_picture *ee_test_read(const char *path);

/* Writes a picture to a file. The filename extension selects the format. */
bool ee_test_write(const ee_test_picture *picture, const char *path);

/* Returns a sample, or 0 outside the picture. (0, 0) is the top left pixel, and band 0 is red. */
uint32_t ee_test_sample(const ee_test_picture *picture, uint32_t x, uint32_t y, uint32_t band);

/* Returns whether two pictures have the same size, bands and depth, and no sample differs by more than
 * `tolerance`. The message names the first sample that does. */
bool ee_test_same(const ee_test_picture *one, const ee_test_picture *other, uint32_t tolerance);

/* Frees a picture; NULL is ignored. */
void ee_test_picture_free(ee_test_picture *picture);

/* A loaded extension. It is never unloaded. */
typedef struct ee_test_extension ee_test_extension;

/* Loads the extension in the folder with this path, Name.editingextension. Files in the folder can be read
 * with EE_CAPABILITY_FILES. */
ee_test_extension *ee_test_load(const char *folder);

/* Uses an extension that is linked into the program.
 *
 * identifier, version: the same as in the manifest */
ee_test_extension *ee_test_use(
    const ee_entry *(*entry)(const ee_host *host), const char *identifier, const char *version);

/* Returns the manifest that the extension generates. The extension owns the string. */
const char *ee_test_manifest(const ee_test_extension *extension);

/* Returns whether a new controller can continue editing from a recipe. */
bool ee_test_can_handle(ee_test_extension *extension, const ee_adjustment *recipe);

/* An edit: a controller that has been started. */
typedef struct ee_test_edit ee_test_edit;

/* Creates a controller and starts it. The input must outlive the edit; the recipe is copied.
 *
 * recipe: the recipe to continue, or NULL for a new edit; a failure unless can_handle returns true for it */
ee_test_edit *ee_test_start(
    ee_test_extension *extension, const ee_test_picture *input, const ee_adjustment *recipe);

/* Changes the parameters that a JSON object contains; the others keep their values. */
bool ee_test_set(ee_test_edit *edit, const char *json);

/* The values of all parameters as a JSON object, valid until the next call on the edit. */
const char *ee_test_values(ee_test_edit *edit);

/* Renders a preview of the whole picture. The extension gets the input reduced to fit into a square with a
 * side of `longer_side` pixels. */
ee_test_picture *ee_test_preview(ee_test_edit *edit, uint32_t longer_side);

/* Finishes the edit and reads all pixels of its output, in the depth of the input. Fails if the extension
 * has not called its completion after 60 seconds, unless a debugger is attached. May be called only once
 * for each edit. */
ee_test_picture *ee_test_finish(ee_test_edit *edit);

/* Returns the recipe that ee_test_finish got, valid until ee_test_end. */
const ee_adjustment *ee_test_recipe(const ee_test_edit *edit);

/* Cancels the edit. May be called on any thread, even while another call is running. */
void ee_test_cancel(ee_test_edit *edit);

/* Destroys the controller and frees the edit. Returns false if the extension did what edithost only logs:
 * it called its completion twice, or after a cancellation when finish had already returned. */
bool ee_test_end(ee_test_edit *edit);

/* Starts an edit with a recipe, finishes it and ends it. The output must be the same whenever edithost
 * renders the recipe again. The extension therefore cannot measure the input: reduced_image of ee_pixels
 * fails with EE_UNSUPPORTED. */
ee_test_picture *ee_test_render(
    ee_test_extension *extension, const ee_test_picture *input, const ee_adjustment *recipe);

#ifdef __cplusplus
}
#endif

#endif /* EDITING_EXTENSION_TESTING_H */
