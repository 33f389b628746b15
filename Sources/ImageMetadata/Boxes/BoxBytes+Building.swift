// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Returns a box with the given contents.
    static func box(_ type: BoxType, _ contents: [UInt8]) -> [UInt8] {
        var box: [UInt8] = []
        let isLong = contents.count > Int(UInt32.max) - 8
        box.reserveCapacity(contents.count + 16)
        box.append(isLong ? 1 : contents.count + 8, bytes: 4)
        box.append(type.rawValue, bytes: 4)
        if isLong { box.append(contents.count + 16, bytes: 8) }
        return box + contents
    }

    /// Returns a box whose contents start with a version and flags.
    static func fullBox(
        _ type: BoxType, version: UInt8 = 0, flags: UInt32 = 0, _ contents: [UInt8]
    ) -> [UInt8] {
        var header: [UInt8] = [version]
        header.append(flags, bytes: 3)
        return .box(type, header + contents)
    }

    /// Returns 32-bit numbers, big-endian.
    static func numbers(_ values: UInt32...) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values { bytes.append(value, bytes: 4) }
        return bytes
    }
}

extension BoxBytes {
    /// Returns the unchanged bytes of a box, with its header.
    func copy(_ box: Box) -> [UInt8] { Array(bytes[box.range]) }

    /// Returns a container with its children replaced by the results of a closure. An empty result removes the
    /// child.
    func rebuilding(
        _ box: Box, _ replacement: (Box) throws(MovieError) -> [UInt8]
    ) throws(MovieError) -> [UInt8] {
        var contents: [UInt8] = []
        for child in try boxes(in: box.contents) { contents += try replacement(child) }
        return .box(box.type, contents)
    }
}
