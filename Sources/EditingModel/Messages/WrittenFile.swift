// SPDX-License-Identifier: Apache-2.0

/// A file that an extension wrote as its output, in the runner's private folder.
public struct WrittenFile: Codable, Hashable, Sendable {
    /// The file's name in the folder: no separators.
    public var name: String
    /// The MIME type that the extension announced.
    public var contentType: String

    /// Makes a description.
    public init(name: String, contentType: String) {
        self.name = name
        self.contentType = contentType
    }
}
