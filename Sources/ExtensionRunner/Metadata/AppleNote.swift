// SPDX-License-Identifier: Apache-2.0

/// What Apple's cameras write into EXIF's maker note.
struct AppleNote {
    private let reader: TIFFReader
    private let directory: TIFFReader.Directory

    /// Nil where the note is another maker's.
    init?(_ note: [UInt8]) {
        guard let reader = TIFFReader(appleNote: note), let directory = reader.first else {
            return nil
        }
        self.reader = reader
        self.directory = directory
    }

    /// What the pictures of a burst have in common.
    var burstIdentifier: String? { reader.text(0x000B, in: directory) }

    /// What a Live Photo's picture and video have in common.
    var contentIdentifier: String? { reader.text(0x0011, in: directory) }

    /// Where in a Live Photo's video the picture is, as ExifTool's `LivePhotoVideoIndex`: what it counts is
    /// not known. Older cameras write it with sign, in four bytes; newer ones without, in eight.
    var videoIndex: Int? {
        reader.signedInteger(0x0017, in: directory) ?? reader.integers(0x0017, in: directory)?.first
    }

    /// Whether the picture was made of several exposures. The one that it was made of, which is
    /// kept beside it, is of type 4.
    var isHDR: Bool { reader.signedInteger(0x000A, in: directory) == 3 }
}
