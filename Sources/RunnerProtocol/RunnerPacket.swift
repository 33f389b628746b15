// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The packet that one message between host and runner is, over a `SOCK_SEQPACKET` socket.
///
/// Sixteen bytes of header, little endian: the magic `EHR1`, the number of the request (0:
/// unasked), the length of the body, flags. Then the body (``MessageBody``); or, where that is longer
/// than ``maximumInline``, nothing: it is in memory that travels as a descriptor then (a request),
/// or that came with the request (a reply).
package enum RunnerPacket {
    /// The header's length in bytes.
    package static let headerLength = 16
    /// The longest body that travels in the packet itself, in bytes.
    package static let maximumInline = 60 << 10
    /// The longest body of all, in bytes: two recipes of 16 MiB, less a little.
    package static let maximumBody = 32 << 20
    /// The longest packet.
    package static let maximumLength = headerLength + maximumInline

    private static let magic = Array("EHR1".utf8)

    /// What the header says.
    package struct Header: Hashable, Sendable {
        /// The number of the request; 0: unasked.
        package var number: UInt32
        /// Bytes of the body.
        package var bodyLength: Int
        /// The body is not in the packet.
        package var isElsewhere: Bool
    }

    /// Makes a packet: the header, and the body where it fits.
    package static func encode(number: UInt32, body: Data) -> Data {
        let isElsewhere = body.count > maximumInline
        var packet = Data(magic)
        for word in [number, UInt32(body.count), isElsewhere ? 1 : 0] {
            withUnsafeBytes(of: word.littleEndian) { packet.append(contentsOf: $0) }
        }
        if !isElsewhere { packet.append(body) }
        return packet
    }

    /// Reads a packet; nil where it is not one.
    package static func decode(_ packet: Data) -> (header: Header, inlineBody: Data)? {
        guard packet.count >= headerLength, Array(packet.prefix(4)) == magic else { return nil }
        let words = (1...3).map { index in
            (0..<4).reduce(UInt32(0)) { word, byte in
                word | UInt32(packet[packet.startIndex + index * 4 + byte]) << (8 * byte)
            }
        }
        let body = packet.dropFirst(headerLength)
        let header = Header(number: words[0], bodyLength: Int(words[1]), isElsewhere: words[2] == 1)
        guard words[2] <= 1, header.bodyLength <= maximumBody,
            body.count == (header.isElsewhere ? 0 : header.bodyLength)
        else { return nil }
        return (header, Data(body))
    }
}
