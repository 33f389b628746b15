// SPDX-License-Identifier: Apache-2.0

import FileAccess
import RunnerProtocol

/// Adds to a HEIC file the metadata that libvips does not write.
package enum HEIFMetadata {
    /// Appends the box with the trailer of Samsung phones.
    ///
    /// - Parameters:
    ///   - trailer: The trailer. If it is empty, nothing is added.
    ///   - file: A HEIC file.
    /// - Throws: `outputFailed`.
    package static func add(trailer: [UInt8], to file: OpenFile) throws(RunnerFailure) {
        guard !trailer.isEmpty else { return }
        let box = [UInt8].box("sefd", trailer)
        guard let length = file.length,
            (try? box.withUnsafeBytes { try file.write($0, at: length) }) != nil
        else {
            throw RunnerFailure(
                code: .outputFailed,
                message: "the output cannot be written: no room for Samsung's trailer")
        }
    }
}
