// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What is exported, and how.
public struct ExportOptions: Sendable {
    /// The versions of an asset, as PhotoKit's `PHImageRequestOptionsVersion`.
    public enum Version: String, Sendable, CaseIterable {
        /// With all edits.
        case current
        /// Without any edit: the imported bytes, or what they are converted to, which is upright.
        case unadjusted
        /// As it was imported, byte for byte.
        case original
    }

    /// The version.
    public var version = Version.current
    /// The format to convert to; nil: as it is stored.
    public var format: MediaFormat?
    /// The quality of formats with loss, 1...100; nil: 92.
    public var quality: Int?
    /// The box to fit the picture into, never enlarging it; nil: as large as it is.
    public var size: PixelSize?

    /// The stored bytes of the current version.
    public init() {}

    /// Whether the stored bytes are given as they are.
    var isUnconverted: Bool { format == nil && quality == nil && size == nil }
}
