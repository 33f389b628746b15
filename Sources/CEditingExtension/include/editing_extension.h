/* SPDX-License-Identifier: Apache-2.0
 *
 * editing_extension.h: the contract between edithost and an editing extension.
 *
 * An editing extension is a folder `Name.editingextension/` with a `manifest.json` and a shared
 * library that exports one symbol, `editing_extension_entry`. This header is all an extension needs. It
 * compiles as C11, C17, C++17 and C++20. Examples/InvertC is a complete extension, and
 * Examples/TintC one with parameters.
 *
 * Calls on a controller, in order:
 *
 *   create                             one controller per edit of a photo
 *   can_handle                         only if the photo has a recipe
 *   start                              with the input and a picture of the current state
 *   get_parameters, set_parameters,    any number of times, in any order;
 *   render_preview                     none in a batch
 *   finish                             returns the recipe and the output; or cancel, at any time
 *   destroy                            after the last pixel of the output has been read
 *
 * Editing a video also requires EE_CAPABILITY_FRAME_PROCESSOR or EE_CAPABILITY_VIDEO_EDITING. The
 * controller of the session passes a recipe without a picture to the completion. Another controller
 * then renders the video:
 *
 *   create, can_handle, start          with that recipe
 *   process_frame                      for each frame, in order of time; or
 *   put_frame, take_frame              for each frame, and once at the end
 *   finish, destroy                    the output is ignored
 *
 * Threads
 *   [session]  called on the session's thread; such calls never overlap.
 *   [any]      may be called on any thread, even during a [session] call.
 *   The host never holds a lock while it calls an extension.
 *
 * Ownership
 *   Strings and structures passed as arguments are borrowed until the call returns, unless a comment
 *   states otherwise. Strings are UTF-8 and NUL-terminated. VipsImage references are GObject
 *   references. "Transfers a reference" means that the receiver calls g_object_unref.
 *
 * Process
 *   One process serves several edits, in sequence, and may load several extensions. What is not mentioned here belongs
 *   to the host: use it, but do not change it.
 *   Threads: an extension may start threads, within the budget. They must not use a controller's input after destroy has
 *   returned. The stack of the session's thread has 8 MiB, and those of libvips' threads at least 2 MiB.
 *   Signals have their default actions and are not blocked. An extension may change the mask of its own threads.
 *   The current folder is `/` and cannot be changed. Use paths that the host returns.
 *   The environment has PATH, TMPDIR, LC_ALL=C.UTF-8 and a HOME that does not exist, nothing of the user's, and
 *   variables of the host. Do not call setenv.
 *   The locale is "C": numbers have a point. Do not call setlocale; uselocale affects only the calling thread.
 *   Standard input is empty. Standard output and standard error are shown to the user with --verbose, and if the process
 *   ends. Descriptors that the extension did not open must not be closed.
 *   libvips is initialized, without an operation cache, with loaders for untrusted files blocked, and with as many threads
 *   as ee_work returns. Do not call vips_init, vips_shutdown, vips_concurrency_set or the functions for its cache, its
 *   blocked operations and its leak check. Its error buffer is shared by all threads: after a failed call, copy and clear
 *   it. The handlers of GLib's log must not be replaced.
 *   The rounding mode and other settings of the floating-point unit must be the same when a call returns.
 *
 * Versions
 *   Version 1.0 is frozen: its declarations stay the same in every 1.x. This is version 1.1. What it
 *   adds is marked "since 1.1".
 *   Most structures begin with `struct_size`, which the side that creates them sets to sizeof. Minor
 *   versions only append members. Members are never removed, moved, retyped or redefined. Never
 *   read a structure beyond its struct_size. Members of 1.0 are always present, because shorter
 *   structures are rejected. Check for a later member with EE_COVERS(structure, member) before
 *   reading it; if it is missing, the other side is older.
 *   ee_error, and ee_adjustment, which is embedded in ee_output, have no struct_size and never grow.
 *   get_capability returns NULL for unknown ids.
 *   An extension built for 1.0 therefore runs in every 1.x host, and an extension built for a later
 *   1.x can run in a 1.0 host.
 */
#ifndef EDITING_EXTENSION_H
#define EDITING_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Hosts and extensions with the same major version are compatible. */
#define EE_ABI_MAJOR 1
#define EE_ABI_MINOR 1

#if defined(__GNUC__)
#define EE_EXPORT __attribute__((visibility("default")))
#else
#define EE_EXPORT
#endif

/* Whether a structure that begins with struct_size includes a member. Reads only struct_size. For
 * members added after 1.0. */
#define EE_COVERS(structure, member)                                                               \
    ((size_t)((const char *)(&(structure)->member + 1) - (const char *)(structure)) <=             \
     (structure)->struct_size)

/* The image type of libvips 8.14 or later, which the process has loaded. An extension that does not
 * use libvips treats it as an opaque handle and uses EE_CAPABILITY_PIXELS. */
typedef struct _VipsImage VipsImage;

/* Capabilities of extensions. A library must have at least one that the host knows. The meaning of
 * an id never changes; a new meaning gets a new number. */
#define EE_CAPABILITY_PHOTO_EDITING "org.edithost.photo-editing/1"
#define EE_CAPABILITY_MANIFEST "org.edithost.manifest/1" /* ee_manifest */
#define EE_CAPABILITY_EVENTS "org.edithost.events/1" /* ee_events; in addition to another one */
#define EE_CAPABILITY_FRAME_PROCESSOR "org.edithost.frame-processor/1" /* ee_frame_processor, since 1.1 */
#define EE_CAPABILITY_TIME_RANGE "org.edithost.time-range/1" /* ee_time_range, since 1.1 */
#define EE_CAPABILITY_VIDEO_EDITING "org.edithost.video-editing/1" /* ee_video_editing, since 1.1 */
#define EE_CAPABILITY_LIVE_PHOTO_EDITING "org.edithost.live-photo-editing/1" /* ee_live_photo_editing, since 1.1 */
/* Capabilities of the host. */
#define EE_CAPABILITY_WORK "org.edithost.work/1"             /* ee_work */
#define EE_CAPABILITY_FILES "org.edithost.files/1"           /* ee_files */
#define EE_CAPABILITY_ORIGINAL "org.edithost.original/1"     /* ee_original */
#define EE_CAPABILITY_CACHE "org.edithost.cache/1"           /* ee_cache */
#define EE_CAPABILITY_PARAMETERS "org.edithost.parameters/1" /* ee_parameters */
#define EE_CAPABILITY_VIDEO "org.edithost.video/1"           /* ee_video_reading, since 1.1 */
#define EE_CAPABILITY_PIXELS "org.edithost.pixels/1"         /* ee_pixels, since 1.1 */
#define EE_CAPABILITY_COLOR "org.edithost.color/1"           /* ee_color, since 1.1 */
/* Reserved for later versions: additional photos and masks as inputs of an edit. */
#define EE_CAPABILITY_INPUTS "org.edithost.inputs/1"
#define EE_CAPABILITY_MASKS "org.edithost.masks/1"

