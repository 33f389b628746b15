// SPDX-License-Identifier: Apache-2.0

/// The location of the embedded video in the file of a Motion Photo.
public struct EmbeddedVideo: Codable, Hashable, Sendable {
    /// The offset of the video's first box, `ftyp`, in bytes from the start of the file.
    public var offset: Int
    /// The length of the video in bytes.
    public var length: Int
    /// The time of the still image in the video, in microseconds from its start; `nil` if the file does not
    /// record it.
    public var presentationTime: Int?
    /// The decoded properties of the video; `nil` until the video has been decoded.
    public var content: Content?

    /// The properties of the video, determined by decoding it.
    public struct Content: Codable, Hashable, Sendable {
        /// The SHA-256 of the video's bytes, in hexadecimal digits.
        public var hash: String
        /// The container format.
        public var format: MediaFormat
        /// The width of an upright frame in pixels.
        public var pixelWidth: Int
        /// The height of an upright frame in pixels.
        public var pixelHeight: Int
        /// The duration, frame rate and codecs.
        public var video: VideoFacts

        /// Creates the properties of an embedded video.
        public init(
            hash: String, format: MediaFormat, pixelWidth: Int, pixelHeight: Int,
            video: VideoFacts
        ) {
            self.hash = hash
            self.format = format
            self.pixelWidth = pixelWidth
            self.pixelHeight = pixelHeight
            self.video = video
        }
    }

    /// Creates a location without decoded properties.
    public init(offset: Int, length: Int, presentationTime: Int? = nil) {
        (self.offset, self.length) = (offset, length)
        self.presentationTime = presentationTime
    }

    /// Returns the byte range of the video in its file.
    ///
    /// - Parameter fileLength: The length of the file in bytes.
    /// - Returns: The range; `nil` if it is empty or out of bounds.
    public func range(inFileOfLength fileLength: Int) -> Range<Int>? {
        guard offset >= 0, length > 0, offset <= fileLength, length <= fileLength - offset else {
            return nil
        }
        return offset..<offset + length
    }
}
