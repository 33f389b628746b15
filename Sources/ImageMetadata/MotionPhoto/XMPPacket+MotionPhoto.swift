// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

extension XMPPacket {
    /// The packet without claims of a video in its file. Other items that it lists, such as a gain map, are kept. It is
    /// `nil` if the claims cannot be removed.
    var withoutMotionPhoto: XMPPacket? {
        let namespaces = ["GCamera:", "Container:"].map { XMPName($0).namespace }
        // Most packets contain none of these namespaces.
        guard namespaces.contains(where: { text.find(Array($0.utf8), from: 0) != nil }) else {
            return self
        }
        guard var editor = XMPEditor(self) else { return nil }
        editor.removeMotionPhoto()
        return editor.packet
    }

    /// Returns the packet with the claims of a video at the end of the file (Motion Photo format 1.0, "XMP
    /// Attributes"). The packet must not contain such claims. A malformed packet is replaced by a new one.
    ///
    /// - Parameters:
    ///   - video: The video.
    ///   - padding: The number of bytes between the picture and the video that no item covers.
    func describing(_ video: AppendedVideo, padding: Int) -> XMPPacket {
        for packet in [self, .empty] {
            guard var editor = XMPEditor(packet) else { continue }
            editor.addMotionPhoto(video, padding: padding)
            let described = editor.packet
            if described.describes(video) { return described }
        }
        return self
    }

    private func describes(_ video: AppendedVideo) -> Bool {
        let claims = MotionPhotoMetadata(self)
        return claims.isMotionPhoto && !claims.isMicroVideo
            && claims.presentationTime == video.presentationTime
            && claims.items?.last?.semantic == "MotionPhoto"
            && claims.items?.last?.length == video.length
    }
}

extension XMPEditor {
    private static let directory = "Container:Directory"
    /// The semantics of the first item and of the video.
    private static let (primary, motionPhoto) = ("Primary", "MotionPhoto")

    /// Removes the claims of a video in both formats.
    fileprivate mutating func removeMotionPhoto() {
        let camera = XMPName("GCamera:MotionPhoto").namespace
        remove { name in
            name.namespace == camera
                && ["MotionPhoto", "MicroVideo"].contains { name.local.hasPrefix($0) }
        }
        for index in directories {
            let items = items(of: index)
            if hasOthers(items) {
                for item in items where item.claim.semantic == Self.motionPhoto {
                    cutWithWhitespace(document.elements[item.index].range)
                }
            } else {
                cutWithWhitespace(document.elements[index].range)
            }
        }
    }

    /// Adds the claims of a video. Sequential readers, such as Android's media library, require them in the first
    /// description and as attributes.
    fileprivate mutating func addMotionPhoto(_ video: AppendedVideo, padding: Int) {
        let known = directories.first { hasOthers(items(of: $0)) }
        var directory = ""
        if let known {
            addItem(video, to: known)
        } else {
            directory = Self.directory(video, padding: padding)
        }
        // -1 means that the time is unknown.
        let attributes =
            " GCamera:MotionPhoto=\"1\" GCamera:MotionPhotoVersion=\"1\""
            + " GCamera:MotionPhotoPresentationTimestampUs=\"\(video.presentationTime ?? -1)\""
        if addToDescription(attributes, directory) { return }
        append(Array(description(attributes, prefixes: ["GCamera"], content: directory).utf8))
    }

    // MARK: - The directory

    private typealias Item = (index: Int, claim: MotionPhotoMetadata.Item)

    /// The elements of the directory property.
    private var directories: [Int] {
        let name = XMPName(Self.directory)
        let descriptionIndexes = Set(descriptions)
        return document.elements.indices.filter {
            document.elements[$0].name == name
                && document.elements[$0].parent.map(descriptionIndexes.contains) == true
        }
    }

    /// Returns the items of a directory.
    private func items(of directory: Int) -> [Item] {
        let elements = document.elements
        let (end, name) = (elements[directory].range.upperBound, XMPName("rdf:li"))
        let packet = XMPPacket(document.text)
        return elements.indices[directory...].prefix { elements[$0].range.lowerBound < end }
            .filter { index in
                elements[index].name == name
                    && elements[index].parent.flatMap { elements[$0].parent } == directory
            }
            .map { index in
                let element = elements[index]
                let attributes = element.qualifiedName.upperBound..<element.tag.upperBound - 1
                let item = XMPPacket.Item(attributes: attributes, content: element.content)
                return (index, MotionPhotoMetadata.item(in: packet, item))
            }
    }

