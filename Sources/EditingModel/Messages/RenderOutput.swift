// SPDX-License-Identifier: Apache-2.0

/// What is wanted of the pixels of a `RenderJob` or of a finished edit.
public enum RenderOutput: Codable, Hashable, Sendable {
    /// Decode every pixel and say what the picture is; write nothing.
    case facts
    /// A file, written into the descriptor of role `output`.
    case encoded(EncodeSettings)
    /// Uncompressed pixels. The runner answers `outputNeeded` with their layout, the host sends
    /// `takeOutput` with a descriptor of that size, the pixels follow.
    case raw
    /// The same, fitted into a square of this side, in pixels; a smaller picture stays as it is.
    case reducedRaw(longerSide: Int)
}
