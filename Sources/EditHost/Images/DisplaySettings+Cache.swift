// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Hashing
import RunnerHost
import RunnerProtocol

extension DisplaySettings {
    /// Returns the size of a source rendered with these settings.
    func size(of source: DisplaySource) -> PixelSize {
        box ?? ImageGeometry.region(crop, of: source.size).size
    }

    /// Whether the file is kept in the library's cache: uncropped sRGB pictures of limited size.
    var isKept: Bool {
        guard let box, crop == nil, !keepsProfile, thumbnail != .only else { return false }
        return max(box.width, box.height) <= ThumbnailSettings.maximumSide
    }

    /// Returns the key of the picture in the cache, or `nil` if it is not kept there.
    func cacheKey(of source: DisplaySource) -> SHA256Digest? {
        guard isKept, let file = source.key.file, let box else { return nil }
        let words = [
            file.hex, "\(box)", isExact ? "exact" : "fast", isOpaque ? "opaque" : "",
            thumbnail.rawValue, "\(HostVersion.rendering)", source.plan.baseFormat.rawValue,
        ]
        return SHA256Digest(bytes: SHA256.hash(data: Data(words.joined(separator: " ").utf8)))
    }
}

extension DisplaySettings {
    /// Whether pictures with these and other settings differ only in size.
    func shares(_ other: DisplaySettings) -> Bool {
        crop == other.crop && keepsProfile == other.keepsProfile && isOpaque == other.isOpaque
    }
}
