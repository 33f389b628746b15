// SPDX-License-Identifier: Apache-2.0

/// The range of bytes that a request asks for (RFC 9110, section 14).
enum ByteRange {
    /// Returns the range, or nil for all bytes: if there is no header, it is invalid, or it has several ranges.
    ///
    /// - Parameter count: The number of bytes of the file.
    /// - Throws: `StudioError` with `rangeNotSatisfiable` if the range is beyond the file.
    static func of(_ header: String?, count: Int) throws(StudioError) -> Range<Int>? {
        guard let header, header.lowercased().hasPrefix("bytes=") else { return nil }
        let parts = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, !header.contains(",") else { return nil }
        let (first, last) = (number(parts[0]), number(parts[1]))
        switch (first, last) {
        case (let first?, let last?) where first <= last:
            return try range(first, min(last, count - 1), count)
        case (let first?, nil) where parts[1].isEmpty: return try range(first, count - 1, count)
        case (nil, let length?) where parts[0].isEmpty:
            return try range(length == 0 ? count : max(0, count - length), count - 1, count)
        default: return nil
        }
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    private static func range(
        _ first: Int, _ last: Int, _ count: Int
    ) throws(StudioError) -> Range<Int> {
        guard first < count else {
            throw StudioError(.rangeNotSatisfiable, "the file has \(count) bytes")
        }
        return first..<last + 1
    }
}
