/* SPDX-License-Identifier: Apache-2.0
 *
 * editing_extension.h: the contract between edithost and an editing extension.
 *
 * An editing extension is a folder `Name.editingextension/` with a `manifest.json` and one shared
 * library. The library exports one symbol, `editing_extension_entry`. This header is all that a
 * plug-in needs; it compiles by itself as C11, C17, C++17 and C++20. Examples/InvertC is a
 * complete plug-in, Examples/TintC one with parameters.
 *
 * The life of a controller, in the order of the calls:
 *
 *   create                             one controller for one edit of one photograph
 *   can_handle                         only if the photograph has a recipe to ask about
 *   start                              with the input and a picture of the current state
 *   get_parameters, set_parameters,    any number of times, in any order;
 *   render_preview                     none of them in a batch
 *   finish                             the recipe and the output; or cancel, at any time
 *   destroy                            after the last pixel of the output was read
 *
 * A video is rendered by a controller of its own, which needs EE_CAPABILITY_FRAME_PROCESSOR too, or
 * EE_CAPABILITY_VIDEO_EDITING: the one that was edited with gives its recipe to the completion and no picture, and then
 *
 *   create, can_handle, start          with that recipe
 *   process_frame                      for each frame, in the order of time; or
 *   put_frame, take_frame              for each, and at the end
 *   finish, destroy                    its output is not used
 *
 * Threads
 *   [session]  called on the session's one thread, never two such calls at once.
 *   [any]      may be called on any thread, also while a [session] call is running.
 *   Extension code is never called on a thread that holds a lock of the host.
 *
 * Ownership
 *   Strings and structures passed in are borrowed: valid until the call returns, except where a
 *   comment says until when. Strings are UTF-8 and end in NUL. VipsImage references are GObject
 *   references: "transfers a reference" means that the receiver calls g_object_unref.
 *
 * Growth
 *   1.0 is final: what it declares stays as it is here, in every 1.x. This is 1.1: what has come
 *   since says so.
 *   Structures begin with `struct_size`, which their maker sets to sizeof. A minor version appends
 *   members only, at the end: none is removed, moved, retyped or given another meaning. Code that
 *   reads a structure reads nothing beyond its struct_size. The members of 1.0 are always there, a
 *   shorter structure is refused; a member of a later version is read only after
 *   EE_COVERS(structure, member), and where it is not covered the other side is older and does
 *   without. ee_adjustment, which is embedded in ee_output, and ee_error have no struct_size and
 *   never grow. Unknown capabilities are asked for by id and answered NULL.
 *   So a plug-in built against 1.0 runs in every 1.x host and the reverse.
 */
#ifndef EDITING_EXTENSION_H
#define EDITING_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Hosts and extensions of one major version understand each other. */
#define EE_ABI_MAJOR 1
#define EE_ABI_MINOR 1

#if defined(__GNUC__)
#define EE_EXPORT __attribute__((visibility("default")))
#else
#define EE_EXPORT
#endif

/* Whether a structure that begins with struct_size has a member; reads struct_size alone. For the
 * members of a version later than 1.0. */
#define EE_COVERS(structure, member)                                                               \
    ((size_t)((const char *)(&(structure)->member + 1) - (const char *)(structure)) <=             \
     (structure)->struct_size)

/* The image type of libvips 8.14 or later, in the process that the extension is loaded into. */
typedef struct _VipsImage VipsImage;

/* Ids of capabilities. An id never changes its meaning; a new meaning gets a new number. Those of
 * extensions; a library must offer at least one that the host knows. */
