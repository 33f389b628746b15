// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerHost
import RunnerProtocol

extension ExtensionHost {
    /// The maximum number of frames exported from a video.
    private static let maximumFrames = 100_000

    /// Exports frames of the current version of a video as pictures.
    ///
    /// - Parameters:
    ///   - interval: The time between frames, in seconds, greater than 0. The first frame is that of the video.
    ///   - folder: The target folder, created if it is missing. No file is overwritten.
    ///   - format: The format of the pictures.
    ///   - size: The box to fit the pictures into; nil means the size of the video.
    ///   - report: Called for each picture in order, with its path and its time in seconds.
    /// - Throws: `HostError`, `LibraryError`, errors of `report`.
    public func exportFrames(
        of identifier: String, every interval: Double, in library: PhotoLibrary,
        to folder: String, format: MediaFormat = .jpeg, size: PixelSize? = nil,
        report: (_ path: String, _ time: Double) async throws -> Void
    ) async throws {
        let history = try library.history(ofAsset: identifier)
        guard history.asset.mediaType == .video else {
            throw HostError(
                .unsupportedMediaType, "only videos have frames", asset: identifier)
        }
        let duration = history.asset.duration
        guard interval > 0, duration / interval < Double(Self.maximumFrames) else {
            throw HostError(
                .badRequest,
                "invalid interval; use more than 0 seconds, and at most \(Self.maximumFrames) frames"
            )
        }
        let settings = try EncodeSettings(preview: format, size: size)
        try PhotoLibrary.requireOutsideLibraries(folder)
        let place = try NewFile.folder(folder)
        try PhotoLibrary.requireOutsideLibraries(place)
        let renderer = renderer(of: library)
        let plan = try DisplaySource(history, .current, in: library, planner).plan
        let base = try renderer.open(plan.base, .encoded(plan.baseFormat), of: plan)
        let stem = SafeFilename(history.asset.originalFilename).stem
        var (number, time) = (0, 0.0)
        repeat {
            try Task.checkCancellation()
            let still = try await renderer.still(of: base, at: time)
            let picture = try await renderer.run(
                plan.steps, over: still, of: plan, EncodedOutput(settings))
            let name = SafeFilename(
                "\(stem)-\(String(format: "%05d", number + 1)).\(format.filenameExtension)")
            let paths = try NewFile.write(
                [
                    NewFile.Named(
                        source: OutgoingFile(picture.bytes), name: NumberedFilename(name))
                ], in: place)
            for path in paths { try await report(path, time) }
            number += 1
            time = Double(number) * interval
        } while time < duration
        try renderer.requireUnchangedOriginal(of: plan)
    }
}
