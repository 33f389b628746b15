// SPDX-License-Identifier: Apache-2.0

/// The claims in XMP about a video in the picture's file, in Google's Motion Photo format 1.0 or its predecessor
/// MicroVideo. They are untrusted, and are not verified here.
///
/// The specification uses the prefix `Camera` for the namespace, and Google cameras use `GCamera`. The URI is the same.
struct MotionPhotoMetadata {
    /// An item of `Container:Directory`, which describes a part of the file.
    struct Item: Equatable {
        /// The purpose, such as `Primary`, `MotionPhoto` or `GainMap`.
        var semantic: String
        /// The media type, such as `video/mp4`.
        var mime: String
        /// The length in bytes; `nil` if it is invalid. The length of the first item is usually missing or 0.
        var length: Int?
        /// The number of bytes between this item and the next.
        var padding: Int
    }

    /// Whether the file is declared as a Motion Photo.
    let isMotionPhoto: Bool
    /// The items in file order; `nil` if there are none.
    let items: [Item]?
    /// Whether the file is declared as a MicroVideo.
    let isMicroVideo: Bool
    /// The distance of the MicroVideo from the end of the file, in bytes; `nil` if it is invalid.
    let microVideoOffset: Int?
    /// The position of the picture in the video, in microseconds; `nil` if it is unknown or -1.
    let presentationTime: Int?

    /// The maximum number of items that any file has.
    private static let maximumItems = 100

    init(_ packet: XMPPacket) {
        isMotionPhoto = packet.value("GCamera:MotionPhoto") == "1"
        isMicroVideo = packet.value("GCamera:MicroVideo") == "1"
        microVideoOffset = Self.number(packet.value("GCamera:MicroVideoOffset"))
            .flatMap { $0 > 0 ? $0 : nil }
        let times = [
            "GCamera:MotionPhotoPresentationTimestampUs",
            "GCamera:MicroVideoPresentationTimestampUs",
        ]
        presentationTime = times.lazy.compactMap { Self.number(packet.value($0)) }.first
        items = packet.properties["Container:Directory"].lazy.filter { !$0.isAttribute }
            .map { Self.items(in: packet, $0.value) }.first { !$0.isEmpty }
    }

    /// Parses a non-negative integer.
    private static func number(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    // MARK: - The directory

    private static func items(in packet: XMPPacket, _ list: Range<Int>) -> [Item] {
        packet.listItems(in: list, count: maximumItems).map { Self.item(in: packet, $0) }
    }

    /// Reads an item from its attributes, from those of the element inside, or from nested elements.
    static func item(in packet: XMPPacket, _ item: XMPPacket.Item) -> Item {
        var words: [String: String] = [:]
        func add(_ name: Range<Int>, _ value: Range<Int>) {
            guard value.count <= XMPPacket.maximumValueLength,
                let text = XMLText.plain(packet.text, value)
            else { return }
            let word = localName(packet.text[name])
            if words[word] == nil { words[word] = text.trimmingBlanks }
        }
        for (name, value) in XMLScanner.attributes(packet.text, item.attributes) {
            add(name, value)
        }
        var scanner = XMLScanner(packet.text, in: item.content)
        var open: (name: Range<Int>, start: Int)?
        var count = 0
        while count < maximumTags, let tag = scanner.next() {
            count += 1
            switch tag.kind {
            case .data: break
            case .opening, .empty:
                for (name, value) in XMLScanner.attributes(packet.text, tag.attributes) {
                    add(name, value)
                }
                open = tag.kind == .opening ? (tag.name, tag.range.upperBound) : nil
            case .closing:
                if let open { add(open.name, open.start..<tag.range.lowerBound) }
                open = nil
            }
        }
        return Item(
            semantic: words["Semantic"] ?? "", mime: words["Mime"] ?? "",
            length: number(words["Length"]), padding: number(words["Padding"]) ?? 0)
    }

    /// The maximum number of elements in the description of an item.
    private static let maximumTags = 100

    private static func localName(_ name: ArraySlice<UInt8>) -> String {
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self)
    }
}