/* The result of a call. All values except EE_OK come with a message. */
typedef int32_t ee_status;
enum {
    EE_OK = 0,
    EE_FAILED = 1,         /* the operation failed; the message says why */
    EE_BAD_PARAMETER = 2,  /* a parameter has an invalid value */
    EE_BAD_ADJUSTMENT = 3, /* the recipe cannot be read */
    EE_UNSUPPORTED = 4,    /* not supported by the host or the extension */
    EE_CANCELLED = 5,      /* stopped by cancel */
    EE_DISCARDED = 6       /* only for complete: the user discarded the edit; not a failure */
};

/* The message of a failed call. The caller passes it zeroed, the callee sets it if the status is not
 * EE_OK, and the caller copies it before its next call. Never grows. */
typedef struct ee_error {
    char message[1024]; /* UTF-8, NUL-terminated */
} ee_error;

/* A recipe: PHAdjustmentData. `data` is 1 byte to 16 MiB long; the host does not interpret it.
 * Identifier and version are 1 to 255 bytes long. The same input and recipe must give the same output.
 * Never grows. */
typedef struct ee_adjustment {
    const char *format_identifier; /* reverse DNS, e.g. "com.example.invert" */
    const char *format_version;    /* e.g. "1.0" */
    const void *data;
    size_t size;
} ee_adjustment;

/* The host, as seen by the extension of one manifest. Valid until the process ends. */
typedef struct ee_host {
    uint32_t struct_size;
    uint32_t abi_major;
    uint32_t abi_minor;
    void *host_data;

    /* The extension's identifier and version in its manifest. Several extension folders, each with its
     * own manifest, may use the same library. */
    const char *identifier;
    const char *version;

    /* Writes a line to the extension's log. [any] */
    void (*log)(const struct ee_host *host, const char *message);

    /* Returns the host's capability with this id, a structure that is valid until the process ends, or
     * NULL. [any] */
    const void *(*get_capability)(const struct ee_host *host, const char *id);
} ee_host;

/* The order in which an image's pixels are read. An image with sequential access can be read once, from top to bottom:
 * reading a row more than 512 rows above the lowest one read so far may fail. */
typedef int32_t ee_access;
enum {
    EE_ACCESS_SEQUENTIAL = 0, /* top to bottom: needs little memory; enough for local operations */
    EE_ACCESS_RANDOM = 1      /* in any order, for example for rotations, vertical flips and warps */
};

/* Camera settings from the EXIF data of the original. They are the same in every rendering of an
 * edit. Missing strings are NULL, missing numbers NAN or -1. */
typedef struct ee_capture {
    uint32_t struct_size;

    bool is_raw;              /* the original is a RAW file */
    bool is_hdr;              /* high dynamic range */
    bool is_screenshot;
    int32_t orientation;      /* EXIF 1...8 of the original; the input's images are upright */
    int32_t flash;            /* EXIF flash bits; bit 0: fired */
    int32_t white_balance;    /* 0 automatic, 1 manual */
    const char *camera_make;
    const char *camera_model;
    const char *lens_model;
    double focal_length;      /* millimetres */
    double focal_length_35mm; /* 35 mm equivalent, millimetres */
    double aperture;          /* f-number */
    double exposure_time;     /* seconds */
    double iso_speed;
    double exposure_bias;     /* stops */
    double subject_distance;  /* metres; 4294967295: infinity */
} ee_capture;

/* The input of an edit: PHContentEditingInput. Passed to start, valid until destroy.
 *
 * Images are upright, RGB or RGBA (3 or 4 bands) with straight alpha, VIPS_FORMAT_UCHAR (0...255) or
 * VIPS_FORMAT_USHORT (0...65535), in the photo's RGB profile (sRGB if it has none). The origin is
 * the top left corner. The manifest's `pixelFormats` can restrict the formats. Images are lazy:
 * pixels are computed when they are read. The four functions below are [any], until destroy.
 *
 * The profile is in the image's metadata `icc-profile-data` (VIPS_META_ICC_NAME). Without it, the
 * pixels are sRGB with the curve of IEC 61966-2-1. Samples are encoded with the profile's curve and
 * not proportional to light. */
