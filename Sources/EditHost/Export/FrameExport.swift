// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

extension ExtensionHost {
    /// How many pictures are made of one video, at most.
    private static let maximumFrames = 100_000

    /// Writes frames of the current version of a video as pictures.
    ///
    /// - Parameters:
    ///   - interval: how far they are apart, in seconds, more than 0; the first is the video's first.
    ///   - folder: where they go; it is made where there is none, and nothing is overwritten.
    ///   - format: of the pictures.
    ///   - size: the box that they fit into; nil: they are as large as the video.
    ///   - report: told of each in order: its path, and its time in seconds.
    /// - Throws: `HostError`, `LibraryError`, what `report` throws.
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
                "invalid interval; use more than 0 seconds and at most \(Self.maximumFrames)")
        }
        let settings = try EncodeSettings(preview: format, size: size)
        try PhotoLibrary.requireOutsideLibraries(folder)
        let place = try NewFile.folder(folder)
        try PhotoLibrary.requireOutsideLibraries(place)
        let renderer = renderer(of: library)
        let plan = try ImageSource(history, .current, in: library, planner).plan
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
