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
        var rest = 0..<text.count
        while let element = element(property, in: rest) {
            if let found = alternative(in: element.content) { return found }
            rest = element.end..<text.count
        }
        return ranges(property).lazy.compactMap { words($0) }.first
    }

    /// No text has more languages.
    private static let maximumAlternatives = 1000

    private func alternative(in content: Range<Int>) -> String? {
        var first: String?
        var rest = content
        for _ in 0..<Self.maximumAlternatives {
            guard let item = element("rdf:li", in: rest) else { break }
            rest = item.end..<content.upperBound
            guard let words = words(item.content) else { continue }
            if find(Array("x-default".utf8), in: item.attributes) != nil { return words }
            first = first ?? words
        }
        guard rest == content else { return first }
        return find([UInt8(ascii: "<")], in: content) == nil ? words(content) : nil
    }

    private func words(_ range: Range<Int>) -> String? {
        let words = Self.unescaped(text[range].prefix(Self.maximumValueLength)).trimmingBlanks
        return words.isEmpty ? nil : words
    }
}
