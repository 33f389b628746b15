// SPDX-License-Identifier: Apache-2.0

import Vips

extension XMPPacket {
    /// Splits the packet for a file with limited space. The main packet holds the properties that users write, as far
    /// as they fit, and the digest of the rest.
    ///
    /// - Parameter room: The maximum length of the main packet, in bytes.
    /// - Returns: `nil` if the packet is malformed.
    func parts(room: Int) -> (packet: XMPPacket, extended: [UInt8])? {
        guard var rest = XMPEditor(self), var new = XMPEditor(.empty) else { return nil }
        // Reserves space for the empty packet, the namespaces, and the digest.
        var left = room - 4096
        for name in Self.essentialProperties {
            guard let value = rest.value(name), value != .text("") else { continue }
            let length = value.element(name).utf8.count + 4
            guard length <= left else { continue }
            left -= length
            new.set(name, to: value)
            rest.remove(name)
        }
        let extended = rest.bareElement
        new.set(ExtendedXMP.property, to: .text(Digest.md5(extended)))
        let packet = new.packet
        return packet.text.count <= room ? (packet, extended) : nil
    }
}
