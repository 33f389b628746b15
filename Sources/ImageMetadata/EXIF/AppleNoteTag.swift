// SPDX-License-Identifier: Apache-2.0

/// The numbers of the tags in an Apple maker note, according to ExifTool's `Apple.pm`.
enum AppleNoteTag {
    static let hdrImageType = 0x000A
    static let burstIdentifier = 0x000B
    static let contentIdentifier = 0x0011
    static let livePhotoVideoIndex = 0x0017
}