#define EE_CAPABILITY_PHOTO_EDITING "org.edithost.photo-editing/1"
#define EE_CAPABILITY_MANIFEST "org.edithost.manifest/1" /* ee_manifest */
#define EE_CAPABILITY_EVENTS "org.edithost.events/1" /* ee_events; beside another one */
#define EE_CAPABILITY_FRAME_PROCESSOR "org.edithost.frame-processor/1" /* ee_frame_processor, since 1.1 */
#define EE_CAPABILITY_TIME_RANGE "org.edithost.time-range/1" /* ee_time_range, since 1.1 */
#define EE_CAPABILITY_VIDEO_EDITING "org.edithost.video-editing/1" /* ee_video_editing, since 1.1 */
#define EE_CAPABILITY_LIVE_PHOTO_EDITING "org.edithost.live-photo-editing/1" /* ee_live_photo_editing, since 1.1 */
/* Those of the host. */
#define EE_CAPABILITY_WORK "org.edithost.work/1"             /* ee_work */
#define EE_CAPABILITY_FILES "org.edithost.files/1"           /* ee_files */
#define EE_CAPABILITY_ORIGINAL "org.edithost.original/1"     /* ee_original */
#define EE_CAPABILITY_CACHE "org.edithost.cache/1"           /* ee_cache */
#define EE_CAPABILITY_PARAMETERS "org.edithost.parameters/1" /* ee_parameters */
/* Reserved for later versions of the host: further photographs and masks that an edit reads. */
#define EE_CAPABILITY_INPUTS "org.edithost.inputs/1"
#define EE_CAPABILITY_MASKS "org.edithost.masks/1"

/* How a call went. Anything but EE_OK comes with a message. */
typedef int32_t ee_status;
enum {
    EE_OK = 0,
    EE_FAILED = 1,         /* the work could not be done; the message says why */
    EE_BAD_PARAMETER = 2,  /* a parameter's value is unusable */
    EE_BAD_ADJUSTMENT = 3, /* the recipe cannot be read */
    EE_UNSUPPORTED = 4,    /* the host or the extension cannot do this */
    EE_CANCELLED = 5,      /* stopped because of cancel */
    EE_DISCARDED = 6       /* to complete alone: the user discarded the edit; no failure */
};

/* Where a call leaves its message. The caller provides it, zeroed; the callee fills it when the
 * status is not EE_OK. The caller copies it at once. Never grows. */
typedef struct ee_error {
    char message[1024]; /* UTF-8, ends in NUL */
} ee_error;

/* A recipe: PHAdjustmentData. `data` is 1 byte to 16 MiB and means nothing to the host. Names are
 * 1 to 255 bytes. Equal input and equal recipe must give equal output. Never grows. */
typedef struct ee_adjustment {
    const char *format_identifier; /* reverse DNS, e.g. "com.example.invert" */
    const char *format_version;    /* e.g. "1.0" */
    const void *data;
    size_t size;
} ee_adjustment;

/* What the host offers to the extension of one manifest. Lives as long as the process. */
typedef struct ee_host {
    uint32_t struct_size;
    uint32_t abi_major;
    uint32_t abi_minor;
    void *host_data;

    /* What the manifest says of the extension that the library is loaded for: one library may serve
     * several folders, each with a manifest of its own. */
    const char *identifier;
    const char *version;

    /* Writes one line into the log that the host keeps of this extension. [any] */
    void (*log)(const struct ee_host *host, const char *message);

    /* Asks the host for a capability of its own, a structure that lives as long as the process. NULL
     * where it has none of this id. [any] */
    const void *(*get_capability)(const struct ee_host *host, const char *id);
} ee_host;

/* How the pixels of an image will be read. */
typedef int32_t ee_access;
enum {
    EE_ACCESS_SEQUENTIAL = 0, /* top to bottom: cheap in memory; enough for anything local */
    EE_ACCESS_RANDOM = 1      /* in any order: quarter turns, vertical flips, warps */
};

/* How the photograph was taken, as its original's file says in EXIF; the same whenever an edit is
 * made again. Where the file does not say it, a text is NULL, a number NAN or -1. */
typedef struct ee_capture {
    uint32_t struct_size;

    bool is_raw;              /* the original is a camera's RAW file */
    bool is_hdr;              /* made of, or for, a high dynamic range */
    bool is_screenshot;
    int32_t orientation;      /* EXIF 1...8 of the original; its images come upright */
    int32_t flash;            /* EXIF's bits; bit 0: it fired */
    int32_t white_balance;    /* 0 automatic, 1 manual */
    const char *camera_make;
    const char *camera_model;
    const char *lens_model;
    double focal_length;      /* millimetres */
    double focal_length_35mm; /* that of the same angle of view on 35 mm film */
    double aperture;          /* f-number */
    double exposure_time;     /* seconds */
    double iso_speed;
    double exposure_bias;     /* stops */
    double subject_distance;  /* metres; 4294967295 is infinity */
} ee_capture;

