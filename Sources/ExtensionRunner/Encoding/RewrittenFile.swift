// SPDX-License-Identifier: Apache-2.0

import FileAccess
import RunnerProtocol

/// A file that is made of parts of another one and of new bytes.
struct RewrittenFile {
    /// What comes next in it.
    enum Part {
        /// Bytes of the other file, as they are.
        case old(Range<Int>)
        /// New ones.
        case new([UInt8])

        var count: Int {
            switch self {
            case .old(let range): range.count
            case .new(let bytes): bytes.count
            }
        }
    }

    /// In their order.
    var parts: [Part]

    /// How long it is, in bytes.
    var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// Writes it. Gives its length.
    ///
    /// - Parameter bytes: The other file.
    func write(to file: OpenFile, from bytes: Bytes) throws(RunnerFailure) -> Int {
        var place = 0
        do {
            for part in parts {
                switch part {
                case .old(let range):
                    let inside = range.clamped(to: 0..<bytes.count)
                    try file.write(
                        UnsafeRawBufferPointer(rebasing: bytes.memory[inside]), at: place)
                case .new(let new): try new.withUnsafeBytes { try file.write($0, at: place) }
                }
                place += part.count
            }
        } catch {
            throw RunnerFailure(
                code: .outputFailed, message: "the output cannot be written: \(brief("\(error)"))")
        }
        return place
    }
}
