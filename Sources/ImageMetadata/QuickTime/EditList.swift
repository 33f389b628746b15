// SPDX-License-Identifier: Apache-2.0

/// The edit list of a track (the box `elst`), which maps its media to the movie's timeline.
///
/// See Apple's *QuickTime File Format*, "Edit list atom". Durations are in movie units and media times in media
/// units. An empty edit shows nothing and delays what follows.
struct EditList: Hashable, Sendable {
    struct Edit: Hashable, Sendable {
        /// The duration in units of the movie's timescale.
        var duration: UInt64
        /// The start in the media, in units of the media's timescale; `nil` for an empty edit.
        var mediaTime: Int64?
        /// The playback rate in units of 1/65536.
        var rate: Int32 = 1 << 16
    }

    private(set) var edits: [Edit]

    private static let maximumEdits = 1 << 16

    init(_ edits: [Edit]) { self.edits = edits }

    /// Reads the edits of a track. A track without a list has one edit that shows all of its media.
    init(_ bytes: BoxBytes, of track: Track, movieTimescale: UInt32) throws(MovieError) {
        guard track.mediaDuration < RationalTime.limit else {
            throw .damaged("the length of a track's media is invalid")
        }
        if let box = try track.children.optional("edts"),
            let list = try bytes.children(of: box).optional("elst")
        {
            try self.init(bytes, list)
        } else {
            self.init([Edit(duration: 0, mediaTime: 0)])
        }
        // If the last edit has a length of 0, it shows the rest of the media.
        if let last = edits.last, last.duration == 0, let start = last.mediaTime {
            edits[edits.count - 1].duration = Self.rest(from: start, of: track, movieTimescale)
        }
        guard length < RationalTime.limit else {
            throw .damaged("the length of an edit list is invalid")
        }
    }

    /// Returns the duration of the media after a time, in units of the movie.
    private static func rest(
        from start: Int64, of track: Track, _ movieTimescale: UInt32
    ) -> UInt64 {
        let rest = Int128(track.mediaDuration) - Int128(start)
        let length = Fraction(numerator: max(0, rest), denominator: Int128(track.timescale))
        return UInt64(clamping: length.units(of: movieTimescale))
    }

    private init(_ bytes: BoxBytes, _ list: Box) throws(MovieError) {
        let range = list.contents
        let version = try bytes.number(1, at: 0, in: range)
        guard version <= 1 else { throw MovieError(.unsupported, "elst has version \(version)") }
        let width = version == 1 ? 8 : 4
        let count = try bytes.entryCount(
            at: 4, width: 2 * width + 4, limit: Self.maximumEdits, in: list)
        var edits: [Edit] = []
        for index in 0..<count {
            let offset = 8 + index * (2 * width + 4)
            let time = try bytes.number(width, at: offset + width, in: range)
            let mediaTime =
                width == 8
                ? Int64(bitPattern: time) : Int64(Int32(truncatingIfNeeded: time))
            let edit = Edit(
                duration: try bytes.number(width, at: offset, in: range),
                mediaTime: mediaTime == -1 ? nil : mediaTime,
                rate: Int32(bitPattern: try bytes.uint32(at: offset + 2 * width, in: range)))
            guard edit.duration < RationalTime.limit, mediaTime >= -1,
                mediaTime.magnitude < RationalTime.limit, edit.rate >= 0
            else { throw .damaged("an edit of a track is invalid") }
            edits.append(edit)
        }
        self.init(edits)
    }

    /// The total duration of the edits in units of the movie.
    var length: UInt64 {
        UInt64(clamping: edits.reduce(Int128(0)) { $0 + Int128($1.duration) })
    }

    /// Returns the first presentation time of a media time; `nil` if the media time is not shown.
    func presentation(
        of mediaTime: UInt64, mediaTimescale: UInt32, movieTimescale: UInt32
    ) -> RationalTime? {
        var start: Int128 = 0
        for edit in edits {
            defer { start += Int128(edit.duration) }
            guard let first = edit.mediaTime, edit.duration > 0, edit.rate > 0,
                mediaTime >= first
            else { continue }
            // The elapsed time in media units times 65536, relative to the start of the edit.
            let elapsed = (Int128(mediaTime) - Int128(first)) << 16
            let scale = Int128(edit.rate) * Int128(mediaTimescale)
            guard elapsed * Int128(movieTimescale) < Int128(edit.duration) * scale else { continue }
            if elapsed == 0 {
                return Int64(exactly: start).flatMap {
                    RationalTime(value: $0, timescale: Int64(movieTimescale))
                }
            }
            return Self.time(
                Fraction(
                    numerator: start * scale + elapsed * Int128(movieTimescale),
                    denominator: scale * Int128(movieTimescale)))
        }
        return nil
    }