/* What an edit starts from: PHContentEditingInput. Given to start, valid until destroy.
 *
 * Images are upright, RGB or RGBA (3 or 4 bands), straight alpha, VIPS_FORMAT_UCHAR (0...255) or
 * VIPS_FORMAT_USHORT (0...65535), in the photograph's own RGB profile (sRGB where it has none);
 * origin top left. The manifest's `pixelFormats` narrows this. Images are lazy: asking is free,
 * reading costs. The three functions below may be called on [any] thread until destroy. */
typedef struct ee_input {
    uint32_t struct_size;
    void *host_data;

    int32_t media_type;            /* PHAssetMediaType: 1 image; since 1.1: 2 video, whose images
                                    * below are those of a frame */
    uint64_t media_subtypes;       /* PHAssetMediaSubtype bits */
    const char *content_type;      /* of the original, e.g. "image/jpeg" */
    const char *creation_date;     /* RFC 3339, offset and time only where known; NULL: none */
    bool has_location;
    double latitude;               /* degrees north, -90...90 */
    double longitude;              /* degrees east, -180...180 */

    uint32_t full_width;           /* pixels of the full-size image */
    uint32_t full_height;
    int32_t full_size_orientation; /* EXIF 1...8 of the images below: always 1 */
    double full_scale;             /* full_width / the photograph's true width: 1, or less when a
                                    * preview of a later edit is being made; multiply by it
                                    * whatever the recipe holds in pixels */
    double display_scale;          /* the same for the display image */

    /* The recipe to continue; NULL where there is none or can_handle said no. With a recipe the
     * images are the state before it (previous); without one, the current state. */
    const ee_adjustment *adjustment;

    /* The input at display size, its longer side at most 2048 pixels. *image: transfers a
     * reference to the caller. */
    ee_status (*display_image)(const struct ee_input *input, VipsImage **image, ee_error *error);

    /* The input at full size; for finish, not before: where previews are wanted it is not there
     * yet, and the answer is EE_UNSUPPORTED. *image: transfers a reference. Where edits
     * lie below this one, their code runs on the session's thread only: other threads share one
     * image in memory, and get EE_UNSUPPORTED if that thread has asked before them. */
    ee_status (*full_size_image)(
        const struct ee_input *input, ee_access access, VipsImage **image, ee_error *error);

    /* The path of a lossless TIFF of the full-size image, written when first asked for.
     * *path lives until destroy. For finish, not before, as full_size_image. */
    ee_status (*full_size_path)(const struct ee_input *input, const char **path, ee_error *error);

    /* Where a rendered file may be written, for a MIME type ("image/jpeg", "image/png" and
     * "image/tiff" are understood; JPEG always). *path lives until destroy; the file need not
     * exist, the folder does. */
    ee_status (*rendered_content_path)(
        const struct ee_input *input, const char *content_type, const char **path,
        ee_error *error);

    /* The MIME type that the host will store, e.g. "image/jpeg". */
    const char *default_rendered_content_type;

    /* How the photograph was taken; valid until destroy. */
    const ee_capture *capture;
} ee_input;

/* The host's capability EE_CAPABILITY_WORK: whether work that takes long is still wanted, how far it
 * is, and what it may use. All take the input that was given to start, until destroy, in sessions
 * and in batches alike. */
