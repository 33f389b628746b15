// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension TIFFTag {
    /// Creates a tag with an ASCII or UTF-8 string.
    init(_ tag: Int, text: String) {
        let bytes = Array(text.utf8) + [0]
        self.init(tag: tag, type: 2, count: bytes.count, value: bytes)
    }

    /// Creates a tag with a string in the Windows encoding, UTF-16.
    init(_ tag: Int, windows text: String) {
        let bytes = (Array(text.utf16) + [0]).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        self.init(tag: tag, type: 1, count: bytes.count, value: bytes)
    }

    /// Creates a tag with an integer of two bytes.
    init(_ tag: Int, short value: Int) {
        self.init(tag: tag, type: 3, count: 1, value: TIFFWriter.bytes(value, 2))
    }

    /// Creates a tag with integers of two bytes.
    init(_ tag: Int, shorts values: [Int]) {
        self.init(
            tag: tag, type: 3, count: values.count,
            value: values.flatMap { TIFFWriter.bytes($0, 2) })
    }

    /// Creates a tag with unsigned rationals.
    init(_ tag: Int, rationals: [(above: Int, below: Int)]) {
        self.init(
            tag: tag, type: 5, count: rationals.count,
            value: rationals.flatMap {
                TIFFWriter.bytes($0.above, 4) + TIFFWriter.bytes($0.below, 4)
            })
    }
}
