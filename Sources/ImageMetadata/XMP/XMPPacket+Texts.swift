// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
    /// The title, `dc:title`.
    var title: String? { localizedText("dc:title") }

    /// The description, `dc:description`.
    var descriptionText: String? { localizedText("dc:description") }

    /// The label, a colour or a word of a program.
    var label: String? { localizedText("xmp:Label") ?? localizedText("xap:Label") }

    /// The exposure time in seconds, from a fraction or a decimal number.
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

    /// Returns a text with alternatives in several languages: the default one, otherwise the first. It may be a list
    /// element, a text element, or an attribute.
    func localizedText(_ property: String) -> String? {
        let all = properties[property]
        let elements = all.lazy.filter { !$0.isAttribute }
        return elements.compactMap { alternative(in: $0.value) }.first
            ?? all.lazy.filter(\.isAttribute).compactMap { words($0.value) }.first
    }

    /// The maximum number of languages.
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
        // A long text is truncated, provided that it contains no markup.
        let beginning = range.prefix(Self.maximumValueLength)
        let isLong = beginning.count < range.count
        guard !isLong || find([UInt8(ascii: "<")], in: range) == nil else { return nil }
        let words = Self.plainText(text, beginning)?.trimmingBlanks ?? ""
        return words.isEmpty ? nil : words
    }
}