typedef struct ee_work {
    uint32_t struct_size;

    /* Whether the edit was cancelled. Cheap; to be polled by loops that take long, also in the
     * generate of an image. Once true it stays true. [any] */
    bool (*is_cancelled)(const ee_input *input);

    /* Reports how much of the edit is done, 0...1. May be shown to the user. Values below 0 or above
     * 1 count as these; NaN, and a value less than a previous one, is ignored. [any] */
    void (*report_progress)(const ee_input *input, double fraction);

    /* How many threads to compute on, at least 1: those of libvips are as many. [any] */
    uint32_t (*thread_count)(const ee_input *input);

    /* A folder for temporary files, though not for folders, and how many bytes all files of the edit
     * may have together, those at full_size_path and rendered_content_path included; UINT64_MAX:
     * without limit. Files that are left there are removed when the process ends, not before. *path
     * lives until destroy. EE_UNSUPPORTED where there is none. [any] */
    ee_status (*temporary_space)(
        const ee_input *input, const char **path, uint64_t *limit, ee_error *error);
} ee_work;

/* The host's capability EE_CAPABILITY_FILES: the extension's own files. They are those that its
 * manifest lists as `hashedFiles`, and their bytes are the ones that were hashed: a runner opens no
 * file of the folder, and they cannot be changed. */
typedef struct ee_files {
    uint32_t struct_size;

    /* The bytes of a file, by its name in the manifest: `size` bytes that lie at a multiple of 64,
     * can only be read, and live as long as the process. EE_FAILED for another name. Cheap; also
     * from editing_extension_entry on. [any] */
    ee_status (*bytes)(
        const ee_host *host, const char *name, const void **data, size_t *size, ee_error *error);

    /* The bytes behind the value of a parameter of the type `file`, which is "sha256:" and 64
     * hexadecimal digits for a file that the user named, and the name of one of hashedFiles
     * where it is the manifest's default. Such a file is kept with the edit: the same bytes are there
     * whenever it is made again. A recipe holds the value as it is. The bytes are as those above,
     * and live until destroy. EE_FAILED for another value. [any] */
    ee_status (*parameter)(
        const ee_input *input, const char *value, const void **data, size_t *size,
        ee_error *error);
} ee_files;

/* The host's capability EE_CAPABILITY_ORIGINAL: the original's own file, as it was imported, for
 * trusted extensions and for those whose manifest says `readsOriginal` if the user has allowed it.
 * Its MIME type is the input's content_type. Where an extension may not have it, or it is not there,
 * EE_UNSUPPORTED. */
typedef struct ee_original {
    uint32_t struct_size;

    /* Its bytes, `size` of them, which can only be read, and live until destroy. Cheap: they are
     * mapped, and read when they are looked at. [any] */
    ee_status (*bytes)(
        const ee_input *input, const void **data, size_t *size, ee_error *error);

    /* Its name when it was imported, without a folder; lives until destroy. [any] */
    ee_status (*filename)(const ee_input *input, const char **name, ee_error *error);
} ee_original;

/* The host's capability EE_CAPABILITY_CACHE: bytes that one edit leaves for the next ones in the same
 * process, so that a table or a model is made once. It is a cache: nothing need be found again, and
 * nothing outlives the process. Entries are those of this extension alone, found by a hash of what
 * they were made of. */
typedef struct ee_cache {
    uint32_t struct_size;

    /* How many bytes all entries may have together; what was not used for longest goes first.
     * [any] */
    size_t (*limit)(const ee_host *host);

    /* Keeps a copy of `size` bytes under a key, in place of what was there. EE_FAILED where they are
     * more than the limit. [any] */
    ee_status (*store)(
        const ee_host *host, const uint8_t key[32], const void *data, size_t size,
        ee_error *error);

    /* Finds an entry: `size` bytes that lie at a multiple of 64, that do not change, and that stay
     * until release was called as often as this gave true for them, even if the entry goes before.
     * False where there is none. [any] */
    bool (*find)(
        const ee_host *host, const uint8_t key[32], const void **data, size_t *size);

    /* Ends the use of what find gave. [any] */
    void (*release)(const ee_host *host, const void *data);
} ee_cache;

/* The host's capability EE_CAPABILITY_PARAMETERS: values of parameters by name and type, so that no
 * plug-in needs a JSON parser. `json` is an object of `size` bytes, at most 1 MiB, which may be
 * untrusted: what set_parameters is given, or a recipe that is such an object. What is no object
 * has no values. Where a name is there twice, the first counts. Those that read give true and the
 * value, or false and leave `value` as it was: there is no value of that name and type. All of them
 * [any]. */
