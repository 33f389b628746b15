// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The location of a resource's content, as far as it can be determined without opening a file.
public enum AssetResourceAvailability: String, Sendable {
    /// The content is stored in the library.
    case stored
    /// The content is outside the library, in a referenced file of the expected size.
    case referenced
    /// The referenced file is missing.
    case away
    /// The referenced file has a different size.
    case changed
    /// The content is unavailable: the version has yet to be rendered, or the stored file is lost.
    case absent

    /// True if the content can be read on this machine.
    public var isLocal: Bool { self == .stored || self == .referenced }
}
