// SPDX-License-Identifier: Apache-2.0

/// The subject of an error.
public enum ErrorSubject: Hashable, Sendable {
    /// An asset, by its local identifier.
    case asset(String)
    /// An editing extension, by its reverse-DNS identifier.
    case editingExtension(String)
    /// A file or folder, by its path.
    case file(String)
    /// A parameter of an extension, by its name.
    case parameter(String)
    /// A key of a manifest, as a path, for example `parameters[2].minimum`.
    case manifestKey(String)

    /// The associated identifier, path, name or key.
    public var name: String {
        switch self {
        case .asset(let name), .editingExtension(let name), .file(let name), .parameter(let name),
            .manifestKey(let name):
            name
        }
    }
}
