// SPDX-License-Identifier: Apache-2.0

/// A place in a text.
public struct TextPosition: Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The character in the line, from 1.
    public let column: Int

    /// Makes a position.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// Why a recipe cannot be stored, a value does not suit a parameter, or a manifest is not usable.
public struct InvalidValueError: DescribedError, Hashable {
    /// What is wrong.
    public enum Code: String, Sendable {
        /// A recipe has no bytes.
        case emptyAdjustmentData
        /// A recipe has more bytes than ``AdjustmentData/allowedSizes`` allows.
        case tooLargeAdjustmentData
        /// A recipe's format identifier or version is empty, too long or has control characters.
        case invalidAdjustmentFormat
        /// A parameter is unknown, or its value of the wrong type or out of range.
        case invalidParameter
        /// A `manifest.json` is not JSON, or something in it is missing or wrong.
        case invalidManifest
    }

    /// What is wrong.
    public let code: Code
    /// The parameter or the manifest's key; nil: the whole recipe or manifest.
    public let subject: ErrorSubject?
    /// Where it stands in the manifest, or what it is missing in; nil: not known.
    public let position: TextPosition?
    /// What is wrong with the subject, to follow its name.
    private let problem: String

    private init(
        _ code: Code, _ subject: ErrorSubject?, _ problem: String, _ position: TextPosition? = nil
    ) {
        self.code = code
        self.subject = subject
        self.problem = problem
        self.position = position
    }

    /// A recipe that cannot be stored.
    static func adjustmentData(_ code: Code, _ problem: String) -> InvalidValueError {
        InvalidValueError(code, nil, problem)
    }

    /// A parameter that does not exist, or whose value does not suit it.
    ///
    /// - Parameter problem: what is wrong and what would be right, to follow the parameter's name.
    package static func parameter(_ name: String, _ problem: String) -> InvalidValueError {
        InvalidValueError(.invalidParameter, .parameter(name), problem)
    }

    /// A manifest that is not usable.
    ///
    /// - Parameters:
    ///   - key: as a path, for example `parameters[2].minimum`; empty: the whole file.
    ///   - problem: what is wrong, to follow the key's name.
    package static func manifest(_ key: String, _ problem: String) -> InvalidValueError {
        InvalidValueError(.invalidManifest, key.isEmpty ? nil : .manifestKey(key), problem)
    }

    /// The same error, with its place.
    package func at(_ position: TextPosition?) -> InvalidValueError {
        InvalidValueError(code, subject, problem, position)
    }

    /// What is wrong, and what would be right.
    public var message: String {
        let place = position.map { " (line \($0.line), column \($0.column))" } ?? ""
        return switch (code, subject) {
        case (.invalidManifest, let key?): "the manifest's \"\(key.name)\"\(place) \(problem)"
        case (.invalidManifest, nil): "the manifest \(problem)\(place)"
        case (_, let parameter?): "parameter \"\(parameter.name)\" \(problem)"
        case (_, nil): "the adjustment data\(problem)"
        }
    }

    /// The parameter or the manifest's key.
    public var subjects: [ErrorSubject] { subject.map { [$0] } ?? [] }
}
