// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
    /// A packet that says who made the picture and whose it is, and nothing else; nil where this one
    /// does not say it. The values are written anew, so that nothing else comes along.
    var copyright: XMPPacket? { keeping(Self.copyrightProperties) }

    /// A packet with some properties only; nil where this one has none of them.
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
