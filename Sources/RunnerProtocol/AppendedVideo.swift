// SPDX-License-Identifier: Apache-2.0

/// The video of a Motion Photo to be written, as described in the picture's file.
///
/// A runner writes that file up to the start of the video. The host appends exactly ``length`` bytes of video.
/// Because the head does not depend on the video's bytes, the video can be streamed.
package struct AppendedVideo: Codable, Hashable, Sendable {
    /// The allowed MIME types of the video (Motion Photo format 1.0, "Container Element").
    package enum ContentType: String, Codable, Hashable, Sendable {
        case mp4 = "video/mp4"
        case quickTime = "video/quicktime"
    }

    /// The MIME type of the video.
    package var contentType: ContentType
    /// The length of the video in bytes, greater than 0.
    package var length: Int
    /// The presentation time of the still in microseconds from the start of the video, or nil if unknown.
    package var presentationTime: Int?

    /// Creates a description from its properties.
    package init(contentType: ContentType, length: Int, presentationTime: Int? = nil) {
        (self.contentType, self.length) = (contentType, length)
        self.presentationTime = presentationTime
    }
}
