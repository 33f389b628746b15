// SPDX-License-Identifier: Apache-2.0

/// The video of a Motion Photo that is to be written: what the picture's file says of it.
///
/// A runner writes that file up to where the video begins. Whoever puts the bytes into their place appends the
/// video to them, ``length`` bytes and nothing behind: the head is known whole before, so the video can be
/// streamed.
package struct AppendedVideo: Codable, Hashable, Sendable {
    /// What kinds of file it may be, by their MIME types (Motion Photo format 1.0, "Container Element").
    package enum ContentType: String, Codable, Hashable, Sendable {
        case mp4 = "video/mp4"
        case quickTime = "video/quicktime"
    }

    /// What it is.
    package var contentType: ContentType
    /// How long it is, in bytes; more than 0.
    package var length: Int
    /// Which moment of it the picture shows, in microseconds from its beginning; nil where nobody knows it.
    package var presentationTime: Int?

    /// Makes one; every argument is the property of its name.
    package init(contentType: ContentType, length: Int, presentationTime: Int? = nil) {
        (self.contentType, self.length) = (contentType, length)
        self.presentationTime = presentationTime
    }
}
