// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

extension EncodeSettings {
    /// Creates the settings of a preview.
    ///
    /// - Throws: `HostError` with `badRequest` for a format that cannot be written, or a quality that
    ///   is out of range.
    init(preview format: MediaFormat, size: PixelSize?, quality: Int? = nil) throws {
        guard format.isWritten else {
            throw HostError(.badRequest, "\(format.displayName) files cannot be written")
        }
        guard quality.map((1...100).contains) ?? true else {
            throw HostError(.badRequest, "the quality must be from 1 to 100")
        }
        self.init(format: format, size: size)
        self.quality = format.hasQuality ? quality ?? Self.defaultQuality : nil
    }
}
