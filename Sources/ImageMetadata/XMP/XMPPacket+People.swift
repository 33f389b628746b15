// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

extension XMPPacket {
    /// Removes the location, persons, or both.
    ///
    /// - Parameter omitted: A part of the metadata.
    /// - Returns: False if a part of it cannot be removed.
    mutating func remove(_ omitted: EncodeSettings.OmittedMetadata) -> Bool {
        if omitted.omitsLocation, !removeLocation() { return false }
        return !omitted.omitsPeople || removePeople()
    }

    /// Removes the names of persons, and the regions of faces and other subjects. Keywords, titles and descriptions
    /// are kept.
    ///
    /// - Returns: False if a part of them cannot be removed, because the packet is malformed.
    mutating func removePeople() -> Bool {
        let isMentioned = Self.people.contains { names in
            text.find(Array(names.namespace.utf8), from: 0) != nil
        }
        guard isMentioned else { return true }
        guard var editor = XMPEditor(self, .any) else { return false }
        editor.remove { name in
            Self.people.contains { names in
                names.namespace == XMPName.canonical(name.namespace)
                    && name.local.hasPrefix(names.local)
            }
        }
        self = editor.packet
        return true
    }

    /// The properties of the Metadata Working Group, Microsoft, ACDSee, Apple, Google, IPTC, PRISM and Getty Images, by
    /// the prefixes of their local names.
    private static let people = [
        XMPName(namespace: XMPName("mwg-rs:Regions").namespace, local: ""),
        XMPName("MP:RegionInfo"),
        XMPName(namespace: XMPName("acdsee-rs:Regions").namespace, local: ""),
        XMPName(namespace: XMPName("apple-fi:Faces").namespace, local: ""),
        XMPName(namespace: "http://ns.google.com/photos/1.0/focus/", local: ""),
        XMPName("Iptc4xmpExt:PersonInImage"), XMPName("Iptc4xmpExt:ImageRegion"),
        XMPName("Iptc4xmpExt:AddlModelInfo"), XMPName("mediapro:People"),
        XMPName(namespace: "http://ns.microsoft.com/expressionmedia/1.0/", local: "People"),
        XMPName(namespace: "http://prismstandard.org/namespaces/basic/2.0/", local: "person"),
        XMPName(namespace: "http://xmp.gettyimages.com/gift/1.0/", local: "Personality"),
    ]
}
