// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension ImportGroup {
    /// The videos beside the picture, each as a file of its own with its sidecars.
    var motions: [ImportGroup] {
        companions.filter(ImportFilenameExtension.isMotion).map(part)
    }

    /// The groups of the companions if the picture is not imported: each video with its sidecars, and each other file
    /// alone.
    var parts: [ImportGroup] {
        let videos = Set(companions.filter(ImportFilenameExtension.isMotion).map(FileName.init))
        return companions.filter { !Self.isSidecar($0, of: videos) }.map(part)
    }

    /// Returns the group of a companion that does not belong to the picture.
    func part(_ path: String) -> ImportGroup {
        guard ImportFilenameExtension.isMotion(path) else { return ImportGroup(primary: path) }
        // Google Takeout writes one JSON file for a picture and the video of its name.
        return ImportGroup(
            primary: path,
            companions: companions.filter { Self.isSidecar($0, of: [FileName(path)]) },
            borrowed: companions.filter(ImportFilenameExtension.isJSON))
    }

    /// The group without some of its videos and their sidecars.
    func without(_ videos: Set<FileName>) -> ImportGroup {
        var group = self
        group.companions.removeAll {
            videos.contains(FileName($0)) || Self.isSidecar($0, of: videos)
        }
        return group
    }

    /// Whether a file is a sidecar with the whole name of a video, such as `IMG_1.MOV.xmp`.
    static func isSidecar(_ path: String, of videos: Set<FileName>) -> Bool {
        ImportFilenameExtension.isSidecar(path) && videos.contains(FileName(path).parts.stem)
    }
}
