// SPDX-License-Identifier: Apache-2.0

/// The track header box, `tkhd`.
struct TrackHeader: Sendable {
    let identifier: UInt32
    private let contents: [UInt8]

    init(_ bytes: BoxBytes, _ box: Box) throws(MovieError) {
        let version = try bytes.number(1, at: 0, in: box.contents)
        guard version <= 1 else { throw MovieError(.unsupported, "tkhd has version \(version)") }
        guard box.contents.count >= (version == 1 ? 96 : 84) else {
            throw .damaged("the box tkhd ends too early")
        }
        identifier = try bytes.uint32(at: version == 1 ? 20 : 12, in: box.contents)
        guard identifier > 0 else { throw .damaged("a track has the number 0") }
        contents = Array(bytes.bytes[box.contents])
    }

    /// Returns the box with another identifier, and another duration in units of the movie's timescale.
    func box(identifier: UInt32, duration: UInt64) -> [UInt8] {
        let isLong = contents[0] == 1
        if !isLong, duration <= UInt32.max {
            var result = contents
            result.set(identifier, bytes: 4, at: 12)
            result.set(duration, bytes: 4, at: 20)
            return .box("tkhd", result)
        }
        let width = isLong ? 8 : 4
        var result = [1] + contents[1..<4]
        for start in [4, 4 + width] {
            result += [UInt8](repeating: 0, count: 8 - width) + contents[start..<start + width]
        }
        result.append(identifier, bytes: 4)
        result.append(0, bytes: 4)
        result.append(duration, bytes: 8)
        return .box("tkhd", result + contents[(isLong ? 36 : 24)...])
    }
}
