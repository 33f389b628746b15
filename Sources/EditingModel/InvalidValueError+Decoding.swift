// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension InvalidValueError {
    /// Converts a `DecodingError` to an error that names the manifest key.
    static func manifest(_ error: DecodingError) -> InvalidValueError {
        switch error {
        case .keyNotFound(let key, let context):
            .manifest(path(context.codingPath + [key]), "is missing")
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            .manifest(path(context.codingPath), "must be \(name(of: type))")
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            .manifest("", "is not valid JSON")
        case .dataCorrupted(let context):
            .manifest(path(context.codingPath), context.debugDescription)
        @unknown default:
            .manifest("", "cannot be read")
        }
    }

    /// The JSON name of a Swift type, for error messages.
    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is any RangeReplaceableCollection.Type: "an array"
        default: "an object"
        }
    }

    /// Returns the error with the position of its key in the manifest.
    func located(in json: Data) -> InvalidValueError {
        at(
            subject.map { JSONLocator.position(of: $0.name, in: json) }
                ?? JSONLocator.syntaxError(in: json))
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
    }
}
