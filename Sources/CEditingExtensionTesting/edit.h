/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EE_TESTING_EDIT_H
#define EE_TESTING_EDIT_H

#include "completion.h"

struct ee_test_edit {
    ee_test_extension *extension;
    ee_controller *controller;
    const ee_test_picture *picture;
    /* The input, whose host_data is this structure. It is a separate allocation, so that sanitizers detect reads beyond
     * its end. */
    ee_input *input;
    ee_capture *capture;
    ee_adjustment *recipe; /* a copy; NULL if there is none */
    Completion *completion; /* NULL before finish */
    gint is_cancelled;
    bool is_finishing;
    bool is_rendering; /* a recipe, which is not continued */
    char *folder; /* for temporary files; NULL until one is needed */
};

/* Creates the input of an edit.
 *
 * recipe: copied; NULL if there is none */
void ee_testing_open_input(ee_test_edit *edit, const ee_adjustment *recipe);

/* Frees the input and removes temporary files. */
void ee_testing_close_input(ee_test_edit *edit);

/* Returns the input at display size. */
VipsImage *ee_testing_display(const ee_test_edit *edit);

/* Returns the path of the rendered file of a MIME type, to be freed with g_free; NULL if there is no folder, or
 * the type is not supported. */
char *ee_testing_rendered_path(ee_test_edit *edit, const char *content_type);

#endif
