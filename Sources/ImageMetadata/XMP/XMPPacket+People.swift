// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
    /// Removes the names of persons, and the regions of faces and other subjects. Keywords, titles and descriptions
    /// are kept.
    ///
    /// - Returns: False if the packet is malformed. It may then contain such names.
    mutating func removePeople() -> Bool {
        // The text is not searched for the namespaces first, because they can be written differently.
        guard var editor = XMPEditor(self, .any) else { return false }
        editor.remove { name in
            let namespace = Self.withoutSlashes(name.namespace)
            return Self.people.contains { names in
                Self.withoutSlashes(names.namespace) == namespace
                    && name.local.hasPrefix(names.local)
            } || namespace.hasPrefix(Self.prism) && name.local.hasPrefix("person")
        }
        self = editor.packet
        return true
    }

    /// Returns a namespace without final slashes, which some programs omit.
    private static func withoutSlashes(_ namespace: String) -> Substring {
        var rest = namespace[...]
        while rest.hasSuffix("/") { rest.removeLast() }
        return rest
    }

    /// The beginning of the namespaces of all versions of PRISM.
    private static let prism = "http://prismstandard.org/namespaces"

    /// The properties of the Metadata Working Group, Microsoft, ACDSee, Apple, Google, IPTC, Getty Images and DICOM, by
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
        XMPName(namespace: "http://xmp.gettyimages.com/gift/1.0/", local: "Personality"),
        XMPName(namespace: "http://ns.adobe.com/DICOM/", local: "Patient"),
        XMPName(namespace: "http://ns.adobe.com/DICOM/", local: "StudyPhysician"),
    ]
}
