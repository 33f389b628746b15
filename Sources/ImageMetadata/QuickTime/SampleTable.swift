// SPDX-License-Identifier: Apache-2.0

/// The offsets and durations of a track's samples.
///
/// They are read from the boxes `stsz`, `stsc`, `stco` or `co64`, and `stts`. The tables are validated against
/// each other and the length of the file.
struct SampleTable: Sendable {
    /// A run of contiguous samples.
    struct Chunk: Hashable, Sendable {
        let offset: Int
        let length: Int
        /// The 0-based index of the first sample.
        let firstSample: Int
        let sampleCount: Int
        /// The 1-based index of the sample description.
        let description: Int
    }

    let chunks: [Chunk]
    let sampleCount: Int
    /// The total length of the samples in bytes.
    let length: Int
    private let sizes: Sizes
    private let durations: [(count: Int, duration: UInt32)]

    /// The maximum number of chunks and of samples.
    static let maximumEntries = 1 << 20
    /// The maximum total length of the samples in bytes: 64 MiB.
    static let maximumLength = 64 << 20

    private enum Sizes {
        case equal(Int)
        case each([UInt32])
    }

    init(_ bytes: BoxBytes, of track: Track, fileLength: Int) throws(MovieError) {
        let table = track.sampleTable
        (sizes, sampleCount) = try Self.sizes(bytes, table.only("stsz"))
        durations = try Self.durations(bytes, table.only("stts"), sampleCount)
        let offsets = try Self.offsets(bytes, table)
        let runs = try Self.runs(
            bytes, table.only("stsc"), descriptions: track.sampleFormats.count)
        var (chunks, sample, total) = ([Chunk](), 0, 0)
        chunks.reserveCapacity(offsets.count)
        var run = runs[...]
        for (index, offset) in offsets.enumerated() {
            if run.count > 1, runs[run.startIndex + 1].firstChunk <= index + 1 {
                run = run.dropFirst()
            }
            guard let (_, count, description) = run.first, count <= sampleCount - sample else {
                throw .damaged("its chunks have more samples than there are")
            }
            let length = try Self.length(of: sample..<sample + count, sizes)
            guard let offset = Int(exactly: offset), offset <= fileLength,
                length <= fileLength - offset
            else { throw .damaged("its samples are outside the file") }
            chunks.append(
                Chunk(
                    offset: offset, length: length, firstSample: sample, sampleCount: count,
                    description: description))
            sample += count
            total += length
            guard total <= Self.maximumLength else {
                throw MovieError(.tooLarge, "its samples exceed \(Self.maximumLength) bytes")
            }
        }
        guard sample == sampleCount else {
            throw .damaged("its chunks have fewer samples than there are")
        }
        self.chunks = chunks
        length = total
    }

    // MARK: - Samples

    /// Returns the size of a sample in bytes.
    func size(of sample: Int) -> Int {
        switch sizes {
        case .equal(let size): size
        case .each(let sizes): sizes.indices.contains(sample) ? Int(sizes[sample]) : 0
        }
    }

    /// Returns the start of a sample in the media, in units of its timescale.
    func time(of sample: Int) -> UInt64 {
        var (rest, time) = (sample, UInt64(0))
        for (count, duration) in durations {
            let passed = min(rest, count)
            // This cannot overflow, because both factors and the sum of all counts are below 2³².
            time = time.addingReportingOverflow(UInt64(passed) * UInt64(duration)).partialValue
            rest -= passed
            if rest == 0 { break }
        }
        return time
    }

    private static func length(of samples: Range<Int>, _ sizes: Sizes) throws(MovieError) -> Int {
        switch sizes {
        // This cannot overflow, because both factors are below 2³².
        case .equal(let size): return samples.count * size
        case .each(let sizes): return sizes[samples].reduce(0) { $0 + Int($1) }
        }
    }

    // MARK: - Tables

    private static func sizes(
        _ bytes: BoxBytes, _ box: Box
    ) throws(MovieError) -> (Sizes, Int) {
        let size = Int(try bytes.uint32(at: 4, in: box.contents))
        guard size == 0 else {
            let count = Int(try bytes.uint32(at: 8, in: box.contents))
            guard count <= min(maximumEntries, maximumLength / size) else {
                throw MovieError(.tooLarge, "its samples are too large: \(count) of \(size) bytes")
            }
            return (.equal(size), count)
        }
        let count = try bytes.entryCount(at: 8, width: 4, limit: maximumEntries, in: box)
        var sizes: [UInt32] = []
        sizes.reserveCapacity(count)
        for index in 0..<count {
            sizes.append(try bytes.uint32(at: 12 + 4 * index, in: box.contents))
        }
        return (.each(sizes), count)
    }

    private static func durations(
        _ bytes: BoxBytes, _ box: Box, _ sampleCount: Int
    ) throws(MovieError) -> [(count: Int, duration: UInt32)] {
        let entries = try bytes.entryCount(at: 4, width: 8, limit: maximumEntries, in: box)
        var (durations, total) = ([(count: Int, duration: UInt32)](), 0)
        for index in 0..<entries {
            let count = Int(try bytes.uint32(at: 8 + 8 * index, in: box.contents))
            let duration = try bytes.uint32(at: 12 + 8 * index, in: box.contents)
            durations.append((count, duration))
            total += count
        }
        guard total == sampleCount else {
            throw .damaged("its number of samples is \(sampleCount), but it has times for \(total)")
        }
        return durations
    }

    private static func offsets(_ bytes: BoxBytes, _ table: BoxList) throws(MovieError) -> [UInt64]
    {
        let short = try table.optional("stco")
        let long = try table.optional("co64")
        guard let box = short ?? long, short == nil || long == nil else {
            throw .damaged("it has no table of chunks, or two")
        }
        let width = short != nil ? 4 : 8
        let count = try bytes.entryCount(at: 4, width: width, limit: maximumEntries, in: box)
        var offsets: [UInt64] = []
        offsets.reserveCapacity(count)
        for index in 0..<count {
            offsets.append(try bytes.number(width, at: 8 + width * index, in: box.contents))
        }
        return offsets
    }

    private static func runs(
        _ bytes: BoxBytes, _ box: Box, descriptions: Int
    ) throws(MovieError) -> [(firstChunk: Int, samples: Int, description: Int)] {
        let count = try bytes.entryCount(at: 4, width: 12, limit: maximumEntries, in: box)
        var runs: [(firstChunk: Int, samples: Int, description: Int)] = []
        for index in 0..<count {
            func field(_ number: Int) throws(MovieError) -> Int {
                Int(try bytes.uint32(at: 8 + 12 * index + 4 * number, in: box.contents))
            }
            let run = (try field(0), try field(1), try field(2))
            let earliest = (runs.last?.firstChunk ?? 0) + 1
            guard index == 0 ? run.0 == 1 : run.0 >= earliest, run.1 > 0,
                (1...max(1, descriptions)).contains(run.2)
            else { throw .damaged("its table of samples in chunks is invalid") }
            runs.append(run)
        }
        return runs
    }
}
