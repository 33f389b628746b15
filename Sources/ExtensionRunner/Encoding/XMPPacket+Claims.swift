// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
    /// What a packet may say that is not true of a file any more.
    enum Claims {
        /// Of films, sounds, gain maps, depths and XMP beside the picture in its file, or within the packet: there
        /// may be the picture as it was before the edit.
        case otherParts
        /// Of these, and of where in the picture faces are.
        case otherPartsAndRegions
    }

    /// The packet without what is not true any more; nil where that cannot be taken out.
    func withoutClaims(_ claims: Claims) -> XMPPacket? {
        let namespaces = Self.claims.filter { claims == .otherPartsAndRegions || !$0.isRegion }
        // Most speak of nothing of the kind.
        guard namespaces.contains(where: { find(Array($0.namespace.utf8), from: 0) != nil }) else {
            return self
        }
        guard var editor = XMPEditor(self) else { return nil }
        editor.remove { name in
            namespaces.contains { claim in
                claim.namespace == name.namespace
                    && claim.beginnings.contains { name.local.hasPrefix($0) }
            }
        }
        return editor.packet
    }

    private typealias Claim = (namespace: String, beginnings: [String], isRegion: Bool)

    private static let claims: [Claim] = [
        ("http://ns.google.com/photos/1.0/camera/", ["MotionPhoto", "MicroVideo"], false),
        ("http://ns.google.com/photos/1.0/container/", [""], false),
        ("http://ns.google.com/photos/1.0/depthmap/", [""], false),
        ("http://ns.google.com/photos/1.0/image/", [""], false),
        ("http://ns.google.com/photos/1.0/audio/", [""], false),
        ("http://ns.google.com/photos/dd/1.0/device/", [""], false),
        ("http://ns.adobe.com/hdr-gain-map/1.0/", [""], false),
        ("http://ns.apple.com/HDRGainMap/1.0/", [""], false),
        ("http://ns.adobe.com/xmp/note/", ["HasExtendedXMP"], false),
        ("http://www.metadataworkinggroup.com/schemas/regions/", ["Regions"], true),
        ("http://ns.microsoft.com/photo/1.2/", ["RegionInfo"], true),
        ("http://ns.apple.com/faceinfo/1.0/", [""], true),
    ]
}
