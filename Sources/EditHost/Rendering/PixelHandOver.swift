// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Glibc
import RunnerProtocol
import Synchronization

/// Memory that one runner writes raw pixels into while another one reads them, and the sockets by which it says how
/// many rows there are.
/// See docs/design/decisions/0037-streamed-pixels.md.
final class PixelHandOver: Sendable {
    let layout: RawLayout
    let buffer: PixelBuffers.Buffer
    private let ends: Mutex<(reading: OpenFile?, writing: OpenFile?)>

    /// - Parameter use: whose the memory is, and what for.
    /// - Throws: `HostError` with `fileFailed`.
    init(of layout: RawLayout, _ use: PixelBuffers.Use, _ buffers: PixelBuffers) throws {
        var sockets: [Int32] = [-1, -1]
        guard csandbox_socket_pair(&sockets) == 0 else {
            throw HostError.file("cannot be created", path: "a socket pair")
        }
        ends = Mutex((OpenFile(descriptor: sockets[0]), OpenFile(descriptor: sockets[1])))
        self.layout = layout
        buffer = try buffers.takeShared(layout.byteCount, for: use)
    }

    /// The end for whoever reads. Given away once, so that the other one learns of its end.
    func takeReadingEnd(
        as role: DescriptorRole = .arrivingRows
    ) -> [(DescriptorRole, OpenFile)] {
        ends.withLock { ends in
            defer { ends.reading = nil }
            return ends.reading.map { [(role, $0)] } ?? []
        }
    }

    /// What whoever writes gets.
    var forWriter: [(DescriptorRole, OpenFile)] {
        let end = ends.withLock { $0.writing }
        return [(.reusedOutput, buffer.memory)] + (end.map { [(.writtenRows, $0)] } ?? [])
    }

    /// Nothing more is written: tells whoever reads, whatever the other one has said, and whoever keeps a hold on the
    /// socket.
    ///
    /// - Returns: false: so much has been said, and not been read, that nothing can be added.
    func end(isComplete: Bool) -> Bool {
        let end = ends.withLock { ends in
            defer { ends.writing = nil }
            return ends.writing
        }
        guard let end else { return true }
        let rows = isComplete ? UInt32(truncatingIfNeeded: layout.height) : RowCount.none
        let sent = withUnsafeBytes(of: rows.littleEndian) {
            send(
                end.descriptor, $0.baseAddress, $0.count,
                Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        return sent >= 0 || errno != EAGAIN
    }
}
