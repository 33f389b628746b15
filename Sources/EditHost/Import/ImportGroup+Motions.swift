// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension ImportGroup {
    /// The videos beside the picture, each as a file of its own.
    var motions: [ImportGroup] {
        // Google Takeout writes one JSON file for a picture and the video of its name.
        let files = companions.filter(ImportFilenameExtension.isJSON)
        return companions.filter(ImportFilenameExtension.isMotion).map {
            ImportGroup(primary: $0, borrowed: files)
        }
    }

    /// The group without some of its companions.
    func without(_ paths: Set<FileName>) -> ImportGroup {
        var group = self
        group.companions.removeAll { paths.contains(FileName($0)) }
        return group
    }
}
