// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import RunnerHost
import RunnerProtocol

/// The untrusted files of a Live Photo.
struct LivePhotoFiles: Sendable {
    private struct Part: Sendable {
        let file: OpenFile
        let format: MediaFormat
        let name: String
    }

    private let still: Part
    private let motion: Part

    /// Opens the files, in any order.
    ///
    /// - Throws: `HostError` with `badInput` unless there are exactly one picture and one video. Other files, such as
    ///   sidecars, are ignored.
    init(_ urls: [URL]) throws {
        let parts = try urls.map(Self.open)
        let stills = parts.filter { $0.format.mediaType == .image && $0.format.isOpened }
        let motions = parts.filter { $0.format.mediaType == .video }
        guard let still = stills.first, let motion = motions.first, stills.count == 1,
            motions.count == 1
        else {
            throw HostError(
                .badInput,
                "a Live Photo needs one picture and one video, not \(stills.count) and "
                    + "\(motions.count)")
        }
        self.still = still
        self.motion = motion
    }

    private static func open(_ url: URL) throws -> Part {
        guard url.isFileURL else {
            throw HostError(.badInput, "\(url.absoluteString) is not a file URL")
        }
        let path = url.path
        let file = try OpenFile.reading(path, flags: O_NONBLOCK)
        guard try file.hostStatus().isPlainFile else {
            throw HostError(.badInput, "\(path) is not a regular file")
        }
        let start = try file.read(count: MediaFormat.sniffLength)
        return Part(
            file: file, format: MediaFormat(firstBytes: start), name: url.lastPathComponent)
    }

    /// Validates the files and renders the still.
    ///
    /// - Parameter box: The box that the still is fitted into or covers; zero means its own size.
    /// - Throws: `HostError`. The message names the invalid file.
    func livePhoto(
        _ box: PixelSize, _ contentMode: ImageContentMode, pool: RunnerPool
    ) async throws -> LivePhoto {
        let media = try pool.forVideos()
        async let pictureFacts = Self.facts(of: still, by: pool)
        async let videoFacts = Self.facts(of: motion, by: media)
        let (picture, video) = try await (pictureFacts, videoFacts)
        let identifiers = [picture, video].map { $0.metadata?.contentIdentifier }
        guard let identifier = identifiers[0], identifier == identifiers[1] else {
            throw HostError(
                .badInput,
                "\(still.name) and \(motion.name) are not a Live Photo: their content "
                    + "identifiers are \(identifiers[0] ?? "missing") and "
                    + "\(identifiers[1] ?? "missing")")
        }
        let size = PixelSize(width: picture.pixelWidth, height: picture.pixelHeight)
        var display = DisplaySettings()
        if box.width > 0, box.height > 0 {
            let target = ImageGeometry.size(
                of: size, in: box, fills: contentMode == .aspectFill)
            display.box = target == size ? nil : target
        }
        display.keepsProfile =
            max(display.box?.width ?? size.width, display.box?.height ?? size.height)
            > ImageManager.displaySize
        return LivePhoto(
            try await pool.image(display, of: still.file, still.format),
            try AssetVideo(
                motion.file, motion.format,
                PixelSize(width: video.pixelWidth, height: video.pixelHeight),
                duration: video.video?.duration ?? 0))
    }

    private static func facts(of part: Part, by pool: RunnerPool) async throws -> PhotoFacts {
        do {
            return try await pool.decoded(part.file, part.format).facts
        } catch let error as HostError where error.isAboutPicture {
            throw HostError(.badInput, "\(part.name): \(error.message)", underlying: error)
        }
    }
}
