// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import RunnerProtocol
import Synchronization

/// Rows of pixels that another runner writes into memory, from the top one on. It says through a socket how many there
/// are, in packets as ``RowCount`` says.
final class ArrivingRows: Sendable {
    private let socket: OpenFile
    private let height: Int
    /// How many there are, for those who need not wait.
    private let count = Atomic(0)
    /// Held by whoever waits for the next packet.
    private let waiting: Mutex<Waiting>

    private struct Waiting {
        /// Why there will be no more.
        var end: String?
        /// What the first one who waits does before.
        var first: (@Sendable () -> Void)?
    }

    /// - Parameter first: Called once, on the thread of the first one who has to wait.
    init(_ socket: OpenFile, height: Int, first: (@Sendable () -> Void)? = nil) {
        self.socket = socket
        self.height = height
        waiting = Mutex(Waiting(first: first))
    }

    /// Waits until so many rows are there; where they will not come, says why.
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

    /// Takes the next packet. Gives the end, if it is that.
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
        // Whoever writes may be anybody.
        guard length == MemoryLayout<UInt32>.size, (known...height).contains(Int(said)) else {
            return "\(said) of \(height) rows were announced after \(known)"
        }
        count.store(Int(said), ordering: .releasing)
        return nil
    }
}

/// Tells another runner through a socket how many rows of pixels it has written for it.
struct RowAnnouncer {
    private let socket: OpenFile
    private let height: Int
    private var announced = 0

    init(_ socket: OpenFile, height: Int) {
        self.socket = socket
        self.height = height
    }

    /// Says how many there are, some 32 times for a picture: waking the other one takes as long as computing many rows,
    /// and a socket that nobody reads must not fill.
    ///
    /// - Returns: whether anybody can read them.
    mutating func announce(_ rows: Int) -> Bool {
        guard rows == height || rows - announced >= max(1, height / 32) else { return true }
        announced = rows
        let said = UInt32(truncatingIfNeeded: rows).littleEndian
        return withUnsafeBytes(of: said) { packet in
            retrying { write(socket.descriptor, packet.baseAddress, packet.count) } == packet.count
        }
    }
}
