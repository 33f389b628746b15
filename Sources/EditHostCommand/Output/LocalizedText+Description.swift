// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension LocalizedText? {
    /// The text as JSON: a string, or an object that maps languages to texts; null if missing.
    var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .texts(let texts):
            .object(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        case nil: .null
        }
    }
}
