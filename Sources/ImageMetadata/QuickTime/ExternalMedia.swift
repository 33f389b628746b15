// SPDX-License-Identifier: Apache-2.0

/// An external file that contains the samples of a track.
package struct ExternalMedia: Hashable, Sendable {
    /// The media handler, such as `vide` or `soun`.
    package let handler: BoxType
    /// The file's name or URL, as recorded in the movie.
    package let name: String
    /// The index of the track in the movie, starting at 0.
    package let track: Int
}
