// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
    /// The packet without descriptions of videos, sounds, gain maps, depth maps and XMP that the file or the packet
    /// contains besides the picture. These may hold the picture before the edit.
    ///
    /// - Returns: `nil` if they cannot be removed.
    package var withoutOtherParts: XMPPacket? {
        // Fast path: most packets contain none of these namespaces.
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
