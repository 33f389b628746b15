// SPDX-License-Identifier: Apache-2.0

extension Edit {
    /// The edit with only the renditions of a Live Photo's video.
    package var ofMotion: Edit {
        Edit(
            identifier: identifier, parentIdentifier: parentIdentifier,
            editingExtension: editingExtension, adjustmentData: adjustmentData, files: files,
            isReproducible: true, coversMotion: coversMotion, isEnabled: isEnabled,
            createdDate: createdDate,
            renditions: renditions.filter { $0.part == .video })
    }
}
