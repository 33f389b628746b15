// SPDX-License-Identifier: Apache-2.0

/// Where the video of a Motion Photo lies in the file of its picture.
public struct EmbeddedVideo: Codable, Hashable, Sendable {
    /// Where its first box, `ftyp`, begins, in bytes from the beginning of the file.
    public var offset: Int
    /// How long it is, in bytes.
    public var length: Int
    /// Which moment of the video the picture shows, in microseconds from the video's beginning; nil where the
    /// file does not say it.
    public var presentationTime: Int?
    /// What it is; nil where nobody has opened it yet.
    public var content: Content?

    /// What the bytes are, as decoding them told.
    public struct Content: Codable, Hashable, Sendable {
        /// The SHA-256 of the bytes, in hexadecimal digits.
        public var hash: String
        /// The container.
        public var format: MediaFormat
        /// Width in pixels of a frame held upright.
        public var pixelWidth: Int
        /// Height in pixels of a frame held upright.
        public var pixelHeight: Int
        /// Length, rate and codecs.
        public var video: VideoFacts

        /// Makes one; every argument is the property of its name.
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

    /// Makes one; every argument is the property of its name.
    public init(offset: Int, length: Int, presentationTime: Int? = nil) {
        (self.offset, self.length) = (offset, length)
        self.presentationTime = presentationTime
    }

    /// The bytes that it takes up.
    ///
    /// - Parameter fileLength: How long the file is, in bytes.
    /// - Returns: nil where it does not lie in the file as a whole, or has no bytes.
    public func range(inFileOfLength fileLength: Int) -> Range<Int>? {
        guard offset >= 0, length > 0, offset <= fileLength, length <= fileLength - offset else {
            return nil
        }
        return offset..<offset + length
    }
}
