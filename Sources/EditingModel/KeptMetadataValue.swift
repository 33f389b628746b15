// SPDX-License-Identifier: Apache-2.0

/// A value set in the library that an import kept, although the photo's files now state another one.
public struct KeptMetadataValue: Hashable, Sendable {
    /// The kinds of values.
    public enum Field: String, Hashable, Sendable {
        case date, location, title, description, creator, copyright, label, rating
    }

    /// The kind of the value.
    public let field: Field
    /// The library's value as text; `nil` if the value was removed in the library.
    public let value: String?
    /// The value in the photo's files, as text.
    public let stated: String
    /// `true` if a sidecar states the value; `false` if it comes from the photo's own file.
    public private(set) var isInSidecar = false

    init(_ field: Field, _ value: String?, stated: String) {
        (self.field, self.value, self.stated) = (field, value, stated)
    }

    /// Returns the value with its source, a sidecar or the file itself.
    ///
    /// - Parameter sidecars: The values in the sidecars.
    package func located(in sidecars: DescriptiveMetadata) -> KeptMetadataValue {
        let beside: String? =
            switch field {
            case .date: sidecars.captureDate?.text
            case .location: sidecars.location.map(Self.text)
            case .title: sidecars.title
            case .description: sidecars.descriptionText
            case .creator: sidecars.creator
            case .copyright: sidecars.copyright
            case .label: sidecars.label
            case .rating: sidecars.rating.map(\.description)
            }
        var value = self
        value.isInSidecar = beside == stated
        return value
    }

    /// Returns a location as text, in degrees.
    static func text(_ location: Location) -> String {
        "\(location.latitude), \(location.longitude)"
    }

    /// A message for the user.
    public var message: String {
        let place = isInSidecar ? "the sidecar" : "the file"
        let kept =
            value.map { "\(field.rawValue) \(words($0)) was set in the library" }
            ?? "the \(field.rawValue) was removed in the library"
        return "kept: \(kept); \(place) says \(words(stated))"
    }

    /// The maximum length of a text in a message, in characters.
    private static let maximumWords = 60

    /// Returns a value as a message quotes it.
    private func words(_ text: String) -> String {
        guard ![.date, .location, .rating].contains(field) else { return text }
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let start = line.prefix(Self.maximumWords)
        return "\"\(start)\(start.count < line.count ? "..." : "")\""
    }
}
