// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Apple maker notes, built byte by byte.
enum AppleNoteFile {
    /// A tag's value.
    enum Value {
        case text(String)
        case signed(Int32)
        /// A declared type, count and offset of values.
        case raw(type: Int, count: Int, offset: Int)
    }

    /// A note with tags, which must be in ascending order.
    static func bytes(_ tags: [(Int, Value)]) -> [UInt8] {
        var bytes = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + word(tags.count, 2)
        var values: [UInt8] = []
        let start = bytes.count + tags.count * 12 + 4
        for (tag, value) in tags {
            bytes += word(tag, 2)
            switch value {
            case .text(let text):
                let content = Array(text.utf8) + [0]
                bytes += word(2, 2) + word(content.count, 4)
                if content.count > 4 {
                    bytes += word(start + values.count, 4)
                    values += content
                } else {
                    bytes += content + [UInt8](repeating: 0, count: 4 - content.count)
                }
            case .signed(let number):
                bytes += word(9, 2) + word(1, 4) + word(Int(number), 4)
            case .raw(let type, let count, let offset):
                bytes += word(type, 2) + word(count, 4) + word(offset, 4)
            }
        }
        return bytes + word(0, 4) + values
    }

    private static func word(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
