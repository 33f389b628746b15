/* SPDX-License-Identifier: Apache-2.0
 *
 * Replacements of library functions, for the runner and for every library loaded into it. The dynamic loader
 * prefers an executable's own symbols.
 */
#ifndef CINTERPOSITION_H
#define CINTERPOSITION_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>

/* Replaces open() and open64() of the C library. The one difference, in a sandbox that hides /proc: the file
 * /proc/NUMBER/stat of a thread of this process can be opened. It contains "NUMBER (thread) R" for a computing
 * thread, and "S" for a waiting one.
 *
 * Dispatch, which Swift extensions use for asynchronous work, reads these files once a second while work is
 * queued, and ends the process if one cannot be opened. The contents come from the threads' CPU clocks, so
 * /proc need not be allowed. It would also expose the mounts, the sockets and the other processes of the
 * system. */
int open(const char *path, int flags, ...);

/* ---- Pixels that could not be computed ----
 *
 * vips_region_prepare and vips_region_prepare_to compute all pixels. After one region of an image has failed,
 * the image fails in this evaluation and all later ones. This keeps any libvips cache from returning the black
 * pixels that it stores for a failed tile.
 *
 * vips_threadpool_run and vips_sink_disc: libvips before 8.15.4 checks for failed workers before the last ones
 * have ended, and does not check whether the last strip was written. The replacements return the failure of
 * every function that was called. */

/* A record of whether one of several images has failed, and why. */
struct interposition_watch;
/* Creates a watch. Free it with interposition_watch_free. */
struct interposition_watch *interposition_watch_new(void);
/* Adds an image, a VipsImage without a watch. The image retains what it needs. */
void interposition_watch_add(struct interposition_watch *watch, void *image);
/* Returns whether computing a region of one of the images has failed. */
bool interposition_watch_has_failed(struct interposition_watch *watch);
/* Returns libvips' message of the first failure, or NULL. It lives as long as the watch. */
const char *interposition_watch_reason(struct interposition_watch *watch);
/* Frees a watch. */
void interposition_watch_free(struct interposition_watch *watch);

/* Returns whether libvips calls the replaced functions. Call it once, after starting libvips and before
 * opening an image. */
bool interposition_works(void);

/* ---- EXIF ----
 *
 * Replaces exif_data_load_data of libexif, with which libvips reads EXIF. Blocks that would take long to read
 * are skipped. */

/* Returns whether an EXIF block is excessive: it has directories that are reached twice, more entries or bytes
 * of values than fit a block of its size, or more than a mebibyte. */
bool interposition_is_excessive_exif(const void *block, size_t size);

/* Replaces exif_data_save_data of libexif, with which libvips writes the EXIF of a file. If a block is set, it
 * is written unchanged. libexif drops unknown data, and moves maker notes, which invalidates their offsets. */

/* Sets the block for the files written from now on, including the marker that precedes it in JPEG. Only one
 * can be set at a time. The caller keeps the block, which must stay valid until NULL is set. */
void interposition_give_exif(const void *block, unsigned int size);

/* ---- Modules of libvips ---- */

/* Starts or ends a phase in which GLib's g_module_open loads only the libvips modules of allowed formats. Call
 * it around the start of libvips. ImageMagick, OpenSlide and Poppler load so many libraries that they would
 * double a runner's start-up time. */
void interposition_choose_modules(bool choose);

/* ---- Libraries ---- */

/* Returns the path from which the library of a function was loaded, or NULL if unknown. It lives as long as
 * the library. */
const char *interposition_file_of(const void *symbol);

#endif /* CINTERPOSITION_H */