typedef struct ee_parameters {
    uint32_t struct_size;

    /* A number or an angle. Finite; limits of the manifest hold for set_parameters only. */
    bool (*number)(const char *json, size_t size, const char *name, double *value);

    /* A number without a fraction. */
    bool (*integer)(const char *json, size_t size, const char *name, int64_t *value);

    bool (*boolean)(const char *json, size_t size, const char *name, bool *value);

    /* A text or a choice: UTF-8 that ends in NUL. False where it has a NUL in it, or does not fit
     * into `capacity` bytes with the NUL at its end. */
    bool (*text)(
        const char *json, size_t size, const char *name, char *value, size_t capacity);

    /* Red, green, blue and alpha, 0...1, straight, in the profile of the images. */
    bool (*color)(const char *json, size_t size, const char *name, double value[4]);

    /* x and y, in units of the picture. */
    bool (*point)(const char *json, size_t size, const char *name, double value[2]);

    /* x, y, width and height, in units of the picture. */
    bool (*rectangle)(const char *json, size_t size, const char *name, double value[4]);

    /* x and y of each point of a list or a curve, in their order, into an array of `capacity` points;
     * *count: how many there are. They are 4096 at most. False, with *count set all the same and
     * `value` as it was, where they are more than `capacity`: so a capacity of 0 asks how many. */
    bool (*points)(
        const char *json, size_t size, const char *name, double (*value)[2], size_t capacity,
        size_t *count);

    /* A curve as a table: what it makes of 0, 1 / (count - 1), ... 1, each 0...1; `count` is at least
     * 2. Between its points it is a monotone cubic (Fritsch and Carlson), before the first and after
     * the last it is level. False where a point is beyond 0...1, where x does not ascend, and where
     * there are fewer than two. */
    bool (*curve)(const char *json, size_t size, const char *name, double *value, size_t count);

    /* Changes `values`, an object that ends in NUL, in memory of `capacity` bytes: what its names have
     * in `json` takes the place of what they have there; other names are ignored. So a plug-in
     * keeps its parameters as one text, made of their defaults, which get_parameters gives and
     * which is a recipe too: equal values make equal text. EE_BAD_PARAMETER, and nothing is
     * changed, where `json` is no object, where a value is of another type, and where
     * the result does not fit. */
    ee_status (*merge)(
        char *values, size_t capacity, const char *json, size_t size, ee_error *error);
} ee_parameters;

/* What an edit ends in: PHContentEditingOutput. Made from the input given to start. */
typedef struct ee_output {
    uint32_t struct_size;

    ee_adjustment adjustment; /* the recipe; may not be empty */

    /* The picture, lazy; the host takes a reference of its own and reads every pixel once,
     * later, on threads of its own. Same conventions as the input's images; another band format
     * is cast back to the input's. NULL when a file was written instead. */
    VipsImage *image;

    /* When image is NULL: the MIME type for which a file was written, at the path that
     * rendered_content_path gave. Its pixels must be upright, its orientation absent or 1. */
    const char *rendered_content_type;

    /* The RGB profile of the output: NULL for the input's, or one of "srgb", "display-p3",
     * "adobe-rgb", "prophoto-rgb". */
    const char *profile;
} ee_output;

/* Given to finish; valid until its complete was called or destroy is called. */
typedef struct ee_completion {
    uint32_t struct_size;
    void *host_data;

    /* Ends the edit. Exactly one call: later ones are ignored and logged, as is a call after
     * cancel. EE_OK with an output: commit it; one with neither recipe nor picture commits nothing.
     * EE_DISCARDED: nothing to commit, the user discarded the edit. Anything else, and EE_OK with
     * NULL, "gave no output": it failed, `error` says why (may be NULL).
     * `output` and what it points to are borrowed until complete returns. [any] */
    void (*complete)(
        const struct ee_completion *completion, ee_status status, const ee_output *output,
        const ee_error *error);
} ee_completion;

