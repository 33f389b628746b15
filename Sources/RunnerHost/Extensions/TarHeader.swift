// SPDX-License-Identifier: Apache-2.0

/// The header of a file or folder in a tar archive, in the ustar format of POSIX.1-1988 or that of GNU tar.
///
/// Links, devices, sparse files and extended headers are not supported.
struct TarHeader: Hashable {
    /// The size of a header in bytes. Contents are padded to multiples of it.
    static let blockSize = 512
    /// The maximum size of a file, which is written with 11 octal digits.
    static let maximumSize = 0o77_777_777_777

    /// The path of the file or folder; its bytes need not be UTF-8.
    var path: [UInt8]
    /// The size of the contents in bytes; 0 for a folder.
    var size: Int
    /// Whether it is a folder.
    var isFolder: Bool
    /// The permissions.
    var mode: Int

    init(path: String, size: Int, isFolder: Bool, mode: Int) {
        self.path = Array(path.utf8)
        self.size = size
        self.isFolder = isFolder
        self.mode = mode
    }

    /// Decodes a header; nil if its checksum is wrong, or if it describes something else.
    init?(_ block: [UInt8]) {
        guard block.count == Self.blockSize,
            Self.number(block[148..<156]) == Self.checksum(of: block),
            let size = Self.number(block[124..<136]), let mode = Self.number(block[100..<108])
        else { return nil }
        let isPOSIX = block[257..<265].elementsEqual(Array("ustar\u{0}00".utf8))
        let isGNU = block[257..<265].elementsEqual(Array("ustar  \u{0}".utf8))
        guard isPOSIX || isGNU else { return nil }
        switch block[156] {
        case 0, UInt8(ascii: "0"): isFolder = false
        case UInt8(ascii: "5"): isFolder = true
        default: return nil
        }
        // GNU tar stores times where POSIX has the first part of the path.
        let first = isPOSIX ? Self.text(block[345..<500]) : []
        path = first.isEmpty ? [] : first + [UInt8(ascii: "/")]
        path += Self.text(block[0..<100])
        self.size = size
        self.mode = mode
        guard !isFolder || size == 0 else { return nil }
    }

    /// Returns the header as bytes, without an owner and a time; nil if the path or the size does not fit.
    var block: [UInt8]? {
        guard let (first, last) = splitPath, (0...Self.maximumSize).contains(size) else {
            return nil
        }
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ bytes: some Sequence<UInt8>, _ offset: Int) {
            for (index, byte) in bytes.enumerated() { block[offset + index] = byte }
        }
        put(last, 0)
        put(Self.octal(mode, digits: 7), 100)
        for offset in [108, 116, 329, 337] { put(Self.octal(0, digits: 7), offset) }
        put(Self.octal(size, digits: 11), 124)
        put(Self.octal(0, digits: 11), 136)
        block[156] = UInt8(ascii: isFolder ? "5" : "0")
        put("ustar\u{0}00".utf8, 257)
        put(first, 345)
        put(Self.octal(Self.checksum(of: block), digits: 6), 148)
        block[155] = UInt8(ascii: " ")
        return block
    }

    /// The two parts of the path: at most 155 bytes before a slash, and at most 100 bytes after it.
    private var splitPath: (first: ArraySlice<UInt8>, last: ArraySlice<UInt8>)? {
        if path.count <= 100 { return ([], path[...]) }
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash <= 155,
            (1...100).contains(path.count - slash - 1)
        else { return nil }
        return (path[..<slash], path[(slash + 1)...])
    }

    /// The sum of all bytes, in which the checksum itself counts as spaces.
    private static func checksum(of block: [UInt8]) -> Int {
        block.enumerated().reduce(0) { sum, byte in
            sum + Int((148..<156).contains(byte.offset) ? UInt8(ascii: " ") : byte.element)
        }
    }

    private static func octal(_ number: Int, digits: Int) -> [UInt8] {
        let text = String(number, radix: 8)
        return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8)
    }

    /// Decodes an octal number; nil for anything else, such as GNU tar's binary numbers.
    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        let digits = text(field).drop { $0 == UInt8(ascii: " ") }
            .prefix { $0 != UInt8(ascii: " ") }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8).flatMap {
            (0...maximumSize).contains($0) ? $0 : nil
        }
    }

    private static func text(_ field: ArraySlice<UInt8>) -> [UInt8] {
        Array(field.prefix { $0 != 0 })
    }
}
