// SPDX-License-Identifier: Apache-2.0

/// What came of pulling pixels.
public struct RenderReport: Codable, Hashable, Sendable {
    /// Width of the output in pixels.
    public var width: Int
    /// Height of the output in pixels.
    public var height: Int
    /// The picture's size before it was reduced for the output; nil where that is not known.
    public var fullSize: PixelSize?
    /// Bytes written to the output descriptor, from its start.
    public var byteCount: Int
    /// The base picture's facts, for `facts` and where the base is encoded.
    public var facts: PhotoFacts?
    /// How often this runner has begun to decode a base at full size since it started.
    public var fullSizeDecodes: Int
    /// Things worth telling the user, for example that only the first frame was used.
    public var warnings: [String]

    /// Makes a report.
    public init(
        width: Int, height: Int, fullSize: PixelSize? = nil, byteCount: Int, facts: PhotoFacts?,
        fullSizeDecodes: Int,
        warnings: [String] = []
    ) {
        self.width = width
        self.height = height
        self.fullSize = fullSize
        self.byteCount = byteCount
        self.facts = facts
        self.fullSizeDecodes = fullSizeDecodes
        self.warnings = warnings
    }
}
