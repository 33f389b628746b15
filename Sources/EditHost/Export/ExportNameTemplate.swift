// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A template for the names of exported files: text with fields in braces.
///
/// * `{name}`: the imported filename without its extension.
/// * `{date}`, `{date:FORMAT}`: the capture date by the camera's clock, or `undated`. The format is text with
///   `%Y`, `%y`, `%m`, `%d`, `%H`, `%M`, `%S` and `%%`, as in `strftime`. The default is `%Y-%m-%d`.
/// * `{folder}`: the folder of the imported file, relative to the folder that was imported. It is followed by a slash
///   and may have several components; if it is empty, the slash is omitted too.
/// * `{version}`: the name of the current version. If it has none, `current`, `unadjusted` or `original`.
/// * `{id}`: the first eight digits of the asset's identifier.
/// * `{sequence}`: empty, or `-1`, `-2` and so on if the name is taken. It must come last. Without it, a taken
///   name is an error.
///
/// Slashes, including those in a date's format, separate folders below the export folder. The filename extension is
/// appended. `{{` and `}}` are literal braces.
public struct ExportNameTemplate: Sendable, Hashable {
    /// The text that the template was parsed from.
    public let text: String
    private let parts: [Part]
    /// Whether a taken name is numbered.
    let isNumbered: Bool

    private enum Part: Hashable {
        case text(String)
        case name, version, identifier
        /// The folder of the imported file, and the slash after it.
        case folder
        case date([DatePart])
    }

    fileprivate enum DatePart: Hashable {
        case text(String)
        /// A range of digits of the date written as `YYYY-MM-DDTHH:MM:SS`.
        case digits(Range<Int>)
    }

    private static let fields = ["name", "date", "folder", "version", "id", "sequence"]
    /// The maximum number of path components, including the file's name.
    static let maximumDepth = 16
    /// The maximum number of components that `{folder}` becomes. Deeper components are omitted.
    static let maximumFolderDepth = 48

    /// Parses a template.
    ///
    /// - Throws: `HostError` with `badRequest` for an unknown field, an unmatched brace, or a path that could
    ///   lead outside the export folder.
    public init(_ text: String) throws {
        self.text = text
        var scanner = Substring(text)
        var parts: [Part] = []
        var isNumbered = false
        while let character = scanner.first {
            guard !isNumbered else { throw Self.refusal(text, "{sequence} must come last") }
            if scanner.hasPrefix("{{") || scanner.hasPrefix("}}") {
                parts.append(.text(String(character)))
                scanner = scanner.dropFirst(2)
            } else if character == "{" {
                guard let end = scanner.firstIndex(of: "}") else {
                    throw Self.refusal(text, "unclosed brace")
                }
                let field = scanner[scanner.index(after: scanner.startIndex)..<end]
                if let part = try Self.part(field, of: text) {
                    parts.append(part)
                } else {
                    isNumbered = true
                }
                scanner = scanner[scanner.index(after: end)...]
                guard field == "folder" else { continue }
                guard scanner.popFirst() == "/" else {
                    throw Self.refusal(text, "{folder} must be followed by a slash")
                }
            } else if character == "}" {
                throw Self.refusal(text, "unmatched closing brace; write }} for a literal one")
            } else {
                parts.append(.text(String(character)))
                scanner = scanner.dropFirst()
            }
        }
        self.parts = parts
        self.isNumbered = isNumbered
        try requireInside()
    }

    private static func refusal(_ text: String, _ reason: String) -> HostError {
        HostError(.badRequest, "invalid name template \"\(text)\": \(reason)")
    }

    /// Returns the part for a field; nil for `{sequence}`.
    private static func part(_ field: Substring, of text: String) throws -> Part? {
        switch field {
        case "name": return .name
        case "folder": return .folder
        case "version": return .version
        case "id": return .identifier
        case "sequence": return nil
        case "date": return .date(try dateParts("%Y-%m-%d", of: text))
        case _ where field.hasPrefix("date:"):
            return .date(try dateParts(field.dropFirst("date:".count), of: text))
        default:
            throw refusal(
                text,
                "unknown field {\(field)}; use one of "
                    + fields.map { "{\($0)}" }.joined(separator: ", "))
        }
    }