typedef struct ee_input {
    uint32_t struct_size;
    void *host_data;

    int32_t media_type;            /* PHAssetMediaType: 1 image; 2 video (since 1.1), in which case
                                    * the images below show a frame */
    uint64_t media_subtypes;       /* PHAssetMediaSubtype bits */
    const char *content_type;      /* of the original, e.g. "image/jpeg" */
    const char *creation_date;     /* RFC 3339, with time and offset only if known; NULL: none */
    bool has_location;
    double latitude;               /* degrees north, -90...90 */
    double longitude;              /* degrees east, -180...180 */

    uint32_t full_width;           /* pixels of the full-size image */
    uint32_t full_height;
    int32_t full_size_orientation; /* EXIF orientation of the images below: always 1 */
    double full_scale;             /* full_width divided by the photo's actual width: 1, or less in
                                    * previews of later edits; multiply lengths in pixels in the
                                    * recipe by it */
    double display_scale;          /* the same for the image of display_image */

    /* The recipe to continue, or NULL if there is none or can_handle returned false. With a recipe,
     * the images show the state before it (previous), otherwise the current state. */
    const ee_adjustment *adjustment;

    /* The input at display size: at most 2048 pixels on the longer side. *image: transfers a
     * reference to the caller. */
    ee_status (*display_image)(const struct ee_input *input, VipsImage **image, ee_error *error);

    /* The input at full size, for finish. Fails with EE_UNSUPPORTED before finish in sessions with
     * previews. *image: transfers a reference. Earlier edits run only on the session's thread. If the
     * photo has any, other threads get a shared image in memory, or EE_UNSUPPORTED if the session's
     * thread called this function before them. */
    ee_status (*full_size_image)(
        const struct ee_input *input, ee_access access, VipsImage **image, ee_error *error);

    /* The path of the full-size image as a lossless TIFF, which is written on the first call. *path is
     * valid until destroy. Only for finish, like full_size_image. */
    ee_status (*full_size_path)(const struct ee_input *input, const char **path, ee_error *error);

    /* A path for a rendered file of a MIME type: "image/jpeg", "image/png" or "image/tiff"; JPEG is
     * always supported. *path is valid until destroy. The folder exists; the file may not. */
    ee_status (*rendered_content_path)(
        const struct ee_input *input, const char *content_type, const char **path,
        ee_error *error);

    /* The MIME type in which the host stores the output, e.g. "image/jpeg". */
    const char *default_rendered_content_type;

    /* Camera settings; valid until destroy. */
    const ee_capture *capture;
} ee_input;

/* The host's capability EE_CAPABILITY_WORK: cancellation, progress and resources of long operations.
 * All functions take the input that was passed to start, until destroy, in sessions and batches. */
typedef struct ee_work {
    uint32_t struct_size;

    /* Whether the edit was cancelled. Cheap: long loops should poll it, including those in the
     * generate function of an image. Never becomes false again. [any] */
    bool (*is_cancelled)(const ee_input *input);

    /* Reports the progress of the edit, 0...1, which the host may show to the user. Values out of range
     * are clamped. NaN and values lower than an earlier one are ignored. [any] */
    void (*report_progress)(const ee_input *input, double fraction);

    /* The number of threads to use, at least 1. libvips uses the same number. [any] */
    uint32_t (*thread_count)(const ee_input *input);

    /* A folder for temporary files; subfolders cannot be created. *limit is the maximum total size in
     * bytes of all files of the edit, including those at full_size_path and rendered_content_path;
     * UINT64_MAX: no limit. Remaining files are removed when the process ends. *path is valid until
     * destroy. EE_UNSUPPORTED if there is no folder. [any] */
    ee_status (*temporary_space)(
        const ee_input *input, const char **path, uint64_t *limit, ee_error *error);
} ee_work;

/* The host's capability EE_CAPABILITY_FILES: the extension's own files, which its manifest lists as
 * `hashedFiles`. The bytes are read-only and are those that were hashed: the runner never opens
 * files in the extension's folder. */
typedef struct ee_files {
    uint32_t struct_size;

    /* The bytes of a file, by its name in the manifest: `size` read-only bytes, aligned to 64 bytes and
     * valid until the process ends. EE_FAILED for other names. Cheap. May be called as early as in
     * editing_extension_entry. [any] */
    ee_status (*bytes)(
        const ee_host *host, const char *name, const void **data, size_t *size, ee_error *error);

    /* The bytes for the value of a parameter of type `file`. The value is "sha256:" and 64 hexadecimal
     * digits for a file chosen by the user, or the name of one of hashedFiles for the manifest's
     * default. Store it unchanged in the recipe. The host stores the file with the edit, so that
     * re-rendering gets the same bytes. They are read-only, aligned to 64 bytes and valid until
     * destroy. EE_FAILED for other values. [any] */
    ee_status (*parameter)(
        const ee_input *input, const char *value, const void **data, size_t *size,
        ee_error *error);
} ee_files;

/* The host's capability EE_CAPABILITY_ORIGINAL: the original file as it was imported, for trusted
 * extensions, and for extensions with `readsOriginal` in their manifest if the user has allowed it.
 * Its MIME type is the input's content_type. EE_UNSUPPORTED if access is denied or the file is
 * unavailable. */
typedef struct ee_original {
    uint32_t struct_size;

    /* The file's bytes: `size` read-only bytes, valid until destroy. Cheap: the file is mapped into
     * memory. [any] */
    ee_status (*bytes)(
        const ee_input *input, const void **data, size_t *size, ee_error *error);

    /* The file's name at import, without its folder; valid until destroy. [any] */
    ee_status (*filename)(const ee_input *input, const char **name, ee_error *error);
} ee_original;

/* The host's capability EE_CAPABILITY_CACHE: an in-memory cache shared by the edits in a process, for
 * example for lookup tables or models. Entries may disappear at any time and never outlive the
 * process. Every extension has its own cache. Use a hash of everything an entry was computed from
 * as its key. */
typedef struct ee_cache {
    uint32_t struct_size;

    /* The maximum total size of all entries in bytes. The least recently used entries are evicted first.
     * [any] */
    size_t (*limit)(const ee_host *host);

    /* Stores a copy of `size` bytes for a key and replaces any earlier entry. EE_FAILED if they exceed
     * the limit. [any] */
    ee_status (*store)(
        const ee_host *host, const uint8_t key[32], const void *data, size_t size,
        ee_error *error);

    /* Finds an entry: `size` read-only bytes, aligned to 64 bytes. They stay valid until release has
     * been called once for each call that found them, even if the entry is evicted. Returns false if
     * there is no entry. [any] */
    bool (*find)(
        const ee_host *host, const uint8_t key[32], const void **data, size_t *size);

    /* Releases the bytes of an entry. [any] */
    void (*release)(const ee_host *host, const void *data);
} ee_cache;

