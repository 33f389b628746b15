// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// The filename extensions that decide which files an import groups. The format of a file is determined from its bytes.
enum ImportFilenameExtension {
    /// Extensions of pictures that can have a RAW beside them, as in RAW+JPEG, in order of preference.
    static let rawCompanions = ["jpg", "jpeg", "jpe", "heic", "heif", "hif"]
    /// Extensions of pictures that can have the video of a Live Photo beside them, in order of preference. HEIC comes
    /// first, because a JPEG beside a HEIC is usually a copy of it.
    static let stills = ["heic", "heif", "hif", "jpg", "jpeg", "jpe"]
    /// Extensions of pictures that have sidecars, in order of preference. Only ``rawCompanions`` can have a RAW.
    static let pictures = rawCompanions + ["png", "tif", "tiff", "webp", "avif", "gif", "jxl"]
    /// Extensions of videos. They have sidecars if there is no picture with their name, and otherwise may be its
    /// motion.
    static let videos = [
        "mov", "mp4", "m4v", "3gp", "mkv", "webm", "avi", "mts", "m2ts", "m2t", "mpg", "mpeg",
        "mpe",
        "vob", "wmv", "asf", "ts",
    ]

    private static let raw: Set = [
        "3fr", "arw", "cr2", "cr3", "crw", "dcr", "dng", "erf", "gpr", "iiq", "kdc", "mef", "mrw",
        "nef", "nrw", "orf", "pef", "raf", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
    ]
    private static let sidecars: Set = ["xmp", "aae"]
    /// Extensions of containers for the videos of Live Photos.
    private static let motions: Set = ["mov", "mp4"]
    /// Extensions of unsupported pictures and videos.
    private static let unsupported: Set = [
        "jfif", "apng", "bmp", "jp2", "psd", "mpo", "avifs", "heics", "flv", "3g2", "mxf", "qt",
        "divx", "insv", "ogv",
    ]

    static func isRaw(_ path: String) -> Bool { raw.contains(ending(of: path)) }
    static func isVideo(_ path: String) -> Bool { videos.contains(ending(of: path)) }
    static func isMotion(_ path: String) -> Bool { motions.contains(ending(of: path)) }
    static func isSidecar(_ path: String) -> Bool { sidecars.contains(ending(of: path)) }
    static func isJSON(_ path: String) -> Bool { ending(of: path) == "json" }
    static func isAdjustment(_ path: String) -> Bool { ending(of: path) == "aae" }

    /// Whether the extension is that of a picture or video, including unsupported formats.
    static func isMedia(_ path: String) -> Bool {
        let ending = ending(of: path)
        return raw.contains(ending) || unsupported.contains(ending)
            || (pictures + videos).contains(ending)
    }

    /// Whether the extension is only that of pictures or videos. That of TypeScript is also `ts`.
    static func isOnlyMedia(_ path: String) -> Bool { isMedia(path) && ending(of: path) != "ts" }

    private static func ending(of path: String) -> String { FileName(path).parts.ending }
}
