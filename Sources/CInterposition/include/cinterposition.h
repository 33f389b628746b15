/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runner puts in the place of the C library's functions, for itself and for every library
 * that is loaded into it. An executable's own symbols come first when the dynamic loader binds one.
 */
#ifndef CINTERPOSITION_H
#define CINTERPOSITION_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>

/* open() and open64() of the C library, with one difference, in a sandbox that hides /proc: the
 * file /proc/NUMBER/stat of a thread of this process opens all the same and says "NUMBER (thread)
 * R" of one that computes, "S" of one that waits.
 *
 * Dispatch, with which every plug-in in Swift does its asynchronous work, reads these files once a
 * second while work is waiting, and ends the process where one cannot be opened. They are answered
 * from the threads' processor clocks, so that nothing of /proc has to be allowed, where the
 * mounts, the sockets and the other processes of the system can be read too. */
int open(const char *path, int flags, ...);

/* ---- Pixels that could not be computed ----
 *
 * vips_region_prepare and vips_region_prepare_to, through which every pixel goes that is computed:
 * an image of which one region has failed fails from then on, in this pull and in later ones. So
 * no cache of libvips' can answer with the black that it keeps in place of a failed tile, whoever
 * put it there.
 *
 * vips_threadpool_run and vips_sink_disc: libvips before 8.15.4 reads whether a worker has failed
 * before the last ones have ended, and does not look whether the last strip could be written.
 * These return the failure of every function that was called. */

/* Remembers that one of some images has failed, and why. */
struct interposition_watch;
/* Makes a watch, which interposition_watch_free frees. */
struct interposition_watch *interposition_watch_new(void);
/* Watches an image, a VipsImage that nobody watches yet. The image keeps what it needs. */
void interposition_watch_add(struct interposition_watch *watch, void *image);
/* Whether a region of one of them could not be computed. */
bool interposition_watch_has_failed(struct interposition_watch *watch);
/* What libvips said when the first one failed. NULL: nothing. Lives as long as the watch. */
const char *interposition_watch_reason(struct interposition_watch *watch);
/* Lets go of a watch. */
void interposition_watch_free(struct interposition_watch *watch);

/* Whether libvips calls the functions that are put in its own ones' place. Asked once, after libvips
 * was started and before an image is opened. */
bool interposition_works(void);

/* ---- EXIF ----
 *
 * exif_data_load_data of libexif, which libvips reads EXIF with, but for blocks that it would take
 * long over: those it reads nothing of. */

/* Whether an EXIF block is such a one: with directories that are reached twice, with more entries
 * or more bytes of values than a block of its size can have, or larger than a mebibyte. */
bool interposition_is_excessive_exif(const void *block, size_t size);

/* exif_data_save_data of libexif, with which libvips makes the EXIF of a file that it writes: where a
 * block is given, that is written as it is. libexif drops what it does not know, and moves makers'
 * notes, whose offsets then lead elsewhere. */

/* Gives the block, with the mark that JPEG puts before it, for the files that are written from now on: one
 * at a time. It stays the caller's, and in its place until NULL is given. */
void interposition_give_exif(const void *block, unsigned int size);

/* ---- Modules of libvips ---- */

/* Begins or ends the start of libvips, in which g_module_open of GLib loads no modules of libvips but those whose formats
 * are opened: ImageMagick, OpenSlide and Poppler bring so many libraries that a runner would start in twice the time. */
void interposition_choose_modules(bool choose);

/* ---- Libraries ---- */

/* The path by which the library of a function was loaded; NULL: unknown. Lives as long as the library
 * is loaded. */
const char *interposition_file_of(const void *symbol);

#endif /* CINTERPOSITION_H */
