// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol
import Synchronization

/// The result of a render: pixels, an encoded file, or both.
struct RenderedPicture: Sendable {
    var image: AssetImage?
    var encoded: EncodedImage?
}

extension RenderedPicture {
    /// - Throws: `HostError`.
    init(_ picture: ImageOutput.Picture) throws {
        image = try picture.pixels.map(AssetImage.init)
        encoded = try picture.encoded.map { encoded in
            let data = try encoded.bytes.read(count: encoded.byteCount)
            return EncodedImage(
                data: data,
                format: MediaFormat(firstBytes: data.prefix(MediaFormat.sniffLength)),
                size: encoded.size)
        }
    }
}