/* Which picture render_preview is to give; valid until that returns. */
typedef struct ee_preview {
    uint32_t struct_size;
    void *host_data;

    /* The width of the image below relative to the photograph's true one: multiply by it whatever
     * the recipe holds in pixels. */
    double scale;

    /* The part that will be looked at, in units of the edited picture, origin top left: 0, 0, 1, 1
     * is all of it. The host cuts it out and reads nothing else; only an extension that computes
     * more than is read needs to consider it. */
    double x, y, width, height;

    /* The input at this scale: the display image or, for a part that is looked at closely, the
     * full-size image. *image: transfers a reference. [session] */
    ee_status (*image)(
        const struct ee_preview *preview, ee_access access, VipsImage **image, ee_error *error);

    /* Since 1.1. Of a video: when the image is shown, and how long the whole lasts, in units of
     * 1 / timescale seconds; the time counts from the video's beginning. Of a photograph all are 0. */
    int64_t time;
    int64_t duration;
    int64_t timescale;
} ee_preview;

/* An edit in progress. The extension defines the structure. */
typedef struct ee_controller ee_controller;

/* The capability EE_CAPABILITY_PHOTO_EDITING: PHContentEditingController. Every member is
 * required. Returned by get_capability; lives as long as the process. */
typedef struct ee_photo_editing {
    uint32_t struct_size;

    /* Makes a controller. *controller: the host calls destroy on it exactly once. [session] */
    ee_status (*create)(const ee_host *host, ee_controller **controller, ee_error *error);

    /* Frees a controller and all it keeps. No other call is running or will come. [session] */
    void (*destroy)(ee_controller *controller);

    /* Whether the edit that made this recipe can be continued; usually decided on the format's
     * identifier and version. Gets no pixels; must be quick; a failure counts as no. [session] */
    ee_status (*can_handle)(
        ee_controller *controller, const ee_adjustment *adjustment, bool *answer,
        ee_error *error);

    /* Begins. `input` is valid until destroy. `placeholder` shows the current state at display
     * size, for the time until the first preview; borrowed: take a reference to keep it.
     * [session] */
    ee_status (*start)(
        ee_controller *controller, const ee_input *input, VipsImage *placeholder,
        ee_error *error);

    /* The values of all parameters, a JSON object by the manifest's names. *json belongs to the
     * controller and is valid until the next call on it. [session] */
    ee_status (*get_parameters)(
        ee_controller *controller, const char **json, ee_error *error);

    /* Changes the parameters named in a JSON object of `size` bytes; the host has checked it
     * against the manifest. The others keep their values. [session] */
    ee_status (*set_parameters)(
        ee_controller *controller, const char *json, size_t size, ee_error *error);

    /* The edit as it stands, applied to the preview's image: the whole picture, lazily. *image:
     * transfers a reference. [session] */
    ee_status (*render_preview)(
        ee_controller *controller, const ee_preview *preview, VipsImage **image,
        ee_error *error);

    /* Makes the output and calls the completion, before returning or later from any thread. If
     * this returns anything but EE_OK the completion must not be called. Files may be removed
     * once complete returned; what the lazy image needs must live until destroy. [session] */
    ee_status (*finish)(
        ee_controller *controller, const ee_completion *completion, ee_error *error);

    /* Stop and clean up; if finish is in progress, do not call its completion. Returns soon;
     * destroy follows. [any] */
    void (*cancel)(ee_controller *controller);

    /* Whether the user should be asked before the edit is thrown away: false for a pick among
     * presets, true for work that took effort. [any] */
    bool (*should_show_cancel_confirmation)(ee_controller *controller);
} ee_photo_editing;

/* A frame of a video, since 1.1; valid until process_frame or put_frame returns. */
typedef struct ee_frame {
    uint32_t struct_size;

    int64_t time;      /* when the frame is shown, from the video's beginning */
    int64_t duration;  /* how long the whole video lasts */
    int64_t timescale; /* units a second of both, at least 1 */

    /* The frame's width relative to the video's true one, of a Live Photo to that of its still, which the recipe
     * was made for; more than 0, at most 1: multiply by it whatever the recipe holds in pixels. */
    double scale;

    /* The size of the video's true frames at this edit, in pixels. */
    uint32_t full_width;
    uint32_t full_height;

    /* The frame, as the images of ee_input are: upright, square pixels, in sRGB. In memory, so it can be
     * read in any order. Borrowed: its pixels go when process_frame's image was read, or before the next put_frame;
     * copy them to use them later. */
    VipsImage *image;
} ee_frame;

