// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension OpenFile {
    /// Reads exactly `count` bytes. A shorter file is an error.
    func bytes(at offset: Int, count: Int) throws(MovieError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                let memory = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count)
                filled = try fill(memory, at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw MovieError(reading: failure) }
        guard bytes.count == count else { throw .damaged("the file ends too early") }
        return bytes
    }
}
