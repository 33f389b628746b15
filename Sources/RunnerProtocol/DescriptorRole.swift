// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The role of a file descriptor that is sent with a request.
package enum DescriptorRole: String, Codable, Hashable, Sendable {
    /// The base picture, read-only.
    case base
    /// Replaces `base`: raw pixels, read-only, in recycled memory of a fixed size.
    case reusedBase
    /// Replaces `reusedBase` for pixels that an extension wrote and may still change. Each pixel is read only once, as
    /// a copy.
    case changingBase
    /// A socket that reports the number of available rows, with raw pixels as a base that is still being written.
    case rowProgress
    /// The original, read-only, whose metadata and profile the encoder copies.
    case metadataSource
    /// The original, read-only, for extensions with access to it.
    case original
    /// An XMP sidecar, read-only.
    case sidecar
    /// The original's RGB profile. With raw pixels, read-only, for a runner without access to the original. With
    /// `takeOutput`, an empty file to which the runner writes it.
    case profile
    /// With `run`, for raw pixels: an empty file to which the runner writes the original's RGB profile before it
    /// answers.
    case writtenProfile
    /// A picture of the current version, read-only.
    case placeholder
    /// A socket that reports the number of available rows, with raw pixels as the placeholder in recycled memory of
    /// a fixed size. They are written on demand.
    case placeholderRows
    /// An extension's library, in sealed memory.
    case library
    /// The bytes of an extension's files, in sealed memory.
    case files
    /// The bytes of files named by parameters, in sealed memory.
    case parameterFiles
    /// The file for the output, writable and empty.
    case output
    /// The file for the uncompressed pixels of a rendered picture, writable and empty.
    case pixels
    /// Replaces `output` for raw pixels: recycled memory of a fixed size.
    case reusedOutput
    /// With `reusedOutput`: a socket by which the runner reports the number of rows written. In the meantime, a runner
    /// without extensions accepts other requests.
    case writtenRows
    /// The file to which a video is written, writable and empty.
    case videoOutput
    /// The file for a reply that is too large for a packet, writable and empty.
    case outbox
    /// The request itself if it is too large for a packet, read-only. Always the first descriptor.
    case inbox
}
