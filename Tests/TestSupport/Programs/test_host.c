/* SPDX-License-Identifier: Apache-2.0
 *
 * Edits a picture of 600 x 700 pixels with the test host, and prints the results or the messages of failures.
 *
 * Usage: test_host FOLDER VALUES [cancel]
 */
#include <editing_extension_testing.h>
#include <pthread.h>

static void *cancel(void *edit)
{
    ee_test_cancel(edit);
    return NULL;
}

static void print_picture(const char *name, ee_test_picture *picture)
{
    if (picture)
        printf(
            "%s %ux%u %u bands %u bits: %u %u\n", name, picture->width, picture->height,
            picture->bands, picture->depth, ee_test_sample(picture, 30, 40, 0),
            ee_test_sample(picture, 30, 40, 3));
    else
        printf("%s %s\n", name, ee_test_message());
    ee_test_picture_free(picture);
}

int main(int count, char **words)
{
    ee_test_extension *extension = count > 2 ? ee_test_load(words[1]) : NULL;
    EE_TEST_REQUIRE(extension);
    ee_test_picture *input = ee_test_gradient(600, 700, 4, 16);
    ee_test_edit *edit = ee_test_start(extension, input, NULL);
    EE_TEST_REQUIRE(edit && ee_test_set(edit, words[2]));
    EE_TEST_REQUIRE(ee_test_values(edit));
    print_picture("preview", ee_test_preview(edit, 70));

    pthread_t thread;
    bool cancels = count > 3 && !pthread_create(&thread, NULL, cancel, edit);
    print_picture("finish", ee_test_finish(edit));
    if (cancels)
        pthread_join(thread, NULL);

    const ee_adjustment *recipe = cancels ? NULL : ee_test_recipe(edit);
    if (recipe)
        print_picture("again", ee_test_render(extension, input, recipe));
    printf("end %s\n", ee_test_end(edit) ? "" : ee_test_message());
    ee_test_picture_free(input);
    return 0;
}
