// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import RunnerProtocol

/// Announces to another runner through a socket how many rows of pixels have been written.
struct RowProgressReporter {
    private let socket: OpenFile
    private let height: Int
    private var announced = 0

    init(_ socket: OpenFile, height: Int) {
        self.socket = socket
        self.height = height
    }

    /// Announces the number of finished rows, about 32 times per picture at most. Waking the reader takes as long as
    /// computing many rows, and the buffer of a socket that is not read must not fill up.
    ///
    /// - Returns: Whether a reader is still connected.
    mutating func announce(_ rows: Int) -> Bool {
        guard rows == height || rows - announced >= max(1, height / 32) else { return true }
        announced = rows
        let count = UInt32(truncatingIfNeeded: rows).littleEndian
        return withUnsafeBytes(of: count) { packet in
            retrying { write(socket.descriptor, packet.baseAddress, packet.count) } == packet.count
        }
    }
}