/* The capability EE_CAPABILITY_FRAME_PROCESSOR, since 1.1, beside EE_CAPABILITY_PHOTO_EDITING: edits of videos,
 * one frame at a time. The manifest's supportedMediaTypes has "video" then. Returned by
 * get_capability; lives as long as the process. */
typedef struct ee_frame_processor {
    uint32_t struct_size;

    /* The edit as it stands, applied to a frame: lazily. Called after start, for one frame after the other
     * in the order of time. Its size must be the same for all frames. It may depend on
     * the recipe, the frame, its time and the frames before it alone. *image: transfers a
     * reference; all of it was read before the next call. [session] */
    ee_status (*process_frame)(
        ee_controller *controller, const ee_frame *frame, VipsImage **image, ee_error *error);
} ee_frame_processor;

/* A frame that an edit makes for a video, since 1.1. */
typedef struct ee_made_frame {
    uint32_t struct_size;

    /* The frame, of the same size as all others; transfers a reference. NULL, its initial value: none is available
     * until another was put. It is read once, before the next call. */
    VipsImage *image;
    /* When it is shown, from the video's beginning, in units of 1 / timescale seconds of the ee_frame; initially 0. It
     * is shown until the next one is, the last until the video ends. */
    int64_t time;
} ee_made_frame;

/* The capability EE_CAPABILITY_VIDEO_EDITING, since 1.1, beside EE_CAPABILITY_PHOTO_EDITING: edits of videos that look at
 * several frames at once, or make others at times of their own: more, fewer, moved. The length of the video and its
 * sound stay. The manifest's supportedMediaTypes has "video" then. Where the library has
 * EE_CAPABILITY_FRAME_PROCESSOR, too, that is used for single frames. Returned by get_capability; lives as long
 * as the process. */
typedef struct ee_video_editing {
    uint32_t struct_size;

    /* Gets the next frame, in the order of time, after start. NULL: there are no more. If only one moment is wanted,
     * its frame is put alone, followed by NULL. [session] */
    ee_status (*put_frame)(ee_controller *controller, const ee_frame *frame, ee_error *error);

    /* Gives the next frame of the edited video. Called after every put_frame until it gives none. Times must lie within
     * the video, each a millisecond or more after the one before; the first frame is shown from the beginning,
     * whatever its time. What is made may depend on the recipe and the frames alone. [session] */
    ee_status (*take_frame)(ee_controller *controller, ee_made_frame *frame, ee_error *error);
} ee_video_editing;

/* The Live Photo whose video is edited, since 1.1; valid until begin_video returns. */
typedef struct ee_live_photo {
    uint32_t struct_size;

    int64_t still_time; /* when the still was taken, from the video's beginning; -1: not known, or cut away */
    int64_t duration;   /* how long the video lasts */
    int64_t timescale;  /* units a second of both, at least 1 */
} ee_live_photo;

/* The capability EE_CAPABILITY_LIVE_PHOTO_EDITING, since 1.1, beside one that edits videos: edits of Live Photos that tell
 * the video from the still. Without it a Live Photo is edited too: its still as any photograph, its video as any
 * video, with one recipe. Returned by get_capability; lives as long as the process. */
typedef struct ee_live_photo_editing {
    uint32_t struct_size;

    /* The frames that come are those of a Live Photo's video. Called after start, before the first of them;
     * not for the still. [session] */
    ee_status (*begin_video)(
        ee_controller *controller, const ee_live_photo *live_photo, ee_error *error);
} ee_live_photo_editing;