/* The host's capability EE_CAPABILITY_PARAMETERS: reads and merges JSON objects of parameters, so that
 * extensions need no JSON parser. `json` is `size` bytes long, at most 1 MiB, and may be untrusted: the
 * argument of set_parameters, or a recipe. If it is not a JSON object, it has no values. Of duplicate
 * names, the first is used. Functions that read a value return false and leave `value` unchanged if
 * there is no value with this name and type. All functions are [any]. */
typedef struct ee_parameters {
    uint32_t struct_size;

    /* A number or an angle. Finite. Only set_parameters enforces the manifest's ranges. */
    bool (*number)(const char *json, size_t size, const char *name, double *value);

    /* A number without a fraction. */
    bool (*integer)(const char *json, size_t size, const char *name, int64_t *value);

    bool (*boolean)(const char *json, size_t size, const char *name, bool *value);

    /* Text or a choice, UTF-8 and NUL-terminated. False if it contains a NUL, or needs more than
     * `capacity` bytes including the terminator. */
    bool (*text)(
        const char *json, size_t size, const char *name, char *value, size_t capacity);

    /* Red, green, blue and alpha, 0...1, straight, in the profile of the images. */
    bool (*color)(const char *json, size_t size, const char *name, double value[4]);

    /* x and y, in units of the picture's size. */
    bool (*point)(const char *json, size_t size, const char *name, double value[2]);

    /* x, y, width and height, in units of the picture's size. */
    bool (*rectangle)(const char *json, size_t size, const char *name, double value[4]);

    /* The points of a list or a curve in order, x and y of each, as an array of `capacity` points;
     * *count: their number, at most 4096. If there are more than `capacity`, returns false, sets *count
     * and leaves `value` unchanged. Pass a capacity of 0 to get the number. */
    bool (*points)(
        const char *json, size_t size, const char *name, double (*value)[2], size_t capacity,
        size_t *count);

    /* A curve as a table of `count` values (at least 2): its values, 0...1, at 0, 1 / (count - 1), ... 1.
     * The curve is a monotone cubic (Fritsch and Carlson) between its points, and constant before the
     * first and after the last. False if a coordinate is outside 0...1, x is not ascending, or there
     * are fewer than two points. */
    bool (*curve)(const char *json, size_t size, const char *name, double *value, size_t count);

    /* Replaces values in `values`, a NUL-terminated JSON object in a buffer of `capacity` bytes, with the
     * values that `json` has for the same names. Other names are ignored. An extension can thus keep its
     * parameters as one string, initially their defaults, return it from get_parameters and use it as
     * its recipe. Equal values give equal strings. EE_BAD_PARAMETER, with `values` unchanged, if `json`
     * is not an object, a value has the wrong type, or the result does not fit. */
    ee_status (*merge)(
        char *values, size_t capacity, const char *json, size_t size, ee_error *error);
} ee_parameters;

/* The output of an edit: PHContentEditingOutput. */
typedef struct ee_output {
    uint32_t struct_size;

    ee_adjustment adjustment; /* the recipe; must not be empty */

    /* The picture, lazy. The host takes its own reference, and reads every pixel once, later, on its
     * own threads. Same conventions as the input's images; other band formats are cast to the
     * input's: floating point has the range of the input's format, and is rounded to the nearest
     * integer (rint) and clipped. 8 bits are multiplied by 257 for an input of 16 bits, and 16 bits
     * divided by 257 and rounded for 8. NULL if a file was written instead. */
    VipsImage *image;

    /* If image is NULL: the MIME type of the file that was written to its rendered_content_path. Its
     * pixels must be upright, and its EXIF orientation missing or 1. */
    const char *rendered_content_type;

    /* The RGB profile of the output: NULL for the input's, or "srgb", "display-p3", "adobe-rgb" or
     * "prophoto-rgb". */
    const char *profile;
} ee_output;

/* The completion handler passed to finish; valid until complete or destroy is called. */
typedef struct ee_completion {
    uint32_t struct_size;
    void *host_data;

    /* Ends the edit. Must be called exactly once: further calls, and calls after cancel, are ignored and
     * logged. EE_OK with an output commits it; an output with neither recipe nor picture commits
     * nothing. EE_DISCARDED commits nothing, because the user discarded the edit. Other statuses mean
     * that the edit failed; `error`, which may be NULL, says why. EE_OK without an output fails with
     * "gave no output". `output` and what it points to are borrowed until complete returns. [any] */
    void (*complete)(
        const struct ee_completion *completion, ee_status status, const ee_output *output,
        const ee_error *error);
} ee_completion;

/* A request for a preview; valid until render_preview returns. */
typedef struct ee_preview {
    uint32_t struct_size;
    void *host_data;

    /* The width of the image below divided by the photo's actual width. Multiply lengths in pixels in
     * the recipe by it. */
    double scale;

    /* The visible part, in units of the edited picture's size, origin top left; 0, 0, 1, 1 is the whole
     * picture. The host crops the result to it and reads only those pixels. Extensions that compute
     * pixels before they are read can use it to compute fewer. */
    double x, y, width, height;

    /* The input at this scale: the display image, a smaller one for a small preview, or the full-size
     * image if the visible part needs it. *image: transfers a reference. [session] */
    ee_status (*image)(
        const struct ee_preview *preview, ee_access access, VipsImage **image, ee_error *error);

    /* Since 1.1. For videos: the time of the image from the start of the video, and the duration of the
     * video, in units of 1 / timescale seconds. All are 0 for photos. */
    int64_t time;
    int64_t duration;
    int64_t timescale;

    /* Since 1.1. Names the RGB profile of the image that render_preview returns, with the values of
     * `profile` in ee_output. Without a call, it is the profile of the input. `name` is borrowed.
     * EE_UNSUPPORTED for other names, and for videos, whose frames are sRGB. [session] */
    ee_status (*set_profile)(
        const struct ee_preview *preview, const char *name, ee_error *error);
} ee_preview;

/* An edit in progress. The extension defines the structure. */
typedef struct ee_controller ee_controller;

/* The capability EE_CAPABILITY_PHOTO_EDITING: PHContentEditingController. All members are required.
 * Returned by get_capability; valid until the process ends. */
