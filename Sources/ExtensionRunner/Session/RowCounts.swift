// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import RunnerProtocol
import Synchronization

/// Rows of pixels that another runner writes into shared memory, from the top down. The writer announces the number
/// of finished rows through a socket, in packets as described by ``RowCount``.
final class ArrivingRows: Sendable {
    private let socket: OpenFile
    private let height: Int
    /// The number of finished rows, for readers that need not wait.
    private let count = Atomic(0)
    /// Held by the thread that waits for the next packet.
    private let waiting: Mutex<Waiting>

    private struct Waiting {
        /// The reason why no more rows will arrive, `nil` while they may.
        var end: String?
        /// Called before the first wait.
        var first: (@Sendable () -> Void)?
    }

    /// - Parameter first: Called once, on the first thread that has to wait.
    init(_ socket: OpenFile, height: Int, first: (@Sendable () -> Void)? = nil) {
        self.socket = socket
        self.height = height
        waiting = Mutex(Waiting(first: first))
    }

    /// Waits until at least `rows` rows are finished. Returns the reason if they will not arrive.
    func wait(for rows: Int) -> String? {
        if count.load(ordering: .acquiring) >= rows { return nil }
        return waiting.withLock { waiting in
            waiting.first?()
            waiting.first = nil
            while waiting.end == nil, count.load(ordering: .acquiring) < rows {
                waiting.end = receive()
            }
            return count.load(ordering: .acquiring) >= rows ? nil : waiting.end
        }
    }

    /// Receives the next packet. Returns the reason if no more rows will arrive.
    private func receive() -> String? {
        let known = count.load(ordering: .relaxed)
        var packet: (UInt32, UInt32) = (0, 0)
        let length = retrying {
            withUnsafeMutableBytes(of: &packet) {
                read(socket.descriptor, $0.baseAddress, $0.count)
            }
        }
        let said = UInt32(littleEndian: packet.0)
        guard length > 0, said != RowCount.none else {
            return "the pixels end after \(known) of \(height) rows"
        }
        // The writer is untrusted.
        guard length == MemoryLayout<UInt32>.size, (known...height).contains(Int(said)) else {
            return "\(said) of \(height) rows were announced after \(known)"
        }
        count.store(Int(said), ordering: .releasing)
        return nil
    }
}

/// Announces to another runner through a socket how many rows of pixels have been written.
struct RowAnnouncer {
    private let socket: OpenFile
    private let height: Int
    private var announced = 0

    init(_ socket: OpenFile, height: Int) {
        self.socket = socket
        self.height = height
    }

    /// Announces the number of finished rows, at most some 32 times per picture. Waking the reader takes as long as
    /// computing many rows, and the buffer of an unread socket must not fill up.
    ///
    /// - Returns: Whether a reader is still connected.
    mutating func announce(_ rows: Int) -> Bool {
        guard rows == height || rows - announced >= max(1, height / 32) else { return true }
        announced = rows
        let said = UInt32(truncatingIfNeeded: rows).littleEndian
        return withUnsafeBytes(of: said) { packet in
            retrying { write(socket.descriptor, packet.baseAddress, packet.count) } == packet.count
        }
    }
}
