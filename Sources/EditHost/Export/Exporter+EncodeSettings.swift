// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

extension Exporter {
    /// Returns the settings for encoding a rendered photo with the options of the export.
    ///
    /// - Throws: `HostError` with `badRequest`.
    func settings(for facts: PhotoFacts) throws -> EncodeSettings {
        var settings = EncodeSettings.rendition(of: facts)
        if let format = options.format {
            guard format.isWritten else {
                throw HostError(
                    .badRequest,
                    "\(format.displayName) files cannot be written; use "
                        + MediaFormat.writtenNames.joined(separator: ", "))
            }
            settings.format = format
            settings.quality = format.hasQuality ? EncodeSettings.defaultQuality : nil
        }
        if let quality = options.quality {
            guard (1...100).contains(quality) else {
                throw HostError(.badRequest, "the quality must be from 1 to 100")
            }
            try ExportOptions.requireQuality(of: settings.format)
            settings.quality = quality
        }
        if settings.format == .jpeg { settings.bitsPerSample = 8 }
        settings.size = options.size
        settings.sharpening = options.sharpening.flatMap { .init(rawValue: $0.rawValue) }
        settings.omittedMetadata = options.omittedMetadata
        settings.profile = options.profile == .original ? nil : options.profile
        return settings
    }
}
