// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc

/// An encoded picture in memory: a JPEG, PNG or WebP file, or a file in the format that a version is stored in.
public struct EncodedImage: Sendable {
    /// The bytes of the file.
    public let data: Data
    /// The format of the file, detected from its content.
    public let format: MediaFormat
    /// The size in pixels of the upright picture.
    public let size: PixelSize
}
