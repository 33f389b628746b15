// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// The formats that the installed libvips can write. Its encoders are optional.
enum WritableFormats {
    /// - Throws: `RunnerFailure` with `unwritableFormat`, which names the supported formats.
    static func require(_ format: MediaFormat) throws(RunnerFailure) {
        if !canWrite(format) { throw failure(format) }
    }

    /// Returns the failure for a format that cannot be written, with the supported formats.
    static func failure(_ format: MediaFormat) -> RunnerFailure {
        let others = MediaFormat.allCases.filter { $0.isWritten && canWrite($0) }.map(\.rawValue)
        return RunnerFailure(
            code: .unwritableFormat,
            message: "\(format.displayName) files cannot be written on this machine; use "
                + others.joined(separator: ", "))
    }

    /// Whether encoding a small picture succeeds.
    private static func canWrite(_ format: MediaFormat) -> Bool {
        let side = 16
        let encoder = Encoder(settings: EncodeSettings(format: format), original: nil)
        guard
            let image = try? Image(
                bytes: [UInt8](repeating: 128, count: side * side * 3), width: side, height: side,
                bands: 3, format: .uchar, interpretation: .srgb),
            let (saver, options) = try? encoder.saver(for: image)
        else { return false }
        let inMemory = saver.split(separator: "_").dropLast().joined(separator: "_") + "_buffer"
        return (try? image.encoded(saver: inMemory, options: options)) != nil
    }
}
