// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// A diagnosis of a movie that cannot be opened or has no video.
package enum MovieDiagnosis {
    private static let pictures: BoxType = "vide"

    /// Validates the tables of the movie's video tracks.
    ///
    /// - Returns: A description of the first problem; `nil` if none is found or the file is not a movie.
    package static func find(in file: OpenFile) -> String? {
        do throws(MovieError) {
            let movie = try Movie(reading: file)
            for track in movie.tracks where track.handler == pictures {
                try check(track, of: movie)
            }
            return nil
        } catch {
            guard error.code == .notAMovie else { return error.message }
            return error.message == MovieError.withoutMovie.message
                ? "its index, the moov box, is missing" : nil
        }
    }

    private static func check(_ track: Track, of movie: Movie) throws(MovieError) {
        let (bytes, table) = (movie.bytes, track.sampleTable)
        for (type, width) in [("stts", 8), ("stsc", 12), ("stco", 4), ("co64", 8)]
            as [(BoxType, Int)]
        {
            guard let box = try table.optional(type) else { continue }
            _ = try bytes.entryCount(at: 4, width: width, limit: .max, in: box)
        }
        let sizes = try table.only("stsz")
        guard try bytes.uint32(at: 4, in: sizes.contents) > 0 else {
            _ = try bytes.entryCount(at: 8, width: 4, limit: .max, in: sizes)
            return
        }
        let count = try bytes.uint32(at: 8, in: sizes.contents)
        guard count <= movie.layout.fileLength else {
            throw .damaged("its index declares \(count) frames, more than the file can contain")
        }
    }
}
