// SPDX-License-Identifier: Apache-2.0

/// The defaults of the sizes of a library's caches, in bytes.
enum CacheLimits {
    /// The thumbnails: those of a grid of 100,000 photos take 1.2 GiB.
    static let thumbnails = 4 << 30
    /// The videos converted for browsers.
    static let webVideos = 4 << 30
}
