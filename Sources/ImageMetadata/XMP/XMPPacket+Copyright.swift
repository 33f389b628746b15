// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
    /// A packet with only the creator and copyright, `nil` if there are none. The values are rewritten, so that no
    /// other data is copied.
    var copyright: XMPPacket? { keeping(Self.copyrightProperties) }

    /// Returns a packet with only some properties, `nil` if it would be empty.
    func keeping(_ names: [String]) -> XMPPacket? {
        guard let old = XMPEditor(self), var new = XMPEditor(.empty) else { return nil }
        var isEmpty = true
        for name in names {
            guard let value = old.value(name), value != .text("") else { continue }
            new.set(name, to: value)
            isEmpty = false
        }
        return isEmpty ? nil : new.packet
    }

    static let copyrightProperties = [
        "dc:creator", "dc:rights", "xmpRights:Certificate", "xmpRights:Marked",
        "xmpRights:Owner", "xmpRights:UsageTerms", "xmpRights:WebStatement",
    ]
}
