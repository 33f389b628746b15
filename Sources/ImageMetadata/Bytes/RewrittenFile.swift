// SPDX-License-Identifier: Apache-2.0

import FileAccess
import RunnerProtocol

/// A file that is composed of ranges of another file and of new bytes.
package struct RewrittenFile {
    /// A part of the new file.
    enum Part {
        /// A range of the other file, copied unchanged.
        case old(Range<Int>)
        /// New bytes.
        case new([UInt8])

        var count: Int {
            switch self {
            case .old(let range): range.count
            case .new(let bytes): bytes.count
            }
        }
    }

    /// The parts in order.
    var parts: [Part]

    /// The length in bytes.
    var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// Writes the file and returns its length in bytes.
    ///
    /// - Parameter bytes: The other file.
    /// - Throws: `outputFailed`.
    package func write(to file: OpenFile, from bytes: Bytes) throws(RunnerFailure) -> Int {
        var position = 0
        do {
            for part in parts {
                switch part {
                case .old(let range):
                    let inside = range.clamped(to: 0..<bytes.count)
                    try file.write(
                        UnsafeRawBufferPointer(rebasing: bytes.memory[inside]), at: position)
                case .new(let new): try new.withUnsafeBytes { try file.write($0, at: position) }
                }
                position += part.count
            }
        } catch {
            throw RunnerFailure(
                code: .outputFailed, message: "the output cannot be written: \(error)")
        }
        return position
    }
}