typedef struct ee_photo_editing {
    uint32_t struct_size;

    /* Creates a controller. The host calls destroy on it exactly once. [session] */
    ee_status (*create)(const ee_host *host, ee_controller **controller, ee_error *error);

    /* Frees a controller and its resources. No other call is in progress or follows. [session] */
    void (*destroy)(ee_controller *controller);

    /* Whether the edit with this recipe can be continued, usually decided by its format identifier and
     * version. Must be quick. A failure counts as false. [session] */
    ee_status (*can_handle)(
        ee_controller *controller, const ee_adjustment *adjustment, bool *answer,
        ee_error *error);

    /* Starts the edit. `input` is valid until destroy. `placeholder` shows the current state at display
     * size, to be shown until the first preview is ready. It is borrowed: take a reference to keep it.
     * [session] */
    ee_status (*start)(
        ee_controller *controller, const ee_input *input, VipsImage *placeholder,
        ee_error *error);

    /* The values of all parameters, as a JSON object with the manifest's names. *json is owned by the
     * controller and valid until the next call on it. [session] */
    ee_status (*get_parameters)(
        ee_controller *controller, const char **json, ee_error *error);

    /* Sets the parameters in a JSON object of `size` bytes, which the host has checked against the
     * manifest. Other parameters keep their values. [session] */
    ee_status (*set_parameters)(
        ee_controller *controller, const char *json, size_t size, ee_error *error);

    /* The preview's image with the current edit applied: the whole picture, lazy. *image: transfers a
     * reference. [session] */
    ee_status (*render_preview)(
        ee_controller *controller, const ee_preview *preview, VipsImage **image,
        ee_error *error);

    /* Creates the output and calls the completion, before returning or later on any thread. If this
     * does not return EE_OK, the completion must not be called. Files may be removed after complete
     * has returned. Keep what the lazy image needs until destroy. [session] */
    ee_status (*finish)(
        ee_controller *controller, const ee_completion *completion, ee_error *error);

    /* Cancels the edit. Once finish has returned, its completion must not be called any more. A call that
     * finish itself makes may cross the cancellation, and is ignored. Must return soon; destroy follows.
     * [any] */
    void (*cancel)(ee_controller *controller);

    /* Whether the user should confirm before the edit is discarded: true if it took effort, false for
     * example if a preset was chosen. [any] */
    bool (*should_show_cancel_confirmation)(ee_controller *controller);
} ee_photo_editing;

/* A frame of a video, since 1.1; valid until process_frame or put_frame returns. */
typedef struct ee_frame {
    uint32_t struct_size;

    int64_t time;      /* of the frame, from the start of the video */
    int64_t duration;  /* of the video */
    int64_t timescale; /* units per second of both, at least 1 */

    /* The frame's width divided by the video's actual width, or for Live Photos by the width of the still, for which
     * the recipe was made. More than 0, at most 1. Multiply lengths in pixels in the recipe by it. */
    double scale;

    /* The actual size of the video's frames before this edit, in pixels. */
    uint32_t full_width;
    uint32_t full_height;

    /* The frame, with the conventions of ee_input's images: upright, square pixels, in sRGB. It is in memory and can
     * be read in any order. Borrowed: its pixels are valid until the image of process_frame has been read, or until
     * the next put_frame. Copy them to use them later. */
    VipsImage *image;
} ee_frame;

/* The video of an input, since 1.1. */
typedef struct ee_video {
    uint32_t struct_size;

    uint32_t width;         /* of its frames in pixels: upright, with square pixels */
    uint32_t height;
    uint32_t sample_rate;   /* of its sound, in samples per second; 0: none that can be decoded */
    uint32_t channel_count; /* of its sound, at most 64; 0: none that can be decoded */
    int64_t duration;
    int64_t still_time;     /* of the still of a Live Photo, from the start of the video; otherwise, or if unknown, -1 */
    int64_t timescale;      /* units per second of both, at least 1 */
} ee_video;

/* The host's capability EE_CAPABILITY_VIDEO, since 1.1: the state of the video that the images of an input show a frame
 * of, or of the video of a Live Photo. It is opened on the first call. The functions fail with EE_UNSUPPORTED if the
 * input has no video, and for controllers that render: the recipe must contain what a session has learned from the
 * video. All functions are [any], until destroy.
 *
 * The time that the host takes does not count against the deadlines of the calls. Its limit for a session is 300
 * seconds after the video has been opened; the functions fail afterwards. */
typedef struct ee_video_reading {
    uint32_t struct_size;

    /* Fills *video, whose struct_size the caller has set. The host reduces it to its own size of the structure if that
     * is smaller; members beyond it are not filled. */
    ee_status (*describe)(const ee_input *input, ee_video *video, ee_error *error);

    /* The frame that is shown at a time in seconds from the start of the video. Times out of range select the first or
     * the last frame. Fills *frame, whose struct_size is set as for describe. Its image transfers a reference; its
     * pixels are valid until that is released. *next: the time of the following frame in seconds; NAN for the last.
     * Reading frames in order of time is fastest. */
    ee_status (*frame)(
        const ee_input *input, double time, ee_frame *frame, double *next, ee_error *error);

    /* Decodes `count` samples of each channel of the sound, from sample `first` on, which is at `first` / sample_rate
     * seconds from the start of the video; `first` is at least 0. `samples` has room for `count` * channel_count
     * numbers, one for each channel per sample. Full scale is -1...1. Silence before, after and in gaps of the sound.
     * Fails without sound. */
    ee_status (*sound)(
        const ee_input *input, int64_t first, size_t count, float *samples, ee_error *error);
} ee_video_reading;

/* The type of samples in the memory of an extension, since 1.1. */
typedef int32_t ee_samples;
enum {
    EE_SAMPLES_UINT8 = 0,  /* uint8_t, 0...255 */
    EE_SAMPLES_UINT16 = 1, /* uint16_t, 0...65535, in the byte order of the machine */
    EE_SAMPLES_FLOAT = 2   /* float, 0...1 */
};

