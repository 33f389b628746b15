// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Blocks stored as hexadecimal text in PNG files, a convention of ImageMagick, in chunks such as `Raw profile type
/// iptc`.
package enum RawProfile {
    /// The prefix of the keywords of such chunks. The name of the libvips field ends with the keyword.
    package static let keyword = "Raw profile type "
    /// The keyword for IPTC.
    static let iptcKeyword = "Raw profile type iptc"

    /// Encodes a block as text.
    static func text(_ block: [UInt8]) -> String {
        var text = "\nIPTC profile\n\(String(block.count).leftPadded(to: 8))"
        for (index, byte) in block.enumerated() {
            if index % 36 == 0 { text += "\n" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text + "\n"
    }

    /// Decodes the block of a text: a name, a length in bytes, and hexadecimal digits, separated by white space.
    package static func block(_ text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count >= 3, let count = Int(String(lines[1]).trimmingBlanks), count > 0 else {
            return nil
        }
        let digits = lines.dropFirst(2).flatMap { $0.utf8 }.compactMap(Self.digit)
        guard count <= digits.count / 2 else { return nil }
        return (0..<count).map { digits[$0 * 2] << 4 | digits[$0 * 2 + 1] }
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x37
        case 0x61...0x66: character - 0x57
        default: nil
        }
    }
}

extension String {
    fileprivate func leftPadded(to count: Int) -> String {
        String(repeating: " ", count: max(0, count - utf8.count)) + self
    }
}
