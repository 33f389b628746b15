// SPDX-License-Identifier: Apache-2.0

import CInterposition
import Vips

/// Remembers whether pixels of some images could not be computed, whoever asked for them and
/// whatever became of the error.
///
/// `@unchecked Sendable` is safe: the pointer is constant, and what it points to is changed by
/// atomic operations only.
final class FailureWatch: @unchecked Sendable {
    private let watch: OpaquePointer

    init() { watch = interposition_watch_new() }

    deinit { interposition_watch_free(watch) }

    /// The same image, watched from now on.
    func watching(_ image: Image) throws -> Image {
        // A copy of our own: an image has one watch, and the other may be used by somebody else.
        let own = try image.copying { _ in }
        interposition_watch_add(watch, own.pointer)
        return own
    }

    /// Whether a region of one of the images could not be computed.
    var hasFailed: Bool { interposition_watch_has_failed(watch) }

    /// What libvips said when that happened first.
    var reason: String {
        interposition_watch_reason(watch).map { brief(String(cString: $0)) }
            ?? "unknown reason"
    }
}
