// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// The result of computing pixels.
package struct RenderReport: Codable, Hashable, Sendable {
    /// The width of the output in pixels.
    package var width: Int
    /// The height of the output in pixels.
    package var height: Int
    /// The picture's size before it was reduced for the output, or nil if unknown.
    package var fullSize: PixelSize?
    /// The layout of the pixels in the descriptor `pixels`, or nil if none were written.
    package var layout: UncompressedLayout?
    /// The video frame that the picture shows.
    package var moment: FrameIdentity?
    /// The number of bytes written to the output descriptor, from its start.
    package var byteCount: Int
    /// The base picture's facts, for `facts` and for an encoded base.
    package var facts: PhotoFacts?
    /// For `facts`: the date of the last change to the metadata, or nil if the picture does not state it.
    package var changeDate: Date?
    /// For `facts`: the parts of the file that determine the pixels; nil if they are unknown.
    package var imageData: [Range<Int>]?
    /// The number of encoded pictures that this runner has decoded at full size since it started.
    package var fullSizeDecodes: Int
    /// The quality of the base, for `quality`.
    package var quality: PictureQuality?
    /// The number of encoded pictures that this runner has decoded at a reduced size, such as for display images.
    package var reducedDecodes: Int
    /// Warnings for the user, for example that only the first frame was used.
    package var warnings: [String]
    /// The original's metadata that the output format cannot store, each in words.
    package var omissions: [String]

    /// Creates a report from its properties.
    package init(
        width: Int, height: Int, fullSize: PixelSize? = nil, byteCount: Int, facts: PhotoFacts?,
        fullSizeDecodes: Int, reducedDecodes: Int = 0,
        warnings: [String] = [], omissions: [String] = []
    ) {
        self.width = width
        self.height = height
        self.fullSize = fullSize
        self.byteCount = byteCount
        self.facts = facts
        self.fullSizeDecodes = fullSizeDecodes
        self.reducedDecodes = reducedDecodes
        self.warnings = warnings
        self.omissions = omissions
    }
}
