// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
    /// The kinds of areas in a picture that a packet can describe.
    package enum AreaKind: CaseIterable {
        /// The regions of faces and other subjects.
        case regions
        /// The crop of a panorama.
        case panorama
        /// The area of the main subject.
        case subject
    }

    /// Returns the packet with its areas mapped to another picture.
    ///
    /// - Parameter placement: The mapping of the pixels; `nil` if unknown.
    /// - Returns: The packet, which is `nil` if it is malformed, and the kinds of areas that had to be removed.
    func mappingAreas(by placement: PixelPlacement?) -> (packet: XMPPacket?, removed: Set<AreaKind>)
    {
        let present = AreaKind.allCases.filter { area in
            area.names.contains {
                text.find(Array($0.namespace.utf8), from: 0) != nil
                    && ($0.local.isEmpty || text.find(Array($0.local.utf8), from: 0) != nil)
            }
        }
        guard !present.isEmpty else { return (self, []) }
        guard var editor = XMPEditor(self) else { return (nil, Set(present)) }
        var removed: Set<AreaKind> = []
        for area in present where !editor.move(area, placement) {
            let count = editor.cuts.count
            editor.remove(where: area.has)
            if editor.cuts.count > count { removed.insert(area) }
        }
        return (editor.packet, removed)
    }
}

extension XMPPacket.AreaKind {
    /// The names of the properties, or prefixes of their local names.
    fileprivate var names: [XMPName] {
        switch self {
        case .regions: Self.regionNames
        case .panorama: [XMPName(namespace: Self.panoramaNamespace, local: "")]
        case .subject: [XMPName("exif:SubjectArea"), XMPName("exif:SubjectLocation")]
        }
    }

    /// The properties of the Metadata Working Group, ACDSee, Microsoft, Apple, IPTC and Google.
    private static let regionNames = [
        XMPName("mwg-rs:Regions"), XMPName("acdsee-rs:Regions"), XMPName("MP:RegionInfo"),
        XMPName("Iptc4xmpExt:ImageRegion"),
        XMPName(namespace: "http://ns.apple.com/faceinfo/1.0/", local: ""),
        XMPName(namespace: "http://ns.google.com/photos/1.0/focus/", local: ""),
    ]
    fileprivate static let panoramaNamespace = "http://ns.google.com/photos/1.0/panorama/"

    fileprivate func has(_ name: XMPName) -> Bool {
        names.contains { $0.namespace == name.namespace && name.local.hasPrefix($0.local) }
    }

    /// The message for the user about a removed area.
    package var omission: String {
        switch self {
        case .regions: "its regions, such as faces, are omitted, because pixels may have moved"
        case .panorama: "its panorama data (GPano) is omitted, because pixels may have moved"
        case .subject: "its subject area is omitted, because pixels may have moved"
        }
    }
}

extension XMPEditor {
    /// Maps areas to their new coordinates.
    ///
    /// - Returns: False if the new coordinates are unknown.
    fileprivate mutating func move(_ area: XMPPacket.AreaKind, _ placement: PixelPlacement?) -> Bool
    {
        guard let placement else { return false }
        switch area {
        case .subject: return moveSubject(placement)
        case .regions:
            guard placement.isUpright, !hasRegionsInPixels else { return false }
            let dimensions = Set(
                document.elements.indices.filter {
                    document.elements[$0].name.local == Self.dimensions
                })
            return scale(placement) { name, parents in
                guard !dimensions.isDisjoint(with: parents) else { return nil }
                return name.local == "w" ? true : name.local == "h" ? false : nil
            }
        case .panorama:
            guard placement.isUpright else { return false }
            return scale(placement) { name, _ in
                guard name.namespace == XMPPacket.AreaKind.panoramaNamespace else { return nil }
                return Self.panoramaLengths[name.local]
            }
        }
    }

    /// The name of the size that regions refer to.
    private static let dimensions = "AppliedToDimensions"

    /// The pixel properties of Google's Photo Sphere XMP. The value is true if the property is horizontal, and false if
    /// it is vertical.
    private static let panoramaLengths = [
        "CroppedAreaImageWidthPixels": true, "CroppedAreaImageHeightPixels": false,
        "FullPanoWidthPixels": true, "FullPanoHeightPixels": false,
        "CroppedAreaLeftPixels": true, "CroppedAreaTopPixels": false,
        "LargestValidInteriorRectLeft": true, "LargestValidInteriorRectTop": false,
        "LargestValidInteriorRectWidth": true, "LargestValidInteriorRectHeight": false,
    ]

    private mutating func moveSubject(_ placement: PixelPlacement) -> Bool {
        for name in ["exif:SubjectArea", "exif:SubjectLocation"] where has(name) {
            guard case .list(_, let items) = value(name),
                let area = placement.area(items.compactMap { Int($0.text) }),
                area.count == items.count
            else { return false }
            if area.map(String.init) == items.map(\.text) { continue }
            set(name, to: .list(.sequence, area.map { XMPValue.Item(text: "\($0)") }))
        }
        return true
    }

    /// Whether a region is given in pixels instead of relative coordinates.
    private var hasRegionsInPixels: Bool {
        let isUnit: (XMPName) -> Bool = { $0.local == "unit" || $0.local == "rbUnit" }
        return document.elements.contains { element in
            guard element.name.local != Self.dimensions,
                element.parent.map({ document.elements[$0].name.local }) != Self.dimensions
            else { return false }
            return isUnit(element.name) && text(element.content) == "pixel"
                || element.attributes.contains { isUnit($0.name) && text($0.value) == "pixel" }
        }
    }

    /// Scales lengths in pixels.
    ///
    /// - Parameter isHorizontal: Returns true for a horizontal length, false for a vertical one; `nil` for other
    ///   properties. It receives the name and up to three enclosing elements.
    /// - Returns: False if a value is not a number.
    private mutating func scale(
        _ placement: PixelPlacement, _ isHorizontal: (XMPName, [Int]) -> Bool?
    ) -> Bool {
        var edits: [(Range<Int>, String)] = []
        for (index, element) in document.elements.enumerated() {
            let parents = [element.parent, grandparent(of: element)].compactMap(\.self)
            let values =
                [(element.name, element.content, parents)]
                + element.attributes.map { ($0.name, $0.value, [index] + parents) }
            for (name, range, parents) in values {
                guard let isHorizontal = isHorizontal(name, parents) else { continue }
                guard let old = Double(text(range)),
                    let new = isHorizontal ? placement.width(old) : placement.height(old)
                else { return false }
                if Double(new) != old { edits.append((range, "\(new)")) }
            }
        }
        for (range, text) in edits { replace(range, with: text) }
        return true
    }

    private func grandparent(of element: XMPDocument.Element) -> Int? {
        element.parent.flatMap { document.elements[$0].parent }
    }
}
