// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
    /// The title.
    var title: String? { localizedText("dc:title") }

    /// What the picture shows.
    var descriptionText: String? { localizedText("dc:description") }

    /// The colour or word of a program's label.
    var label: String? { localizedText("xmp:Label") ?? localizedText("xap:Label") }

    /// For how long the picture was exposed, in seconds: a fraction, or a decimal number.
    var exposureTime: Double? {
        let parts = (value("exif:ExposureTime") ?? "").split(
            separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double(String($0).trimmingBlanks) }
        guard numbers.count == parts.count, numbers.count <= 2, let above = numbers.first else {
            return nil
        }
        let time = numbers.count == 2 ? above / numbers[1] : above
        return time > 0 && time.isFinite ? time : nil
    }

    /// A text that may be there in several languages: the one for all others, or else the first. It is an
    /// element with a list of them, an element with a text, or an attribute.
    func localizedText(_ property: String) -> String? {
        let all = properties[property]
        let elements = all.lazy.filter { !$0.isAttribute }
        return elements.compactMap { alternative(in: $0.value) }.first
            ?? all.lazy.filter(\.isAttribute).compactMap { words($0.value) }.first
    }

    /// No text has more languages.
    private static let maximumAlternatives = 1000

    private func alternative(in content: Range<Int>) -> String? {
        var first: String?
        let items = listItems(in: content, count: Self.maximumAlternatives)
        for item in items {
            guard let words = words(item.content) else { continue }
            if find(Array("x-default".utf8), in: item.attributes) != nil { return words }
            first = first ?? words
        }
        return items.isEmpty ? words(content) : first
    }

    private func words(_ range: Range<Int>) -> String? {
        // Of a text that is too long its beginning counts, as far as it is only that.
        let beginning = range.prefix(Self.maximumValueLength)
        let isLong = beginning.count < range.count
        guard !isLong || find([UInt8(ascii: "<")], in: range) == nil else { return nil }
        let words = Self.plainText(text, beginning)?.trimmingBlanks ?? ""
        return words.isEmpty ? nil : words
    }
}
