// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension Movie {
    /// Adds a track that marks the time of a Live Photo's still image.
    ///
    /// - Parameters:
    ///   - time: The time, which must not be negative. It is rounded to the units of the movie.
    ///   - file: A movie file without such a track, open for reading and writing. It is unchanged after a failure.
    /// - Returns: The rounded time that was written.
    /// - Throws: The errors of ``init(reading:)``; `unsupported` if there already is such a track or the time is
    ///   outside the movie; `diskFull`, `writeFailed`.
    @discardableResult
    package static func addStillImageTime(
        _ time: RationalTime, to file: OpenFile
    ) throws(MovieError) -> RationalTime {
        var rewriting = try MovieRewriting(file)
        let movie = rewriting.movie
        guard try movie.stillImageTime(in: file) == nil else {
            throw MovieError(.unsupported, "the movie already has the time of its still")
        }
        let units = Fraction(time).units(of: movie.timescale)
        guard let position = UInt32(exactly: units), position < UInt32.max,
            UInt64(position) <= movie.duration,
            let identifier = rewriting.unusedIdentifiers(1).first
        else {
            throw MovieError(.unsupported, "the time \(time) is outside the movie")
        }
        let track = StillImageTrack(
            identifier: identifier, timescale: movie.timescale, time: position,
            videoTrack: movie.videoTrack?.identifier)
        rewriting.newTracks = [
            MovieRewriting.NewTrack(
                samples: .bytes(StillImageTrack.sample), identifier: identifier,
                duration: track.duration, box: { track.box(at: $0) })
        ]
        try rewriting.write()
        return RationalTime(value: Int64(position), timescale: Int64(movie.timescale)) ?? time
    }
}
