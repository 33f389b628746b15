// SPDX-License-Identifier: Apache-2.0

/// A file that an extension wrote as its output. The runner has opened it before the extension could
/// remove it, and copies it when asked to by `takeFile`.
public struct WrittenFile: Codable, Hashable, Sendable {
    /// The MIME type that the extension announced.
    public var contentType: String

    /// Makes a description.
    public init(contentType: String) { self.contentType = contentType }
}
