// SPDX-License-Identifier: Apache-2.0

/// What XMP says of a video in its picture's file: in the words of Google's Motion Photo format 1.0, and in
/// those of what came before it, MicroVideo. None of it is believed here.
///
/// The specification calls the namespace `Camera`, Google's cameras `GCamera`; the address is the same.
struct MotionClaims {
    /// A part of the file as `Container:Directory` describes it.
    struct Item: Equatable {
        /// What it is for: `Primary`, `MotionPhoto`, `GainMap`.
        var semantic: String
        /// What it is, such as `video/mp4`.
        var mime: String
        /// How long it is, in bytes; nil where that is no number from 0. That of the first one is mostly left
        /// out, or 0.
        var length: Int?
        /// How many bytes come behind it before the next one.
        var padding: Int
    }

    /// Whether the file is said to be a Motion Photo.
    let isMotionPhoto: Bool
    /// The parts of the file in their order; nil where none are named.
    let items: [Item]?
    /// Whether it is said to have a MicroVideo.
    let isMicroVideo: Bool
    /// How far before the end of the file that begins, in bytes; nil where that is no number from 1.
    let microVideoOffset: Int?
    /// Which moment of the video the picture shows, in microseconds; nil where it is not told: -1 says so, too.
    let presentationTime: Int?

    /// No file has more parts.
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

    /// A whole number from 0.
    private static func number(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    // MARK: - The directory

    private static func items(in packet: XMPPacket, _ list: Range<Int>) -> [Item] {
        packet.listItems(in: list, count: maximumItems).map { Self.item(in: packet, $0) }
    }

    /// What an item says, in attributes of itself or of the element inside, or in elements of its own.
    static func item(in packet: XMPPacket, _ item: XMPPacket.Item) -> Item {
        var words: [String: String] = [:]
        func add(_ name: Range<Int>, _ value: Range<Int>) {
            guard value.count <= XMPPacket.maximumValueLength,
                let text = XMPPacket.plainText(packet.text, value)
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

    /// No description of a part has more elements.
    private static let maximumTags = 100

    private static func localName(_ name: ArraySlice<UInt8>) -> String {
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self)
    }
}
