// SPDX-License-Identifier: Apache-2.0

/// What a file descriptor that travels with a request is.
public enum DescriptorRole: String, Codable, Hashable, Sendable {
    /// The base picture, read only.
    case base
    /// In place of `base`: raw pixels, read only, in memory of a fixed size that will come again.
    case reusedBase
    /// The original, read only, whose metadata and profile the encoder copies.
    case metadataSource
    /// The original's RGB profile. With raw pixels, read only, for a runner that does not get the
    /// original; with `takeOutput`, empty, where the runner writes it.
    case profile
    /// A picture of the current state, read only.
    case placeholder
    /// An extension's library, sealed memory.
    case library
    /// Where output goes, read and write, empty.
    case output
    /// In place of `output`: for raw pixels, memory of a fixed size that will come again.
    case reusedOutput
    /// Where a reply goes that is too large for a packet, read and write, empty.
    case outbox
    /// The request itself, where it is too large for a packet, read only. Always the first.
    case inbox
}
