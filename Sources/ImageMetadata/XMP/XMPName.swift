// SPDX-License-Identifier: Apache-2.0

/// The name of an XMP property: its namespace, independent of the prefix, and its local name.
struct XMPName: Hashable, Sendable {
    /// The URI of the namespace.
    let namespace: String
    /// The name within the namespace.
    let local: String

    init(namespace: String, local: String) {
        self.namespace = namespace
        self.local = local
    }

    /// - Parameter name: The name with its usual prefix, such as `dc:subject`.
    init(_ name: String) {
        let parts = name.split(separator: ":", maxSplits: 1)
        let prefix = parts.first.map(String.init) ?? ""
        namespace = Self.namespaces[prefix] ?? prefix
        local = parts.last.map(String.init) ?? name
    }

    /// Returns the canonical form of a namespace, because some programs omit the trailing slash of Microsoft's
    /// namespace.
    static func canonical(_ namespace: String) -> String {
        known.contains(namespace + "/") ? namespace + "/" : namespace
    }

    private static let known = Set(namespaces.values)

    /// The namespaces that are read or written, by their usual prefixes.
    static let namespaces = [
        "x": "adobe:ns:meta/", "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "xml": "http://www.w3.org/XML/1998/namespace", "dc": "http://purl.org/dc/elements/1.1/",
        "xmp": "http://ns.adobe.com/xap/1.0/", "xap": "http://ns.adobe.com/xap/1.0/",
        "xmpRights": "http://ns.adobe.com/xap/1.0/rights/",
        "xmpNote": "http://ns.adobe.com/xmp/note/", "exif": "http://ns.adobe.com/exif/1.0/",
        "tiff": "http://ns.adobe.com/tiff/1.0/",
        "aux": "http://ns.adobe.com/exif/1.0/aux/", "exifEX": "http://cipa.jp/exif/1.0/",
        "GPano": "http://ns.google.com/photos/1.0/panorama/",
        "Camera": "http://ns.google.com/photos/1.0/camera/",
        "apdi": "http://ns.apple.com/pixeldatainfo/1.0/",
        "photoshop": "http://ns.adobe.com/photoshop/1.0/",
        "lr": "http://ns.adobe.com/lightroom/1.0/",
        "digiKam": "http://www.digikam.org/ns/1.0/", "darktable": "http://darktable.sf.net/",
        "MicrosoftPhoto": "http://ns.microsoft.com/photo/1.0/",
        "MP": "http://ns.microsoft.com/photo/1.2/",
        "mediapro": "http://ns.iview-multimedia.com/mediapro/1.0/",
        "pdf": "http://ns.adobe.com/pdf/1.3/",
        "acdsee": "http://ns.acdsee.com/iptc/1.0/",
        "acdsee-rs": "http://ns.acdsee.com/regions/",
        "mwg-rs": "http://www.metadataworkinggroup.com/schemas/regions/",
        "mwg-kw": "http://www.metadataworkinggroup.com/schemas/keywords/",
        "apple-fi": "http://ns.apple.com/faceinfo/1.0/",
        "HDRGainMap": "http://ns.apple.com/HDRGainMap/1.0/",
        "hdrgm": "http://ns.adobe.com/hdr-gain-map/1.0/",
        "GCamera": "http://ns.google.com/photos/1.0/camera/",
        "Iptc4xmpCore": "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/",
        "Iptc4xmpExt": "http://iptc.org/std/Iptc4xmpExt/2008-02-29/",
        "Container": "http://ns.google.com/photos/1.0/container/",
        "GContainer": "http://ns.google.com/photos/1.0/container/",
        "Item": "http://ns.google.com/photos/1.0/container/item/",
    ]
}