    /// Whether there are items besides the picture and its video.
    private func hasOthers(_ items: [Item]) -> Bool {
        items.contains { ![Self.primary, Self.motionPhoto].contains($0.claim.semantic) }
    }

    /// Returns the property in the form of the specification.
    private static func directory(_ video: AppendedVideo, padding: Int) -> String {
        let padding = padding > 0 ? " Item:Padding=\"\(padding)\"" : ""
        let names = ["Container", "Item"].map { " xmlns:\($0)=\"\(XMPName("\($0):").namespace)\"" }
        let list = [
            "<Container:Item Item:Mime=\"image/jpeg\" Item:Semantic=\"\(primary)\" Item:Length=\"0\""
                + "\(padding)/>", item(video, "Container", "Item"),
        ].map { "\n     <rdf:li rdf:parseType=\"Resource\">\n      \($0)\n     </rdf:li>" }
        return "\n   <\(directory)\(names.joined())>\n    <rdf:Seq>\(list.joined())\n    </rdf:Seq>"
            + "\n   </\(directory)>"
    }

    private static func item(_ video: AppendedVideo, _ container: String, _ item: String) -> String
    {
        "<\(container):Item \(item):Mime=\"\(video.contentType.rawValue)\""
            + " \(item):Semantic=\"\(motionPhoto)\" \(item):Length=\"\(video.length)\"/>"
    }

    /// Adds an item to an existing directory. The prefixes of the directory are used, because some readers require
    /// them.
    private mutating func addItem(_ video: AppendedVideo, to directory: Int) {
        let elements = document.elements
        guard let list = items(of: directory).last.flatMap({ elements[$0.index].parent }) else {
            return
        }
        let name = String(decoding: document.text[elements[directory].qualifiedName], as: UTF8.self)
        let container = name.split(separator: ":").dropLast().first.map(String.init) ?? "Container"
        let item = container == "Container" ? "Item" : "\(container)Item"
        let names = [
            ("rdf", "rdf"), (container, "Container"), (item, "Item"),
        ].map { " xmlns:\($0)=\"\(XMPName("\($1):").namespace)\"" }
        insert(
            "\n     <rdf:li\(names.joined()) rdf:parseType=\"Resource\">\(Self.item(video, container, item))"
                + "</rdf:li>", at: end(of: elements[list].content))
    }

    // MARK: - The description

    /// Inserts attributes and elements into the only description.
    ///
    /// - Returns: False if there are several descriptions, or if the prefixes are bound to other namespaces.
    private mutating func addToDescription(_ attributes: String, _ content: String) -> Bool {
        guard descriptions.count == 1, let index = descriptions.first else { return false }
        let element = document.elements[index]
        let name = String(decoding: document.text[element.qualifiedName], as: UTF8.self)
        guard name == "rdf:Description" else { return false }
        let declared = element.attributes.first {
            $0.name == XMPName(namespace: "xmlns", local: "GCamera")
        }
        let namespace = XMPName("GCamera:").namespace
        var attributes = attributes
        if let declared {
            guard document.text[declared.value].elementsEqual(namespace.utf8) else { return false }
        } else {
            attributes = " xmlns:GCamera=\"\(namespace)\"" + attributes
        }
        insert(attributes, at: declared?.range.upperBound ?? element.qualifiedName.upperBound)
        if content.isEmpty { return true }
        if element.tag == element.range {
            // The tag of an empty element ends with a slash.
            replace(
                element.tag.upperBound - 2..<element.tag.upperBound,
                with: ">\(content)\n  </\(name)>")
        } else {
            insert(content, at: end(of: element.content))
        }
        return true
    }

    // MARK: - Whitespace

    /// Returns the end of a content without its trailing white space.
    private func end(of content: Range<Int>) -> Int {
        let isWhitespace: (UInt8) -> Bool = { $0 <= 0x20 }
        return document.text[content].lastIndex { !isWhitespace($0) }.map { $0 + 1 }
            ?? content.lowerBound
    }

    /// Removes an element with the white space before it, so that repeated edits do not grow the packet.
    private mutating func cutWithWhitespace(_ range: Range<Int>) {
        cut(end(of: 0..<range.lowerBound)..<range.upperBound)
    }
}
