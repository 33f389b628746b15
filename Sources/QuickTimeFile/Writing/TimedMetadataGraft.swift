// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// Brings tracks of timed metadata from a movie to another one that was rendered from it. libavformat copies
/// their samples, but not what the numbers in them mean.
///
/// What remains true of a movie whose pictures were changed, and which may be a part of the other, is kept: all
/// tracks of samples `mebx`, with the times at which they are shown; the numbers among the values of the
/// metadata; the metadata of the track that shows the pictures.
package struct TimedMetadataGraft: Sendable {
    /// What to tell files apart by that were written by other versions of this: raised whenever the same movies give
    /// other bytes.
    package static let version = "1"

    /// How many tracks were brought over.
    package private(set) var trackCount = 0
    /// What was left out, and why: sentences without a full stop.
    package private(set) var warnings: [String] = []

    /// Grafts all of it.
    ///
    /// Tracks whose tables are damaged are left out, with a warning, as are those of which nothing lies in the part.
    ///
    /// - Parameters:
    ///   - original: the movie that the other was rendered from.
    ///   - rendered: the other, open for reading and writing. On failure, and where the original has no
    ///     timed metadata, it is as it was.
    ///   - part: what was kept of the original; nil: all of it, with its times.
    /// - Throws: `notAMovie`, `damaged`, `tooLarge` or `unsupported` of either file as a whole; `readFailed`,
    ///   `writeFailed`, `diskFull`.
    package static func graft(
        from original: OpenFile, into rendered: OpenFile, keeping part: MoviePart? = nil
    ) throws(MovieError) -> TimedMetadataGraft {
        guard let source = try movie(original), !source.timedMetadataTracks.isEmpty else {
            return TimedMetadataGraft()
        }
        var graft = TimedMetadataGraft()
        var rewriting = try MovieRewriting(rendered)
        let copies = try graft.copies(of: source, original, into: rewriting, keeping: part)
        rewriting.newTracks = copies.map { copy in
            MovieRewriting.NewTrack(
                samples: .pieces(copy.pieces, of: original), identifier: copy.identifier,
                duration: copy.edits.length, box: copy.box)
        }
        graft.trackCount = copies.count
        try graft.restoreMetadata(of: source, &rewriting)
        try rewriting.write()
        return graft
    }

    /// A movie; nil: it is damaged, or of a kind that is not read, and has no timed metadata anyway.
    private static func movie(_ file: OpenFile) throws(MovieError) -> Movie? {
        do throws(MovieError) {
            return try Movie(reading: file)
        } catch {
            guard [.damaged, .unsupported].contains(error.code),
                try !Movie.mentions("mebx", in: file)
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
                    "its track \(track.identifier) of timed metadata is left out: \(error.message)")
            }
        }
        let numbers = rewriting.unusedIdentifiers(candidates.count)
        var identifiers = Self.partners(of: source, in: rewriting.movie)
        for (candidate, number) in zip(candidates, numbers) {
            identifiers[candidate.track.identifier] = number
        }
        return zip(candidates, numbers).map { candidate, number in
            TrackCopy(
                movie: source, track: candidate.track, samples: candidate.samples,
                edits: candidate.edits, identifier: number, identifiers: identifiers)
        }
    }

    /// A track whose tables are sound; nil: nothing of it lies in the part, of which there is a warning where it
    /// matters.
    private mutating func candidate(
        _ track: Track, of source: Movie, _ original: OpenFile, _ timescale: UInt32,
        _ part: MoviePart?
    ) throws(MovieError) -> Candidate? {
        try TrackCopy.requireOwnSamples(track, of: source)
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

    /// The tracks of another movie that have the place of those of this one: the one that shows the pictures, and
    /// those of sound where there are as many.
    private static func partners(of source: Movie, in target: Movie) -> [UInt32: UInt32] {
        var partners: [UInt32: UInt32] = [:]
        func tracks(_ movie: Movie, _ handler: BoxType) -> [UInt32] {
            movie.tracks.filter { $0.handler == handler }.map(\.identifier)
        }
        if let old = source.videoTrack, let new = target.videoTrack {
            partners[old.identifier] = new.identifier
        }
        let (old, new) = (tracks(source, "soun"), tracks(target, "soun"))
        if old.count == new.count { partners.merge(zip(old, new)) { first, _ in first } }
        return partners
    }

    // MARK: - Metadata

    /// What is said of how the pictures lie in the original, which rendered ones do not.
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