    private static func dateParts(_ format: Substring, of text: String) throws -> [DatePart] {
        var parts: [DatePart] = []
        var scanner = format
        while let character = scanner.popFirst() {
            guard character == "%" else {
                parts.append(.text(String(character)))
                continue
            }
            switch scanner.popFirst() {
            case "Y": parts.append(.digits(0..<4))
            case "y": parts.append(.digits(2..<4))
            case "m": parts.append(.digits(5..<7))
            case "d": parts.append(.digits(8..<10))
            case "H": parts.append(.digits(11..<13))
            case "M": parts.append(.digits(14..<16))
            case "S": parts.append(.digits(17..<19))
            case "%": parts.append(.text("%"))
            case let other:
                throw refusal(
                    text,
                    "%\(other.map { String($0) } ?? "") is not a part of a date; use %Y, %y, %m, "
                        + "%d, %H, %M, %S or %%")
            }
        }
        return parts
    }

    /// Rejects templates with a component that is empty, `.` or `..` for some values of the fields.
    private func requireInside() throws {
        // More would exceed the depth of paths in the record of an export.
        guard parts.count(where: { $0 == .folder }) <= 1 else {
            throw Self.refusal(text, "{folder} can be used only once")
        }
        var shape = ""
        for part in parts {
            switch part {
            case .text(let text): shape += text
            case .date(let parts): shape += parts.map(\.shape).joined()
            case .name, .version, .identifier: shape += "x"
            case .folder:
                guard shape.isEmpty || shape.utf8.last == UInt8(ascii: "/") else {
                    throw Self.refusal(text, "{folder} must be at the start or follow a slash")
                }
                shape += "x/"
            }
        }
        let components = shape.pathComponents
        guard components.count <= Self.maximumDepth else {
            throw Self.refusal(
                text, "more than \(Self.maximumDepth - 1) nested folders")
        }
        for component in components {
            guard !component.isEmpty else {
                throw Self.refusal(text, "a folder or file has an empty name")
            }
            guard component != ".", component != ".." else {
                throw Self.refusal(text, "it leads outside the output folder")
            }
        }
    }

    /// Whether names depend on the current version.
    var namesVersion: Bool { parts.contains(.version) }

    /// Whether names contain the identifier of the asset.
    var namesIdentifier: Bool { parts.contains(.identifier) }

    // MARK: - Names

    /// The values of the fields for an asset.
    struct Values {
        let name: String
        let folder: String?
        let date: CaptureDate?
        let version: String
        let identifier: String
    }

    /// Returns the folders, outermost first, and the filename without extension and number.
    func components(_ values: Values) -> (folders: [String], stem: String) {
        // A slash in a value does not separate folders.
        func safe(_ text: String) -> String {
            text.pathComponents.joined(separator: "_")
        }
        let date = values.date.flatMap { $0.isWritable ? Array($0.clockText.utf8) : nil }
        let expanded: String = parts.map { part -> String in
            switch part {
            case .text(let text): text
            case .name: safe(values.name)
            case .folder: Self.safePath(values.folder)
            case .version: safe(values.version)
            case .identifier: safe(String(values.identifier.prefix(8)).lowercased())
            case .date(let parts):
                date.map { digits in parts.map { $0.text(digits) }.joined() } ?? "undated"
            }
        }.joined()
        var components = expanded.pathComponents
        let stem = components.popLast() ?? "_"
        return (components.map { SafeFilename($0).text() }, stem)
    }

    /// Returns the path of a folder with a slash at its end; an empty text if there is none.
    private static func safePath(_ folder: String?) -> String {
        guard let folder else { return "" }
        return folder.pathComponents.prefix(maximumFolderDepth)
            .map { SafeFilename($0).text() + "/" }.joined()
    }
}

extension ExportNameTemplate.DatePart {
    fileprivate var shape: String {
        switch self {
        case .text(let text): text
        case .digits: "0"
        }
    }

    fileprivate func text(_ date: [UInt8]) -> String {
        switch self {
        case .text(let text): text
        case .digits(let range):
            range.upperBound <= date.count ? String(decoding: date[range], as: UTF8.self) : "00"
        }
    }
}

extension CaptureDate {
    /// The date by the camera's clock as `YYYY-MM-DDTHH:MM:SS`, or the day only if the time is unknown.
    fileprivate var clockText: String { String(text.prefix(hasTime ? 19 : 10)) }
}
