// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel

/// A format of originals.
struct FormatFilter: ExpressibleByArgument {
    let formats: [MediaFormat]

    /// Parses the name of a format that can be imported. `raw` includes DNG.
    init?(argument: String) {
        guard Self.allValueStrings.contains(argument.lowercased()),
            let format = MediaFormat(name: argument)
        else { return nil }
        formats = format == .raw ? [.raw, .dng] : [format]
    }

    /// The names, for help and completion.
    static let allValueStrings = [
        "jpeg", "png", "tiff", "webp", "heic", "avif", "gif", "jxl", "raw", "dng", "mp4", "mov",
        "mkv", "webm", "avi", "mts", "mpg", "wmv",
    ]
}
