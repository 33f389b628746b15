// SPDX-License-Identifier: Apache-2.0

/// Why a `manifest.json` is not usable.
public struct ExtensionManifestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key concerned, as a path, for example `parameters[2].minimum`; empty: the whole file.
    public let key: String
    /// What is wrong with it.
    public let problem: String

    /// Makes an error.
    public init(key: String, problem: String) {
        self.key = key
        self.problem = problem
    }

    /// A sentence for people.
    public var description: String {
        key.isEmpty ? "the manifest \(problem)" : "the manifest's \"\(key)\" \(problem)"
    }
}
