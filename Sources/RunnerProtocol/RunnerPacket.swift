// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The packet format of messages between host and runner over a `SOCK_SEQPACKET` socket.
///
/// The header has sixteen bytes, little endian: the magic `EHR1`, the number of the request (0 for an unsolicited
/// message), the length of the body, and flags. The body (``MessageBody``) follows. A body longer than
/// ``maximumInline`` is stored in memory instead: a request sends it as a descriptor, a reply uses the one that
/// came with the request.
package enum RunnerPacket {
    /// The length of the header in bytes.
    package static let headerLength = 16
    /// The maximum length in bytes of a body inside the packet.
    package static let maximumInline = 60 << 10
    /// The maximum length of any body in bytes: slightly less than two recipes of 16 MiB.
    package static let maximumBody = 32 << 20
    /// The maximum length of a packet in bytes.
    package static let maximumLength = headerLength + maximumInline

    private static let magic = Array("EHR1".utf8)

    /// The fields of the header.
    package struct Header: Hashable, Sendable {
        /// The number of the request; 0 for an unsolicited message.
        package var number: UInt32
        /// The length of the body in bytes.
        package var bodyLength: Int
        /// Whether the body is outside the packet.
        package var isElsewhere: Bool
    }

    /// Encodes a packet: the header, and the body if it fits.
    package static func encode(number: UInt32, body: Data) -> Data {
        let isElsewhere = body.count > maximumInline
        var packet = Data(magic)
        for word in [number, UInt32(body.count), isElsewhere ? 1 : 0] {
            withUnsafeBytes(of: word.littleEndian) { packet.append(contentsOf: $0) }
        }
        if !isElsewhere { packet.append(body) }
        return packet
    }

    /// Decodes a packet; nil if it is malformed.
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
