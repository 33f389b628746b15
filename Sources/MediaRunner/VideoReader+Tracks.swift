// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import FileAccess
import ImageMetadata
import RunnerProtocol

extension VideoReader {
    /// Checks which tracks of the video are in other files.
    ///
    /// - Returns: Warnings about audio in other files.
    /// - Throws: `badInput` if the video track is in another file.
    func requireVideoTrack() throws(RunnerFailure) -> [String] {
        let others = Self.externalMedia(file)
        if let other = others.first(where: { $0.handler == "vide" }) {
            throw RunnerFailure(
                code: .badInput,
                message: "reference movie: its video data is in \(other.name), which is not "
                    + "supported")
        }
        let sounds = others.filter { $0.handler == "soun" }
        guard let first = sounds.first else { return [] }
        return [
            sounds.count == 1
                ? "its sound is in another file, \(first.name), which is ignored"
                : "\(sounds.count) of its sound tracks are in other files, such as "
                    + "\(first.name), which are ignored"
        ]
    }

    /// Warnings about additional video tracks, of which only the main one is kept.
    var trackLosses: [String] {
        let others = Int(facts.video_streams) - 1
        guard others > 0 else { return [] }
        return [
            others == 1
                ? "its other video track is omitted"
                : "its \(others) other video tracks are omitted"
        ]
    }

    /// Returns descriptions of what is lost if the video is written in a format.
    ///
    /// - Throws: `badRequest`.
    func losses(in format: MediaFormat) throws(RunnerFailure) -> [String] {
        var losses = cmedia_loss()
        try format.muxer.withCString { findLosses($0, &losses) }
        func words(_ count: Int32, _ one: String, _ several: String) -> [String] {
            count == 0 ? [] : [count == 1 ? one : "\(count) \(several)"]
        }
        return words(facts.video_streams - 1, "its other video track", "other video tracks")
            + words(losses.subtitles, "its subtitle track", "subtitle tracks")
            + words(losses.data, "its data track", "data tracks")
            + words(losses.covers, "its cover", "covers") + (hasAlpha ? ["its transparency"] : [])
    }

    /// `true` if the video has an alpha channel.
    var hasAlpha: Bool { facts.has_alpha || tags["alpha_mode"] == "1" }

    /// Returns a bit mask of the first 64 tracks, with a bit set for each track whose samples are in another
    /// file.
    static func tracksInOtherFiles(_ file: OpenFile) -> UInt64 {
        externalMedia(file).reduce(0) { $0 | ($1.track < 64 ? 1 << UInt64($1.track) : 0) }
    }

    private static func externalMedia(_ file: OpenFile) -> [ExternalMedia] {
        (try? Movie(reading: file).externalMedia()) ?? []
    }
}
