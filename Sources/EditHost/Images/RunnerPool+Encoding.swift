// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import RunnerHost
import RunnerProtocol

extension RunnerPool {
    /// Encodes 8-bit sRGB pixels as a JPEG file.
    ///
    /// - Parameters:
    ///   - pixels: The pixels in row-major order without padding.
    ///   - quality: The quality from 1 to 100; `nil` for the default.
    /// - Throws: `HostError`.
    nonisolated func jpeg(
        ofRGB pixels: Data, _ size: PixelSize, quality: Int?
    ) async throws -> OpenFile {
        let layout = UncompressedLayout(
            width: size.width, height: size.height, pixelFormat: .rgb8, profile: .sRGB)
        let base = try OpenFile.runnerMemory("page", holding: pixels)
        let settings = EncodeSettings(
            format: .jpeg, quality: quality ?? EncodeSettings.defaultQuality)
        let result = try await withRunner { runner in
            try await EncodedOutput(settings).take(
                from: runner,
                { .run(RenderJob(input: RenderInput(base: .raw(layout)), output: $0)) },
                [(.base, base)])
        }
        switch result {
        case .picture(let picture): return picture.bytes
        case .fileWritten: throw HostError(.runnerFailed, "the runner returned no picture")
        }
    }
}
