// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// Copies the timed metadata tracks of a movie to another one that was rendered from it.
///
/// libavformat copies the samples of these tracks, but not the keys that give them meaning.
///
/// Metadata that remains valid after the images change is kept, even if the output is only a part of the
/// original:
///
/// - all `mebx` tracks with their presentation times
/// - numeric metadata values
/// - the metadata of the video track
package struct TimedMetadataCopier: Sendable {
    /// The version of the output. It is incremented whenever the same input produces different bytes.
    package static let version = "1"

    /// The number of copied tracks.
    package private(set) var trackCount = 0
    /// Descriptions of the omitted parts and the reasons, without full stops.
    package private(set) var warnings: [String] = []

    /// Copies all timed metadata of a movie.
    ///
    /// Tracks with damaged tables are omitted with a warning. Tracks without samples in the part are omitted, too.
    ///
    /// - Parameters:
    ///   - original: The movie that was rendered.
    ///   - rendered: The output, open for reading and writing. It is unchanged after a failure, or if the original has
    ///     no timed metadata.
    ///   - part: The time range of the original that was kept; `nil` for all of it.
    /// - Throws: `notAMovie`, `damaged`, `tooLarge` or `unsupported` if either file is invalid as a whole;
    ///   `readFailed`, `writeFailed`, `diskFull`.
    package static func copy(
        from original: OpenFile, into rendered: OpenFile, keeping part: MoviePart? = nil
    ) throws(MovieError) -> TimedMetadataCopier {
        guard let source = try movie(original), !source.timedMetadataTracks.isEmpty else {
            return TimedMetadataCopier()
        }
        var copier = TimedMetadataCopier()
        var rewriting = try MovieRewriting(rendered)
        let copies = try copier.copies(of: source, original, into: rewriting, keeping: part)
        rewriting.newTracks = copies.map { copy in
            MovieRewriting.NewTrack(
                samples: .pieces(copy.pieces, of: original), identifier: copy.identifier,
                duration: copy.edits.length, box: copy.box)
        }
        copier.trackCount = copies.count
        try copier.restoreMetadata(of: source, &rewriting)
        try rewriting.write()
        return copier
    }

    /// Reads a movie. Returns `nil` if it is damaged or unsupported but has no timed metadata.
    private static func movie(_ file: OpenFile) throws(MovieError) -> Movie? {
        do throws(MovieError) {
            return try Movie(reading: file)
        } catch {
            guard [.damaged, .unsupported].contains(error.code),
                try !Movie.contains("mebx", in: file)
            else { throw error }
            return nil
        }
    }

    // MARK: - Tracks

    /// A track that can be copied.
    private struct Candidate {
        let track: Track
        let samples: SampleTable
        let edits: EditList
    }

    private mutating func copies(
        of source: Movie, _ original: OpenFile, into rewriting: MovieRewriting,
        keeping part: MoviePart?
    ) throws(MovieError) -> [TrackCopy] {
        var (candidates, length, chunks) = ([Candidate](), 0, 0)
        for track in source.timedMetadataTracks {
            do throws(MovieError) {
                guard
                    let candidate = try candidate(
                        track, of: source, original, rewriting.movie.timescale, part)
                else { continue }
                let total = length + candidate.samples.length
                let count = chunks + candidate.samples.chunks.count
                guard total <= SampleTable.maximumLength, count <= SampleTable.maximumEntries
                else { throw MovieError(.tooLarge, "the movie has too many samples of it") }
                (length, chunks) = (total, count)
                candidates.append(candidate)
            } catch {
                guard error.code != .readFailed else { throw error }
                warnings.append(
                    "its track \(track.identifier) of timed metadata is omitted: \(error.message)")
            }
        }
        let numbers = rewriting.unusedIdentifiers(candidates.count)
        var identifiers = Self.counterparts(of: source, in: rewriting.movie)
        for (candidate, number) in zip(candidates, numbers) {
            identifiers[candidate.track.identifier] = number
        }
        return zip(candidates, numbers).map { candidate, number in
            TrackCopy(
                movie: source, track: candidate.track, samples: candidate.samples,
                edits: candidate.edits, identifier: number, identifiers: identifiers)
        }
    }

    /// Returns a track if its tables are valid; `nil` if none of it is within the part.
    ///
    /// A warning is added if the time of the Live Photo's still image is outside the part.
    private mutating func candidate(
        _ track: Track, of source: Movie, _ original: OpenFile, _ timescale: UInt32,
        _ part: MoviePart?
    ) throws(MovieError) -> Candidate? {
        try TrackCopy.requireSamplesInSameFile(track, of: source)
        let samples = try SampleTable(
            source.bytes, of: track, fileLength: source.layout.fileLength)
        guard samples.sampleCount > 0 else { return nil }
        let still = try source.stillImageTime(of: track, in: original)
        if let part, let still, !part.contains(still) {
            let seconds = (still.seconds * 1000).rounded() / 1000
            warnings.append(
                "the instant of the Live Photo's still, \(seconds) s, is not in the part that is kept"
            )
            if samples.sampleCount == 1 { return nil }
        }
        let edits = try EditList(source.bytes, of: track, movieTimescale: source.timescale)
            .rescaled(
                from: source.timescale, to: timescale, keeping: part,
                mediaTimescale: track.timescale)
        return edits.map { Candidate(track: track, samples: samples, edits: $0) }
    }

    /// Maps tracks to their counterparts in another movie: the video track, and the audio tracks if both movies have
    /// the same number of them.
    private static func counterparts(of source: Movie, in target: Movie) -> [UInt32: UInt32] {
        var counterparts: [UInt32: UInt32] = [:]
        func tracks(_ movie: Movie, _ handler: BoxType) -> [UInt32] {
            movie.tracks.filter { $0.handler == handler }.map(\.identifier)
        }
        if let old = source.videoTrack, let new = target.videoTrack {
            counterparts[old.identifier] = new.identifier
        }
        let (old, new) = (tracks(source, "soun"), tracks(target, "soun"))
        if old.count == new.count { counterparts.merge(zip(old, new)) { first, _ in first } }
        return counterparts
    }

    // MARK: - Metadata

    /// The orientation of the original's frames, which does not apply to rendered frames.
    private static let orientation = MetadataKey("com.apple.quicktime.video-orientation")

    private mutating func restoreMetadata(
        of source: Movie, _ rewriting: inout MovieRewriting
    ) throws(MovieError) {
        var items = try rewriting.movie.metadataItems()
        do throws(MovieError) {
            items.restoreValues(of: try source.metadataItems())
            if let old = source.videoTrack, let new = rewriting.movie.videoTrack,
                try new.children.optional("meta") == nil
            {
                var values = try source.metadataItems(of: old)
                values.remove(Self.orientation)
                rewriting.videoMetadata = values
            }
        } catch {
            warnings.append("its metadata is left as text: \(error.message)")
        }
        rewriting.metadata = items
    }
}