/* How samples in the memory of an extension relate to light, since 1.1. */
typedef int32_t ee_encoding;
enum {
    EE_ENCODED = 0, /* as stored: with the transfer curve of the image's profile */
    EE_LINEAR = 1   /* proportional to light, in the primaries of the image's profile. Alpha is the same in both */
};

/* The layout of pixels in the memory of an extension, since 1.1: the samples of a pixel follow each other. */
typedef struct ee_pixel_layout {
    uint32_t struct_size;
    ee_samples samples;
    ee_encoding encoding;
    uint32_t bands; /* 3: red, green, blue; 4: also straight alpha */
} ee_pixel_layout;

/* The properties of an image, since 1.1. */
typedef struct ee_image_facts {
    uint32_t struct_size;

    uint32_t width;
    uint32_t height;
    ee_samples samples;   /* as stored: EE_SAMPLES_UINT8 or EE_SAMPLES_UINT16 */
    uint32_t bands;       /* 3 or 4 */
    ee_access access;     /* the order in which the image can be read */
    uint32_t has_linear;  /* 1: EE_LINEAR is supported; 0: the profile has no curves */
    const void *profile;  /* the ICC profile, valid as long as the image; NULL: none, which means sRGB */
    size_t profile_size;
} ee_image_facts;

/* An image whose pixels an extension computes, since 1.1. */
typedef struct ee_image_source {
    uint32_t struct_size;

    uint32_t width;  /* at least 1 */
    uint32_t height;
    const ee_pixel_layout *layout; /* of the pixels that `fill` writes; borrowed until create returns */
    void *data;                    /* passed to the functions below */

    /* Fills a rectangle of the image. Its origin is the top left corner, and it lies within the image. `pixels` is
     * aligned to 16 bytes; rows are `row_bytes` apart. The host calls it when the pixels are read, from several
     * threads at once, for any rectangle, and more than once for the same pixels, which must not change. Rectangles
     * follow each other from top to bottom if `source` has sequential access; it may then read the same rows from
     * `source`, and up to 128 rows above and below. If it fails, so does the edit, with its message. Not called after
     * destroy. [any] */
    ee_status (*fill)(
        void *data, uint32_t left, uint32_t top, uint32_t width, uint32_t height, void *pixels,
        size_t row_bytes, ee_error *error);

    /* Frees `data`. Called once, after the last `fill`, possibly after destroy. NULL: nothing to free. [any] */
    void (*release)(void *data);
} ee_image_source;

/* The host's capability EE_CAPABILITY_PIXELS, since 1.1: pixels in the memory of an extension, so that it needs nothing
 * of libvips. The functions take the images of this contract as handles: those of ee_input, ee_preview, ee_frame and
 * the placeholder, and those of create. Images with other samples or bands, which only libvips makes, are rejected
 * with EE_UNSUPPORTED. All functions are [any]. */
typedef struct ee_pixels {
    uint32_t struct_size;

    /* Fills *facts, whose struct_size the caller has set. The host reduces it to its own size of the structure if that
     * is smaller; members beyond it are not filled. Decodes no pixels. */
    ee_status (*describe)(VipsImage *image, ee_image_facts *facts, ee_error *error);

    /* Computes a rectangle of an image, on the calling thread, and copies its pixels to `pixels`, in rows that are
     * `row_bytes` apart. Both must be aligned to the size of a sample. The rectangle must lie within the image; its
     * origin is the top left corner. Integers are rounded to the nearest value. Without alpha in the image, alpha is
     * the largest value; a layout of 3 bands omits alpha. Images with sequential access are read from top to
     * bottom, see ee_access. EE_UNSUPPORTED for EE_LINEAR if has_linear is 0. */
    ee_status (*read)(
        VipsImage *image, uint32_t left, uint32_t top, uint32_t width, uint32_t height,
        const ee_pixel_layout *layout, void *pixels, size_t row_bytes, ee_error *error);

    /* Makes a lazy image, for render_preview, process_frame, take_frame or ee_output. It is stored like `source`, the
     * image that it is computed from: with samples of the same type and the same profile. What `fill` writes is
     * rounded to the nearest stored value and clipped. Pixels that are read and filled in the same layout stay as they
     * are, if it is floating point, or EE_ENCODED with at least the stored bits. NAN becomes 0. The image keeps
     * `source` alive. *image: transfers a reference. If this fails, `release` is not called. */
    ee_status (*create)(
        VipsImage *source, const ee_image_source *description, VipsImage **image,
        ee_error *error);

    /* Adds and releases a reference to an image, like g_object_ref and g_object_unref. */
    void (*retain)(VipsImage *image);
    void (*release)(VipsImage *image);

    /* The input for measuring, as for automatic settings: its longer side has at most `longest_side` pixels, at least 1,
     * and at most those of the display image. For a trusted extension and without earlier edits, it is decoded as small
     * as the format allows, which is several times faster than the display image of a large JPEG. Otherwise it is
     * reduced from the pixels that the process has. It is in memory, and can be read in any order. Calls with the same
     * side return equal pixels from start to destroy, in previews and in finish; only the last one is kept. The pixels
     * may differ in another session, and between trusted and untrusted runs, so store the results in the recipe. Fails
     * with EE_UNSUPPORTED for controllers that render a recipe. *image: transfers a reference. [any] until destroy. */
    ee_status (*reduced_image)(
        const ee_input *input, uint32_t longest_side, VipsImage **image, ee_error *error);
} ee_pixels;

/* What the three numbers of a colour are, since 1.1. */
typedef int32_t ee_color_model;
enum {
    EE_COLOR_ENCODED = 0, /* red, green and blue, 0...1, with the transfer curves of a profile */
    EE_COLOR_LINEAR = 1,  /* red, green and blue, 0...1, proportional to light, in the primaries of a profile */
    EE_COLOR_XYZ = 2,     /* CIE XYZ relative to D50: white is 0.9642, 1, 0.8249 */
    EE_COLOR_LAB = 3      /* CIE L*a*b* relative to D50: L is 0...100 */
};