/* The part of a video that an edit keeps, since 1.1. */
typedef struct ee_range {
    uint32_t struct_size;
    uint32_t leaves_frames; /* 1: process_frame gives every frame as it is, and need not be called; else 0 */
    int64_t start;          /* the first moment that is kept, from the video's beginning, at least 0 */
    int64_t end;            /* the first that is not kept any more, after `start` */
    int64_t timescale;      /* units a second of both, at least 1 */
} ee_range;

/* The capability EE_CAPABILITY_TIME_RANGE, since 1.1, beside EE_CAPABILITY_FRAME_PROCESSOR: edits that shorten
 * videos. Returned by get_capability; lives as long as the process. */
typedef struct ee_time_range {
    uint32_t struct_size;

    /* Narrows *range, initially the whole video, to what the recipe keeps. A frame is kept if the middle of the
     * time for which it is shown is in the range. Frames that are not kept are passed to no controller, and the
     * first kept one begins the video for later edits. Must depend on recipe and range alone. [session] */
    ee_status (*narrow)(const ee_adjustment *recipe, ee_range *range, ee_error *error);
} ee_time_range;

/* The capability EE_CAPABILITY_MANIFEST of an extension whose manifest is made of its code: for
 * `edithost extensions manifest`, which asks once and edits nothing. A library that has no other
 * cannot be used. Returned by get_capability; lives as long as the process. */
typedef struct ee_manifest {
    uint32_t struct_size;

    /* The manifest as a JSON object; the caller adds `library`. At most 1 MiB, lives as long as the
     * process; NULL: there is none. [session] */
    const char *(*json)(void);
} ee_manifest;

/* The capability EE_CAPABILITY_EVENTS, for extensions with an event loop: the host serves it on the
 * session's thread, before each [session] call on a controller, and while it waits for a completion. */
typedef struct ee_events {
    uint32_t struct_size;

    /* A descriptor that can be read while there is something to do; it stays open. -1: there is none
     * any more. [session] */
    int (*descriptor)(void);

    /* Does what there is to do, and returns. [session] */
    void (*dispatch)(void);
} ee_events;

/* What the library is. Lives as long as the process. */
typedef struct ee_entry {
    uint32_t struct_size;
    uint32_t abi_major;     /* EE_ABI_MAJOR that the extension was built with */
    uint32_t abi_minor;
    const char *identifier; /* must equal the manifest's, which is the host's identifier */
    const char *version;    /* must equal the manifest's, which is the host's version */

    /* The extension's capability with this id; NULL where it has none. [session] */
    const void *(*get_capability)(const char *id);
} ee_entry;

/* The one symbol that an extension's library exports. Called once for each manifest that the
 * library is loaded for, after that; libvips is running. `host` lives as long as the process. NULL:
 * the extension cannot work with this host. [session] */
EE_EXPORT const ee_entry *editing_extension_entry(const ee_host *host);

/* The sizes of the structures in 1.0: up to the end of the last member that they had then. A
 * structure whose struct_size is less is refused. They never change, whatever is appended. */
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

/* The same for structures that came with 1.1. */
enum {
    EE_FRAME_SIZE_1_1 = EE_SIZE_UP_TO(ee_frame, image),
    EE_FRAME_PROCESSOR_SIZE_1_1 = EE_SIZE_UP_TO(ee_frame_processor, process_frame),
    EE_RANGE_SIZE_1_1 = EE_SIZE_UP_TO(ee_range, timescale),
    EE_TIME_RANGE_SIZE_1_1 = EE_SIZE_UP_TO(ee_time_range, narrow),
    EE_MADE_FRAME_SIZE_1_1 = EE_SIZE_UP_TO(ee_made_frame, time),
    EE_VIDEO_EDITING_SIZE_1_1 = EE_SIZE_UP_TO(ee_video_editing, take_frame),
    EE_LIVE_PHOTO_SIZE_1_1 = EE_SIZE_UP_TO(ee_live_photo, timescale),
    EE_LIVE_PHOTO_EDITING_SIZE_1_1 = EE_SIZE_UP_TO(ee_live_photo_editing, begin_video)
};

#ifdef __cplusplus
}
#endif

#endif /* EDITING_EXTENSION_H */
