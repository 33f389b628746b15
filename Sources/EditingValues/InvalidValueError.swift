// SPDX-License-Identifier: Apache-2.0

/// An invalid recipe, parameter value or manifest.
public struct InvalidValueError: DescribedError, Hashable {
    /// The kinds of invalid values.
    public enum Code: String, Sendable, CaseIterable {
        /// The recipe is empty.
        case emptyAdjustmentData
        /// The recipe exceeds ``AdjustmentData/allowedSizes``.
        case tooLargeAdjustmentData
        /// The recipe's format identifier or version is empty, too long or has control characters.
        case invalidAdjustmentFormat
        /// The parameter is unknown, or its value has the wrong type or is out of range.
        case invalidParameter
        /// The `manifest.json` is not valid JSON, or a key is missing or invalid.
        case invalidManifest
    }

    /// The kind of invalid value.
    public let code: Code
    /// The parameter or the manifest key; `nil` for the whole recipe or manifest.
    public let subject: ErrorSubject?
    /// The position of the value in the manifest, or of the object that lacks it; `nil` if unknown.
    public let position: TextPosition?
    /// The predicate of the message, which follows the name of the subject.
    private let problem: String

    private init(
        _ code: Code, _ subject: ErrorSubject?, _ problem: String, _ position: TextPosition? = nil
    ) {
        self.code = code
        self.subject = subject
        self.problem = problem
        self.position = position
    }

    /// Creates the error of a recipe that cannot be stored.
    static func adjustmentData(_ code: Code, _ problem: String) -> InvalidValueError {
        InvalidValueError(code, nil, problem)
    }

    /// Creates the error of an unknown parameter or an invalid value.
    ///
    /// - Parameter problem: The problem and the accepted values, which follow the name of the parameter.
    package static func parameter(_ name: String, _ problem: String) -> InvalidValueError {
        InvalidValueError(.invalidParameter, .parameter(name), problem)
    }

    /// Creates the error of an invalid manifest.
    ///
    /// - Parameters:
    ///   - key: A path such as `parameters[2].minimum`; empty for the whole file.
    ///   - problem: The problem, which follows the name of the key.
    package static func manifest(_ key: String, _ problem: String) -> InvalidValueError {
        InvalidValueError(.invalidManifest, key.isEmpty ? nil : .manifestKey(key), problem)
    }

    /// Returns the error with a position.
    package func at(_ position: TextPosition?) -> InvalidValueError {
        InvalidValueError(code, subject, problem, position)
    }

    /// The problem and the accepted values.
    public var message: String {
        let place = position.map { " (line \($0.line), column \($0.column))" } ?? ""
        return switch (code, subject) {
        case (.invalidManifest, let key?): "the manifest's \"\(key.name)\"\(place) \(problem)"
        case (.invalidManifest, nil): "the manifest \(problem)\(place)"
        case (_, let parameter?): "parameter \"\(parameter.name)\" \(problem)"
        case (_, nil): "the adjustment data\(problem)"
        }
    }

    /// The parameter or the manifest key, if there is one.
    public var subjects: [ErrorSubject] { subject.map { [$0] } ?? [] }
}