/* A colour space, since 1.1. The last three members are for EE_COLOR_ENCODED and EE_COLOR_LINEAR only. */
typedef struct ee_color_space {
    uint32_t struct_size;
    ee_color_model model;
    /* The profile: "srgb", "display-p3", "adobe-rgb", "prophoto-rgb" or "rec-2020"; NULL: the one below. */
    const char *name;
    /* An ICC profile, for example that of ee_image_facts or VIPS_META_ICC_NAME; NULL: none, which means sRGB. */
    const void *profile;
    size_t profile_size;
} ee_color_space;

/* A transform from one colour space to another, since 1.1. The host defines the structure. */
typedef struct ee_color_transform ee_color_transform;

/* The host's capability EE_CAPABILITY_COLOR, since 1.1: transforms between colour spaces in floating point, with the
 * relative colorimetric intent and without black point compensation. All functions are [any]. */
typedef struct ee_color {
    uint32_t struct_size;

    /* Makes a transform. The spaces are borrowed until the call returns. EE_UNSUPPORTED for unknown names, and for
     * profiles that are not RGB, are malformed, or describe their colours with tables of several dimensions (A2B).
     * *transform: to be passed to `release`. */
    ee_status (*create)(
        const ee_color_space *source, const ee_color_space *destination,
        ee_color_transform **transform, ee_error *error);

    /* Transforms `count` pixels of `bands` numbers each: 3, or 4 of which the last is alpha and is copied. The result
     * may replace the source; otherwise they must not overlap. Colours outside the gamut of the destination are not
     * clipped: curves are continued beyond 0...1, for negative values as -f(-x), and curves with points beyond 1 with
     * a slope of 1. NAN and infinities become 0. Several threads may use a transform at once. EE_UNSUPPORTED for other
     * bands. */
    ee_status (*apply)(
        const ee_color_transform *transform, const float *source, float *destination,
        size_t count, uint32_t bands, ee_error *error);

    /* Frees a transform; NULL is ignored. It may outlive the controller. */
    void (*release)(ee_color_transform *transform);
} ee_color;

/* The capability EE_CAPABILITY_FRAME_PROCESSOR, since 1.1, in addition to EE_CAPABILITY_PHOTO_EDITING: edits videos
 * frame by frame. Requires "video" in the manifest's supportedMediaTypes. Returned by
 * get_capability; valid until the process ends. */
typedef struct ee_frame_processor {
    uint32_t struct_size;

    /* The frame with the current edit applied, lazy. Called after start for each frame, in order of time. The
     * size must be the same for all frames. The result may depend only on the recipe, the frame, its time
     * and earlier frames. *image: transfers a reference; it is read completely before the next call.
     * [session] */
    ee_status (*process_frame)(
        ee_controller *controller, const ee_frame *frame, VipsImage **image, ee_error *error);
} ee_frame_processor;

/* An output frame of ee_video_editing, since 1.1. */
typedef struct ee_made_frame {
    uint32_t struct_size;

    /* The frame, which must have the same size as all others; transfers a reference. Initially NULL, which means that
     * no frame is available until the next put_frame. It is read once, before the next call. */
    VipsImage *image;
    /* Its time from the start of the video, in units of 1 / timescale seconds of the ee_frame; initially 0. A frame is
     * shown until the next one, the last frame until the end of the video. */
    int64_t time;
} ee_made_frame;

/* The capability EE_CAPABILITY_VIDEO_EDITING, since 1.1, in addition to EE_CAPABILITY_PHOTO_EDITING: edits videos with
 * access to several frames, or changes the number and times of frames. Duration and sound stay the same. Requires
 * "video" in the manifest's supportedMediaTypes. If the library also has EE_CAPABILITY_FRAME_PROCESSOR, that is used
 * for single frames. Returned by get_capability; valid until the process ends. */
typedef struct ee_video_editing {
    uint32_t struct_size;

    /* Passes the next frame, in order of time, after start; NULL after the last. For a picture of a single moment,
     * only its frame is passed, followed by NULL. [session] */
    ee_status (*put_frame)(ee_controller *controller, const ee_frame *frame, ee_error *error);

    /* Returns the next frame of the edited video. Called after every put_frame until it returns none. Times must be
     * within the video, and each at least a millisecond after the one before. The first frame is shown from the start
     * regardless of its time. The result may depend only on the recipe and the frames. [session] */
    ee_status (*take_frame)(ee_controller *controller, ee_made_frame *frame, ee_error *error);
} ee_video_editing;

/* A Live Photo whose video is being edited, since 1.1; valid until begin_video returns. */
typedef struct ee_live_photo {
    uint32_t struct_size;

    int64_t still_time; /* of the still, from the start of the video; -1: unknown or trimmed away */
    int64_t duration;   /* of the video */
    int64_t timescale;  /* units per second of both, at least 1 */
} ee_live_photo;

/* The capability EE_CAPABILITY_LIVE_PHOTO_EDITING, since 1.1, in addition to one that edits videos: for edits that
 * treat the video of a Live Photo differently from its still. Without it, the still is edited like any photo and the
 * video like any video, with the same recipe. Returned by get_capability; valid until the process ends. */
typedef struct ee_live_photo_editing {
    uint32_t struct_size;

    /* Announces that the following frames belong to the video of a Live Photo. Called after start and before the
     * first frame; not called for the still. [session] */
    ee_status (*begin_video)(
        ee_controller *controller, const ee_live_photo *live_photo, ee_error *error);
} ee_live_photo_editing;

/* The part of a video that an edit keeps, since 1.1. */
typedef struct ee_range {
    uint32_t struct_size;
    uint32_t leaves_frames; /* 1: frames stay unchanged, and process_frame need not be called; otherwise 0 */
    int64_t start;          /* inclusive, from the start of the video, at least 0 */
    int64_t end;            /* exclusive, greater than `start` */
    int64_t timescale;      /* units per second of both, at least 1 */
} ee_range;

/* The capability EE_CAPABILITY_TIME_RANGE, since 1.1, in addition to EE_CAPABILITY_FRAME_PROCESSOR: trims
 * videos. Returned by get_capability; valid until the process ends. */
