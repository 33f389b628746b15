// SPDX-License-Identifier: Apache-2.0

import CInterposition
import Vips

/// Records whether any pixels of a set of images could not be computed, for any reader and even if the reader ignored
/// the error.
///
/// `@unchecked Sendable` is safe: the pointer is constant, and its target is only changed by atomic operations.
final class FailureWatch: @unchecked Sendable {
    private let watch: OpaquePointer

    init() { watch = interposition_watch_new() }

    deinit { interposition_watch_free(watch) }

    /// Returns a copy of the image that is watched.
    func watching(_ image: Image) throws -> Image {
        // The image is copied, because an image has at most one watch and the original may be in use elsewhere.
        let own = try image.copying { _ in }
        interposition_watch_add(watch, own.pointer)
        return own
    }

    /// Whether a region of one of the images could not be computed.
    var hasFailed: Bool { interposition_watch_has_failed(watch) }

    /// The libvips error of the first failure.
    var reason: String {
        interposition_watch_reason(watch).map { abbreviated(String(cString: $0)) }
            ?? "unknown reason"
    }
}
