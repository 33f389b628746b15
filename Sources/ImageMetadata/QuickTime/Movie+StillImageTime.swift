// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension Movie {
    /// The maximum number of marked samples that are searched for a visible one. Cameras mark a single sample.
    private static let maximumMarks = 16

    /// Returns the time at which the still image of a Live Photo was taken; `nil` if the movie does not record
    /// it.
    ///
    /// It is the presentation time of the first sample with a value of `com.apple.quicktime.still-image-time`.
    /// Cameras write a track with a single sample of value -1, one unit long, after an empty edit.
    ///
    /// - Parameter file: The file of the movie.
    /// - Throws: `damaged`, `tooLarge`, `readFailed`.
    package func stillImageTime(in file: OpenFile) throws(MovieError) -> RationalTime? {
        for track in timedMetadataTracks {
            if let time = try stillImageTime(of: track, in: file) { return time }
        }
        return nil
    }

    func stillImageTime(of track: Track, in file: OpenFile) throws(MovieError) -> RationalTime? {
        let numbers = try timedKeys(of: track).map { keys in
            Set(keys.filter { $0.value == .stillImageTime }.keys)
        }
        guard numbers.contains(where: { !$0.isEmpty }) else { return nil }
        let edits = try EditList(bytes, of: track, movieTimescale: timescale)
        let table = try SampleTable(bytes, of: track, fileLength: layout.fileLength)
        var marks = 0
        for chunk in table.chunks {
            let identifiers = numbers[chunk.description - 1]
            guard !identifiers.isEmpty else { continue }
            let content = BoxBytes(bytes: try file.bytes(at: chunk.offset, count: chunk.length))
            var position = 0
            for sample in chunk.firstSample..<chunk.firstSample + chunk.sampleCount {
                let end = position + table.size(of: sample)
                defer { position = end }
                let values = try content.boxes(in: position..<end)
                guard values.contains(where: { identifiers.contains($0.type) }) else { continue }
                let time = edits.presentation(
                    of: table.time(of: sample), mediaTimescale: track.timescale,
                    movieTimescale: timescale)
                marks += 1
                if time != nil || marks == Self.maximumMarks { return time }
            }
        }
        return nil
    }
}