typedef struct ee_time_range {
    uint32_t struct_size;

    /* Narrows *range, initially the whole video, to the part that the recipe keeps. A frame is kept if the middle
     * of its display time is within the range. Other frames are not passed to controllers. For later edits, the
     * video starts at the first kept frame. The result may depend only on the recipe and the range. [session] */
    ee_status (*narrow)(const ee_adjustment *recipe, ee_range *range, ee_error *error);
} ee_time_range;

/* The capability EE_CAPABILITY_MANIFEST: generates the manifest from the extension's code, for
 * `edithost extensions manifest`. A library needs another capability to be usable. Returned by
 * get_capability; valid until the process ends. */
typedef struct ee_manifest {
    uint32_t struct_size;

    /* The manifest as a JSON object of at most 1 MiB, to which the caller adds `library`; valid until the
     * process ends. NULL: there is none. [session] */
    const char *(*json)(void);
} ee_manifest;

/* The capability EE_CAPABILITY_EVENTS, for extensions with an event loop. The host runs the loop on the
 * session's thread, before each [session] call on a controller and while it waits for a completion. */
typedef struct ee_events {
    uint32_t struct_size;

    /* A file descriptor that is readable while events are pending. It must stay open. -1: there are no
     * more events. [session] */
    int (*descriptor)(void);

    /* Handles the pending events and returns. [session] */
    void (*dispatch)(void);
} ee_events;

/* The extension. Valid until the process ends. */
typedef struct ee_entry {
    uint32_t struct_size;
    uint32_t abi_major;     /* EE_ABI_MAJOR of the header used for the build */
    uint32_t abi_minor;
    const char *identifier; /* must equal the manifest's, which is also ee_host's */
    const char *version;    /* must equal the manifest's, which is also ee_host's */

    /* Returns the extension's capability with this id, or NULL. [session] */
    const void *(*get_capability)(const char *id);
} ee_entry;

/* The only symbol that the library must export. Called once for each manifest that uses the library,
 * after libvips has been initialized. `host` is valid until the process ends. Returns NULL if the
 * extension cannot run in this host. [session] */
EE_EXPORT const ee_entry *editing_extension_entry(const ee_host *host);

/* The sizes of the structures in 1.0, up to the end of their last member at that time. They never
 * change. Structures with a smaller struct_size are rejected. */
#define EE_SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))
enum {
    EE_HOST_SIZE_1_0 = EE_SIZE_UP_TO(ee_host, get_capability),
    EE_INPUT_SIZE_1_0 = EE_SIZE_UP_TO(ee_input, capture),
    EE_CAPTURE_SIZE_1_0 = EE_SIZE_UP_TO(ee_capture, subject_distance),
    EE_FILES_SIZE_1_0 = EE_SIZE_UP_TO(ee_files, parameter),
    EE_ORIGINAL_SIZE_1_0 = EE_SIZE_UP_TO(ee_original, filename),
    EE_CACHE_SIZE_1_0 = EE_SIZE_UP_TO(ee_cache, release),
    EE_PREVIEW_SIZE_1_0 = EE_SIZE_UP_TO(ee_preview, image),
    EE_WORK_SIZE_1_0 = EE_SIZE_UP_TO(ee_work, temporary_space),
    EE_PARAMETERS_SIZE_1_0 = EE_SIZE_UP_TO(ee_parameters, merge),
    EE_OUTPUT_SIZE_1_0 = EE_SIZE_UP_TO(ee_output, profile),
    EE_COMPLETION_SIZE_1_0 = EE_SIZE_UP_TO(ee_completion, complete),
    EE_PHOTO_EDITING_SIZE_1_0 = EE_SIZE_UP_TO(ee_photo_editing, should_show_cancel_confirmation),
    EE_MANIFEST_SIZE_1_0 = EE_SIZE_UP_TO(ee_manifest, json),
    EE_EVENTS_SIZE_1_0 = EE_SIZE_UP_TO(ee_events, dispatch),
    EE_ENTRY_SIZE_1_0 = EE_SIZE_UP_TO(ee_entry, get_capability)
};

/* The same for structures added in 1.1. */
enum {
    EE_FRAME_SIZE_1_1 = EE_SIZE_UP_TO(ee_frame, image),
    EE_FRAME_PROCESSOR_SIZE_1_1 = EE_SIZE_UP_TO(ee_frame_processor, process_frame),
    EE_RANGE_SIZE_1_1 = EE_SIZE_UP_TO(ee_range, timescale),
    EE_TIME_RANGE_SIZE_1_1 = EE_SIZE_UP_TO(ee_time_range, narrow),
    EE_MADE_FRAME_SIZE_1_1 = EE_SIZE_UP_TO(ee_made_frame, time),
    EE_VIDEO_EDITING_SIZE_1_1 = EE_SIZE_UP_TO(ee_video_editing, take_frame),
    EE_LIVE_PHOTO_SIZE_1_1 = EE_SIZE_UP_TO(ee_live_photo, timescale),
    EE_LIVE_PHOTO_EDITING_SIZE_1_1 = EE_SIZE_UP_TO(ee_live_photo_editing, begin_video),
    EE_VIDEO_SIZE_1_1 = EE_SIZE_UP_TO(ee_video, timescale),
    EE_VIDEO_READING_SIZE_1_1 = EE_SIZE_UP_TO(ee_video_reading, sound),
    EE_PIXEL_LAYOUT_SIZE_1_1 = EE_SIZE_UP_TO(ee_pixel_layout, bands),
    EE_IMAGE_FACTS_SIZE_1_1 = EE_SIZE_UP_TO(ee_image_facts, profile_size),
    EE_IMAGE_SOURCE_SIZE_1_1 = EE_SIZE_UP_TO(ee_image_source, release),
    EE_PIXELS_SIZE_1_1 = EE_SIZE_UP_TO(ee_pixels, reduced_image),
    EE_COLOR_SPACE_SIZE_1_1 = EE_SIZE_UP_TO(ee_color_space, profile_size),
    EE_COLOR_SIZE_1_1 = EE_SIZE_UP_TO(ee_color, release)
};

#ifdef __cplusplus
}
#endif

#endif /* EDITING_EXTENSION_H */
