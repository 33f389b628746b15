// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// Rendered pixels that are ready to be committed.
public struct RenderedContent: Sendable {
    /// The encoded file, staged by ``PhotoLibrary/stage(_:expectedSize:)``.
    public let blob: StagedBlob
    /// The hash of everything that determines the pixels.
    public let key: SHA256Digest
    /// What the key was made of, opaque to the library.
    public let ingredients: Data
    /// Width in pixels; the file is upright.
    public let pixelWidth: Int
    /// Height in pixels.
    public let pixelHeight: Int
    /// The file's format.
    public let format: MediaFormat

    /// Makes rendered content; every argument is the property of its name.
    ///
    /// The caller has verified that the file is what these values say.
    public init(
        blob: StagedBlob, key: SHA256Digest, ingredients: Data, pixelWidth: Int, pixelHeight: Int,
        format: MediaFormat
    ) {
        self.blob = blob
        self.key = key
        self.ingredients = ingredients
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.format = format
    }
}
