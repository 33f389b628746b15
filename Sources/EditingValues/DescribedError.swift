// SPDX-License-Identifier: Apache-2.0

/// What an error is about.
public enum ErrorSubject: Hashable, Sendable {
    /// An asset, by its local identifier.
    case asset(String)
    /// An editing extension, by its identifier.
    case editingExtension(String)
    /// A file or folder, by its path.
    case file(String)
    /// A parameter of an extension, by its name.
    case parameter(String)
    /// A key of a manifest, as a path, for example `parameters[2].minimum`.
    case manifestKey(String)

    /// The identifier, path, name or key.
    public var name: String {
        switch self {
        case .asset(let name), .editingExtension(let name), .file(let name), .parameter(let name),
            .manifestKey(let name):
            name
        }
    }
}

/// The shape of the errors of plug-ins, host and library: a code for programs, a message for people,
/// what it is about, and what failed beneath.
public protocol DescribedError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure that programs can tell apart.
    associatedtype Code: Hashable, Sendable

    /// What kind of failure it is.
    var code: Code { get }
    /// What happened and what to do, in a sentence without a full stop.
    var message: String { get }
    /// What it is about; empty where the message says all.
    var subjects: [ErrorSubject] { get }
    /// What failed beneath, where that is known.
    var underlying: (any Error)? { get }
}

extension DescribedError {
    /// Nothing but what the message says.
    public var subjects: [ErrorSubject] { [] }
    /// Nothing known.
    public var underlying: (any Error)? { nil }

    /// The identifier of the asset concerned.
    public var assetIdentifier: String? {
        firstSubject { if case .asset(let name) = $0 { name } else { nil } }
    }

    /// The identifier of the extension concerned.
    public var extensionIdentifier: String? {
        firstSubject { if case .editingExtension(let name) = $0 { name } else { nil } }
    }

    /// The file or folder concerned.
    public var path: String? {
        firstSubject { if case .file(let name) = $0 { name } else { nil } }
    }

    private func firstSubject(_ name: (ErrorSubject) -> String?) -> String? {
        subjects.lazy.compactMap(name).first
    }

    /// A sentence for people: ``sentence``.
    public var description: String { sentence }

    /// The message, with every subject that it does not name.
    package var sentence: String {
        var text = message
        for subject in subjects.reversed() {
            switch subject {
            case .asset(let identifier):
                // Not the identifier alone: the beginning of one stands in many a text by chance.
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
