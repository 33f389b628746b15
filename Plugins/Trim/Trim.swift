// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Trims a video to a part of its duration.
struct Trim: PhotoFilter {
    static let identifier = "org.edithost.trim"
    static let version = "1.0"

    /// The start of the part to keep, in seconds.
    var start = 0.0
    /// The end of the part to keep, in seconds; 0 means the end of the video.
    var end = 0.0

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image { image }

    func keptTime(ofDuration duration: Double) throws -> KeptTime? {
        let last = end == 0 ? duration : min(end, duration)
        guard start >= 0, start < last else {
            throw EditingExtensionError(
                code: .badParameter,
                message: "start, \(start) s, must be at least 0 and lie before the end, \(last) s")
        }
        return KeptTime(start: start, end: last, leavesFrames: true)
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Trim.self, host: host)
}
