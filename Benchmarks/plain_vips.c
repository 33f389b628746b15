/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plain_vips PROCESSES FOLDER JPEG... - the baseline for edithost.
 *
 * Sepia and a crop with plain libvips: recomb with the matrix of the W3C sepia function, cast, extract_area,
 * JPEG at quality 92 with the source's chroma subsampling and metadata. PROCESSES processes with one libvips
 * thread each take files from a queue and write to FOLDER.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vips/vips.h>

/* https://www.w3.org/TR/filter-effects-1/#sepiaEquivalent, amount 1. */
static const double sepia_matrix[] = {
    0.393, 0.769, 0.189,
    0.349, 0.686, 0.168,
    0.272, 0.534, 0.131,
};

/* The crop used by compare.py: 0.1,0.1,0.8,0.8 of the picture. */
static const double crop_offset = 0.1;
static const double crop_extent = 0.8;

static VipsForeignSubsample subsampling_of(VipsImage *image)
{
    const char *subsampling = NULL;
    if (vips_image_get_typeof(image, "jpeg-chroma-subsample") != 0 &&
        vips_image_get_string(image, "jpeg-chroma-subsample", &subsampling) == 0 &&
        strcmp(subsampling, "4:2:0") == 0)
        return VIPS_FOREIGN_SUBSAMPLE_ON;
    return VIPS_FOREIGN_SUBSAMPLE_OFF;
}

static int edit(VipsObject *scope, const char *source, const char *destination)
{
    VipsImage **images = (VipsImage **) vips_object_local_array(scope, 5);

    images[0] = vips_image_new_from_file(source,
        "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL);
    images[1] = vips_image_new_matrix_from_array(3, 3, sepia_matrix, 9);
    if (images[0] == NULL || images[1] == NULL)
        return -1;
    int left = (int) (crop_offset * images[0]->Xsize + 0.5);
    int top = (int) (crop_offset * images[0]->Ysize + 0.5);
    int width = (int) ((crop_offset + crop_extent) * images[0]->Xsize + 0.5) - left;
    int height = (int) ((crop_offset + crop_extent) * images[0]->Ysize + 0.5) - top;
    return vips_recomb(images[0], &images[2], images[1], NULL) ||
        vips_cast_uchar(images[2], &images[3], NULL) ||
        vips_extract_area(images[3], &images[4], left, top, width, height, NULL) ||
        vips_jpegsave(images[4], destination,
            "Q", 92, "subsample_mode", subsampling_of(images[0]), NULL);
}

/* Edits the files whose indices come from the queue, until it is empty. */
static int work(int queue, char **files, const char *folder)
{
    unsigned char index;

    if (vips_init("plain_vips"))
        vips_error_exit(NULL);
    vips_concurrency_set(1);
    while (read(queue, &index, 1) == 1) {
        char *name = g_path_get_basename(files[index]);
        char *destination = g_build_filename(folder, name, NULL);
        VipsObject *scope = VIPS_OBJECT(vips_image_new());
        if (edit(scope, files[index], destination))
            vips_error_exit("%s", files[index]);
        g_object_unref(scope);
        g_free(destination);
        g_free(name);
    }
    vips_shutdown();
    return 0;
}

int main(int argc, char **argv)
{
    int queue[2];
    int failed = 0;

    if (argc < 4 || argc > 3 + 256) {
        fprintf(stderr, "usage: plain_vips PROCESSES FOLDER JPEG...\n");
        return 64;
    }
    if (pipe(queue)) {
        perror("plain_vips");
        return 71;
    }
    for (int process = 0; process < atoi(argv[1]); process++)
        if (fork() == 0) {
            close(queue[1]);
            return work(queue[0], argv + 3, argv[2]);
        }
    close(queue[0]);
    for (int index = 0; index < argc - 3; index++) {
        unsigned char byte = (unsigned char) index;
        failed |= write(queue[1], &byte, 1) != 1;
    }
    close(queue[1]);
    for (int status; wait(&status) > 0;)
        failed |= status != 0;
    return failed;
}
