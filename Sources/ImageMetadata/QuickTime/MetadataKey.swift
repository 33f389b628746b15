// SPDX-License-Identifier: Apache-2.0

/// The key of a metadata item.
package struct MetadataKey: Hashable, Sendable, CustomStringConvertible {
    /// The namespace of the key; `mdta` is a reverse-DNS name.
    package let namespace: BoxType
    /// The name, such as `com.apple.quicktime.content.identifier`.
    package let name: String

    /// Creates a key, by default in the namespace `mdta`.
    package init(namespace: BoxType = "mdta", _ name: String) {
        self.namespace = namespace
        self.name = name
    }

    /// The name.
    package var description: String { name }

    /// The key of the timed metadata that marks the time of a Live Photo's still image.
    package static let stillImageTime = MetadataKey("com.apple.quicktime.still-image-time")
    /// The key of the identifier that both files of a Live Photo share.
    package static let contentIdentifier = MetadataKey("com.apple.quicktime.content.identifier")
}
