// SPDX-License-Identifier: Apache-2.0

/// The movie header box, `mvhd`.
struct MovieHeader: Sendable {
    let timescale: UInt32
    let duration: UInt64
    private let contents: [UInt8]

    init(_ bytes: BoxBytes, _ box: Box) throws(MovieError) {
        let range = box.contents
        let version = try bytes.number(1, at: 0, in: range)
        guard version <= 1 else { throw MovieError(.unsupported, "mvhd has version \(version)") }
        let isLong = version == 1
        timescale = try bytes.uint32(at: isLong ? 20 : 12, in: range)
        duration = try bytes.number(isLong ? 8 : 4, at: isLong ? 24 : 16, in: range)
        guard timescale > 0, range.count >= (isLong ? 112 : 100) else {
            throw .damaged("the mvhd box is invalid")
        }
        contents = Array(bytes.bytes[range])
    }

    /// Returns the box with another duration and next track identifier.
    func box(duration: UInt64, nextTrack: UInt32) -> [UInt8] {
        let isLong = contents[0] == 1
        let end = isLong ? 32 : 20
        var result: [UInt8] = []
        if !isLong, duration <= UInt32.max {
            result = contents
            result.set(duration, bytes: 4, at: 16)
        } else {
            result = [1] + contents[1..<4]
            let width = isLong ? 8 : 4
            for start in [4, 4 + width] {
                result += [UInt8](repeating: 0, count: 8 - width) + contents[start..<start + width]
            }
            result.append(timescale, bytes: 4)
            result.append(duration, bytes: 8)
            result += contents[end...]
        }
        // The identifier follows 76 bytes of rate, volume, matrix and preview after the times.
        result.set(nextTrack, bytes: 4, at: result.count - (contents.count - end) + 76)
        return .box("mvhd", result)
    }
}
