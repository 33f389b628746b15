// SPDX-License-Identifier: Apache-2.0

/// Where the bytes of a resource are, as far as can be told without opening a file.
public enum AssetResourceAvailability: String, Sendable {
    /// The library holds them.
    case stored
    /// They lie outside the library, where they were referenced, in the size that they had.
    case referenced
    /// They were referenced, and are not there.
    case away
    /// They were referenced, and what is there has another size.
    case changed
    /// They are nowhere: a version that has to be rendered, or a stored file that is lost.
    case absent

    /// Whether the bytes are here.
    public var isLocal: Bool { self == .stored || self == .referenced }
}
