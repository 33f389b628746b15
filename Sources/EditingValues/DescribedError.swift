// SPDX-License-Identifier: Apache-2.0

/// An error of the extension API, the host or the library.
///
/// It has a code to match, a message for users, the subjects concerned and the underlying error.
public protocol DescribedError: Error, Sendable, CustomStringConvertible {
    /// The error codes that programs can match.
    associatedtype Code: Hashable, Sendable

    /// The kind of failure.
    var code: Code { get }
    /// The problem and a possible remedy: one sentence without a full stop.
    var message: String { get }
    /// The subjects of the error; empty if the message names them all.
    var subjects: [ErrorSubject] { get }
    /// The underlying error, if there is one.
    var underlying: (any Error)? { get }
}

extension DescribedError {
    /// An empty list, since the message names the subject.
    public var subjects: [ErrorSubject] { [] }
    /// No underlying error.
    public var underlying: (any Error)? { nil }

    /// The identifier of the first asset among the subjects.
    public var assetIdentifier: String? {
        firstSubject { if case .asset(let name) = $0 { name } else { nil } }
    }

    /// The identifier of the first extension among the subjects.
    public var extensionIdentifier: String? {
        firstSubject { if case .editingExtension(let name) = $0 { name } else { nil } }
    }

    /// The path of the first file or folder among the subjects.
    public var path: String? {
        firstSubject { if case .file(let name) = $0 { name } else { nil } }
    }

    private func firstSubject(_ name: (ErrorSubject) -> String?) -> String? {
        subjects.lazy.compactMap(name).first
    }

    /// The error as a sentence for the user.
    public var description: String { sentence }

    /// The message, with every subject that it does not mention.
    package var sentence: String {
        var text = message
        for subject in subjects.reversed() {
            switch subject {
            case .asset(let identifier):
                // The identifier alone is not enough: a short one can occur in any text by chance.
                let name = "asset \(identifier)"
                if !message.contains(name) { text = "\(name): \(text)" }
            case .editingExtension(let name), .parameter(let name), .manifestKey(let name):
                if !message.contains(name) { text = "\(name): \(text)" }
            case .file(let path):
                if !message.contains(path) { text += " (\(path))" }
            }
        }
        return text
    }
}
