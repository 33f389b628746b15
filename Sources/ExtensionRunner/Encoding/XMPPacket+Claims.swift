// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
    /// The packet without what it says of films, sounds, gain maps, depths and XMP beside the picture in its file,
    /// or within the packet: there may be the picture as it was before the edit.
    ///
    /// - Returns: nil where that cannot be taken out.
    var withoutOtherParts: XMPPacket? {
        // Most speak of nothing of the kind.
        guard Self.claims.contains(where: { find(Array($0.namespace.utf8), from: 0) != nil }) else {
            return self
        }
        guard var editor = XMPEditor(self) else { return nil }
        editor.remove { name in
            Self.claims.contains { claim in
                claim.namespace == name.namespace
                    && claim.beginnings.contains { name.local.hasPrefix($0) }
            }
        }
        return editor.packet
    }

    private typealias Claim = (namespace: String, beginnings: [String])

    private static let claims: [Claim] = [
        ("http://ns.google.com/photos/1.0/camera/", ["MotionPhoto", "MicroVideo"]),
        ("http://ns.google.com/photos/1.0/container/", [""]),
        ("http://ns.google.com/photos/1.0/depthmap/", [""]),
        ("http://ns.google.com/photos/1.0/image/", [""]),
        ("http://ns.google.com/photos/1.0/audio/", [""]),
        ("http://ns.google.com/photos/dd/1.0/device/", [""]),
        ("http://ns.adobe.com/hdr-gain-map/1.0/", [""]),
        ("http://ns.apple.com/HDRGainMap/1.0/", [""]),
        ("http://ns.adobe.com/xmp/note/", ["HasExtendedXMP"]),
    ]
}
