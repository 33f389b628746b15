// SPDX-License-Identifier: Apache-2.0

/// The EXIF maker note of Apple cameras.
package struct AppleNote {
    private let reader: TIFFReader
    private let directory: TIFFReader.Directory

    /// Parses a note. Returns `nil` if it is from another maker.
    init?(_ note: [UInt8]) {
        guard let reader = TIFFReader(appleNote: note), let directory = reader.first else {
            return nil
        }
        self.reader = reader
        self.directory = directory
    }

    /// The identifier shared by the pictures of a burst.
    var burstIdentifier: String? { reader.text(AppleNoteTag.burstIdentifier, in: directory) }

    /// The identifier shared by the picture and the video of a Live Photo.
    var contentIdentifier: String? { reader.text(AppleNoteTag.contentIdentifier, in: directory) }

    /// The position of the picture in the video of a Live Photo, which ExifTool calls `LivePhotoVideoIndex`. Its unit
    /// is unknown. Older cameras write it as a signed integer of four bytes, newer ones as an unsigned integer of eight
    /// bytes.
    package var videoIndex: Int? {
        reader.signedInteger(AppleNoteTag.livePhotoVideoIndex, in: directory)
            ?? reader.integers(AppleNoteTag.livePhotoVideoIndex, in: directory)?.first
    }

    /// Whether the picture was merged from several exposures. The original exposure that is stored with it has the type
    /// 4.
    var isHDR: Bool { reader.signedInteger(AppleNoteTag.hdrImageType, in: directory) == 3 }
}