    /// Returns a reduced fraction as a time. If its terms are too large, it is rounded down to a multiple of 2⁻³¹ s.
    private static func time(_ fraction: Fraction) -> RationalTime? {
        var (larger, smaller) = (fraction.numerator, fraction.denominator)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        guard larger > 0 else { return nil }
        if let value = Int64(exactly: fraction.numerator / larger),
            let timescale = Int64(exactly: fraction.denominator / larger),
            let time = RationalTime(value: value, timescale: timescale)
        {
            return time
        }
        let (seconds, rest) = fraction.numerator.quotientAndRemainder(
            dividingBy: fraction.denominator)
        // This cannot overflow, because the denominator is below 2⁹⁵.
        let units = (seconds << 31) + (rest << 31) / fraction.denominator
        return Int64(exactly: units).flatMap { RationalTime(value: $0, timescale: 1 << 31) }
    }
}

// MARK: - Writing

extension EditList {
    /// Returns the edits in the timescale of another movie, which may contain only a part of this one.
    ///
    /// Start and end times are rounded rather than durations, so that rounding errors do not accumulate. An
    /// edit that overlaps the part is at least one unit long. Returns `nil` if no media is shown.
    func rescaled(
        from old: UInt32, to new: UInt32, keeping part: MoviePart?, mediaTimescale: UInt32
    ) throws(MovieError) -> EditList? {
        let partStart = part.map { Fraction($0.start) } ?? Fraction(numerator: 0, denominator: 1)
        let partLength = part.map { Fraction($0.duration) }
        let end = partLength.map { max(0, $0.units(of: new)) } ?? .max
        var result: [Edit] = []
        var (position, offset) = (Int128(0), Int128(0))
        for edit in edits {
            let begin = Fraction(numerator: position, denominator: Int128(old)) - partStart
            position += Int128(edit.duration)
            let finish = Fraction(numerator: position, denominator: Int128(old)) - partStart
            let isInside =
                edit.duration > 0 && finish.numerator > 0
                && partLength.map { begin < $0 } ?? true
            guard isInside else { continue }
            var stop = max(offset, min(finish.units(of: new), end))
            if edit.mediaTime != nil { stop = max(stop, offset + 1) }
            guard let duration = UInt64(exactly: stop - offset), duration < RationalTime.limit
            else {
                throw MovieError(.tooLarge, "an edit of a track is too long")
            }
            offset = stop
            guard duration > 0 else { continue }
            var copy = edit
            copy.duration = duration
            if let first = edit.mediaTime, begin.numerator < 0 {
                copy.mediaTime = try Self.skipping(-begin, from: first, edit.rate, mediaTimescale)
            }
            result.append(copy)
        }
        while let last = result.last, last.mediaTime == nil { result.removeLast() }
        return result.isEmpty ? nil : EditList(result)
    }

    /// Advances a media time by a duration of the movie.
    private static func skipping(
        _ time: Fraction, from first: Int64, _ rate: Int32, _ timescale: UInt32
    ) throws(MovieError) -> Int64 {
        let units = (time.units(of: timescale) * Int128(rate)) >> 16
        guard let result = Int64(exactly: Int128(first) + units),
            result.magnitude < RationalTime.limit
        else { throw .damaged("an edit of a track is invalid") }
        return result
    }

    /// The serialised box `edts`.
    var box: [UInt8] {
        let isLong = edits.contains {
            $0.duration > UInt32.max || ($0.mediaTime ?? 0) > Int64(Int32.max)
        }
        let width = isLong ? 8 : 4
        var table: [UInt8] = []
        table.append(edits.count, bytes: 4)
        for edit in edits {
            table.append(edit.duration, bytes: width)
            table.append(edit.mediaTime ?? -1, bytes: width)
            table.append(edit.rate, bytes: 4)
        }
        return .box("edts", .fullBox("elst", version: isLong ? 1 : 0, table))
    }
}

extension Fraction {
    fileprivate static prefix func - (fraction: Fraction) -> Fraction {
        Fraction(numerator: -fraction.numerator, denominator: fraction.denominator)
    }
}
