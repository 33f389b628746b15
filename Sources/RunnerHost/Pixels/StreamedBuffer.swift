// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Glibc
import RunnerProtocol
import Synchronization

/// Memory that one runner fills with raw pixels while another reads them, and the socket pair that carries the row
/// counts.
/// See docs/design/decisions/0037-streamed-pixels.md.
package final class StreamedBuffer: Sendable {
    package let layout: UncompressedLayout
    package let buffer: PixelBuffers.Buffer
    private let ends: Mutex<(reading: OpenFile?, writing: OpenFile?)>

    /// - Parameter use: The owner and the purpose of the memory.
    /// - Throws: `HostError` with `fileFailed`.
    package init(of layout: UncompressedLayout, _ use: PixelBuffers.Use, _ buffers: PixelBuffers)
        throws
    {
        var sockets: [Int32] = [-1, -1]
        guard csandbox_socket_pair(&sockets) == 0 else {
            throw HostError.file("cannot be created", path: "a socket pair")
        }
        ends = Mutex((OpenFile(descriptor: sockets[0]), OpenFile(descriptor: sockets[1])))
        self.layout = layout
        buffer = try buffers.takeShared(layout.byteCount, for: use)
    }

    /// Returns the reader's end of the socket, only once: the host keeps no copy, so the writer notices when the
    /// reader ends.
    package func takeReadingEnd(
        as role: DescriptorRole = .rowProgress
    ) -> [(DescriptorRole, OpenFile)] {
        ends.withLock { ends in
            defer { ends.reading = nil }
            return ends.reading.map { [(role, $0)] } ?? []
        }
    }

    /// The descriptors for the writer: the memory and its end of the socket.
    package var forWriter: [(DescriptorRole, OpenFile)] {
        let end = ends.withLock { $0.writing }
        return [(.reusedOutput, buffer.memory)] + (end.map { [(.writtenRows, $0)] } ?? [])
    }

    /// Ends the stream: sends the reader a final row count, regardless of earlier counts and of processes that keep
    /// the socket open.
    ///
    /// - Returns: `false` if the socket is full of unread counts, so the final one cannot be sent.
    package func end(isComplete: Bool) -> Bool {
        let end = ends.withLock { ends in
            defer { ends.writing = nil }
            return ends.writing
        }
        guard let end else { return true }
        let rows = isComplete ? UInt32(truncatingIfNeeded: layout.height) : RowProgressPacket.none
        let sent = withUnsafeBytes(of: rows.littleEndian) {
            send(
                end.descriptor, $0.baseAddress, $0.count,
                Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        return sent >= 0 || errno != EAGAIN
    }
}
