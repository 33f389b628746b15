// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

extension Sidecar {
    /// Returns the contents of an XMP file.
    ///
    /// - Parameters:
    ///   - settings: The values, and what to omit.
    ///   - old: The earlier XMP file, whose other properties are kept; `nil` if there is none.
    ///   - picture: The metadata of the picture beside it, which contributes the creator, the copyright and the regions;
    ///     `nil` if it is unknown.
    /// - Returns: The bytes; `nil` if there is nothing to write.
    /// - Throws: `RunnerFailure` with `badInput` if `settings` keep other properties and the earlier file cannot be
    ///   changed.
    package static func contents(
        _ settings: SidecarWriting, updating old: OpenFile?, beside picture: MetadataBlocks?
    ) throws(RunnerFailure) -> [UInt8]? {
        let isKept = settings.keepsOtherProperties && old != nil
        // A malformed file cannot be changed.
        let earlier = old.flatMap(packet)?.withoutDeclaration
        let editable = earlier.flatMap { XMPEditor($0) == nil ? nil : $0 }
        if isKept, editable == nil { throw unchangeable }
        var base = editable ?? .empty
        switch settings.omittedMetadata {
        case nil, .people: break
        case .location, .locationAndPeople: if !base.removeLocation() { base = .empty }
        case .allButCopyright: base = base.withCopyrightOnly ?? .empty
        case .all: base = .empty
        }
        if settings.isRendered { base = base.withoutDevelopment ?? .empty }
        if let picture { base = base.adding(picture) }
        if settings.omittedMetadata?.omitsPeople == true, !base.removePeople() { base = .empty }
        // Values that are not changed keep their form, such as titles in other languages and the altitude.
        let changes = settings.changes.differing(from: MetadataBlocks(xmp: base))
        if isKept {
            guard let new = base.changed(by: changes, addsMissing: true) else { throw unchangeable }
            return new.withoutEmptyDescriptions?.text ?? new.text
        }
        let new = XMPPacket.changing(base, changes, addsMissing: true) ?? base
        return new.withoutEmptyDescriptions?.text
    }

    private static var unchangeable: RunnerFailure {
        RunnerFailure(
            code: .badInput, message: "it is malformed or states a value in an unknown form")
    }
}

extension XMPPacket {
    /// The packet without an XML declaration, which may name another encoding.
    fileprivate var withoutDeclaration: XMPPacket {
        guard let start = text.firstIndex(where: { $0 > 0x20 }),
            text[start...].starts(with: "<?xml ".utf8),
            let end = text.find(Array("?>".utf8), from: start)
        else { return self }
        return XMPPacket(Array(text[(end + 2)...]))
    }

    /// The packet without the empty descriptions that changes leave, so that a sidecar does not grow each time. It is
    /// `nil` if it has no properties.
    fileprivate var withoutEmptyDescriptions: XMPPacket? {
        guard var editor = XMPEditor(self) else { return self }
        if editor.propertyNames.isEmpty { return nil }
        let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
        for index in editor.descriptions {
            let element = editor.document.elements[index]
            let isEmpty =
                text[element.content].allSatisfy(isBlank)
                && element.attributes.allSatisfy {
                    $0.name.namespace == "xmlns" || $0.name == XMPName("rdf:about")
                }
            guard isEmpty else { continue }
            let before = text[..<element.range.lowerBound].lastIndex { !isBlank($0) }
            let after = text[element.range.upperBound...].firstIndex { !isBlank($0) }
            editor.cut((before.map { $0 + 1 } ?? 0)..<(after ?? text.count))
        }
        return editor.packet
    }

    /// The packet without properties that describe how the original is developed, its size, or places in it. It is
    /// `nil` if they cannot be removed.
    fileprivate var withoutDevelopment: XMPPacket? {
        guard var editor = XMPEditor(self) else { return nil }
        let names = Set(Self.pictureProperties.map { XMPName($0) })
        editor.remove { name in
            Self.developmentNamespaces.contains(name.namespace) || names.contains(name)
        }
        return editor.packet.mappingAreas(by: nil).packet?.withoutOtherParts
    }

    /// The namespaces of the settings of Camera Raw and Lightroom, darktable, ART and Adobe's editing history.
    private static let developmentNamespaces: Set = [
        "http://ns.adobe.com/camera-raw-settings/1.0/",
        "http://ns.adobe.com/camera-raw-saved-settings/1.0/",
        "http://ns.adobe.com/camera-raw-defaults/1.0/",
        "http://ns.adobe.com/camera-raw-embedded-lens-profile/1.0/",
        "http://darktable.sf.net/", "http://us.pixls.art/ART/1.0/",
        "http://ns.adobe.com/xap/1.0/mm/",
    ]

    /// Properties of the stored pixels.
    private static let pictureProperties = [
        "tiff:Orientation", "tiff:ImageWidth", "tiff:ImageLength", "exif:PixelXDimension",
        "exif:PixelYDimension", "exif:ColorSpace", "xmp:Thumbnails", "digiKam:ImageHistory",
    ]

    /// Returns the packet with the creator, the copyright and the regions of a picture, unless it has its own.
    fileprivate func adding(_ picture: MetadataBlocks) -> XMPPacket {
        guard var editor = XMPEditor(self) else { return self }
        let source = picture.xmp.flatMap { XMPEditor($0) }
        for name in Self.copyrightProperties where !editor.has(name) {
            if let value = source?.value(name) ?? picture.value(name), value != .text("") {
                editor.set(name, to: value)
            }
        }
        if var source {
            let regions = Set(Self.regions.map { XMPName($0) }).intersection(source.propertyNames)
            let missing = regions.subtracting(editor.propertyNames)
            if !missing.isEmpty {
                let others = source.propertyNames.subtracting(missing)
                source.remove { others.contains($0) }
                editor.append(source.standaloneDescriptions)
            }
        }
        return editor.packet
    }

    /// The regions of the Metadata Working Group, Microsoft and IPTC.
    private static let regions = ["mwg-rs:Regions", "MP:RegionInfo", "Iptc4xmpExt:ImageRegion"]
}

extension MetadataBlocks {
    /// Creates the blocks of a file that consists of XMP.
    fileprivate init(xmp: XMPPacket) {
        self.init(
            exif: nil, exifBlock: nil, xmp: xmp, hasExtendedXMP: false, iptc: nil,
            hasExcessiveExif: false, movieDate: nil)
    }

    /// Returns the creator or the copyright as the value of an XMP property.
    fileprivate func value(_ property: String) -> XMPValue? {
        switch property {
        case "dc:creator":
            photoMetadata.creator.map { text in
                .list(
                    .sequence,
                    PhotoMetadata.creators(text).map { XMPValue.Item(text: $0) })
            }
        case "dc:rights": photoMetadata.copyright.map(XMPValue.plain)
        default: nil
        }
    }
}
