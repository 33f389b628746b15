// SPDX-License-Identifier: Apache-2.0

/// A picture delivered by ``ImageManager/images(for:targetSize:contentMode:options:)``, with its info.
public struct ImageResult: Sendable {
    /// The pixels of the picture.
    public let image: AssetImage
    /// The request that is answered, and whether the picture is degraded.
    public let info: ImageRequestInfo
}
