// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension MetadataChanges {
    /// Checks that the changes for a Live Photo can be written into a file.
    ///
    /// - Parameters:
    ///   - format: The format of the file.
    ///   - exif: The current EXIF of the file.
    /// - Throws: `RunnerFailure`: `badRequest`, or `otherMakerNote`.
    package func requireWritableLivePhotoChanges(
        for format: MediaFormat, _ exif: TIFFReader?
    ) throws(RunnerFailure) {
        if case .set(let video) = motionVideo {
            guard format == .jpeg else { throw Self.refusal("a Motion Photo must be a JPEG") }
            guard video.length > 0, video.presentationTime ?? 0 >= 0 else {
                throw Self.refusal(
                    "the video must not be empty, and its time must not be negative")
            }
        }
        guard case .set(let identifier) = contentIdentifier else { return }
        guard PhotoMetadata.text(identifier) == identifier,
            identifier.utf8.allSatisfy({ $0 < 0x80 })
        else {
            throw Self.refusal(
                "the identifier of a Live Photo must have 1 to 256 ASCII "
                    + "characters")
        }
        guard replacesMakerNote != true, let note = exif?.makerNote,
            AppleNoteEditor.note(note, contentIdentifier: identifier) == nil
        else { return }
        throw RunnerFailure(
            code: .otherMakerNote,
            message:
                "it has another maker note, which the identifier of a Live Photo would replace")
    }

    private static func refusal(_ message: String) -> RunnerFailure {
        RunnerFailure(code: .badRequest, message: message)
    }

    /// The changes for a Live Photo only.
    var livePhotoChanges: MetadataChanges {
        var marks = MetadataChanges()
        marks.contentIdentifier = contentIdentifier
        marks.replacesMakerNote = replacesMakerNote
        marks.motionVideo = motionVideo
        return marks
    }
}
