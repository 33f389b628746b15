// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import RunnerProtocol
import Synchronization

/// Rows of pixels that another runner writes into shared memory, from the top down. The writer announces the number
/// of finished rows through a socket, in packets as described by ``RowProgressPacket``.
final class RowProgress: Sendable {
    private let socket: OpenFile
    private let height: Int
    /// The number of finished rows, for readers that need not wait.
    private let count = Atomic(0)
    /// Held by the thread that waits for the next packet.
    private let waiting: Mutex<Waiting>

    private struct Waiting {
        /// The reason why no more rows will arrive; `nil` while they may.
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
        let announced = UInt32(littleEndian: packet.0)
        guard length > 0, announced != RowProgressPacket.none else {
            return "the pixels end after \(known) of \(height) rows"
        }
        // The writer is untrusted.
        guard length == MemoryLayout<UInt32>.size, (known...height).contains(Int(announced)) else {
            return "\(announced) of \(height) rows were announced after \(known)"
        }
        count.store(Int(announced), ordering: .releasing)
        return nil
    }
}
