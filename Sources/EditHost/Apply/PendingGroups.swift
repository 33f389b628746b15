// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// The groups of files that are still to be rendered. Pictures come before videos, because each video may belong to any
/// of the pictures. The time of an operation does not depend on the number of groups.
struct PendingGroups {
    private var groups: [ImportGroup]
    private let pictureCount: Int
    /// The position of the next group.
    private var next = 0
    /// Groups to read again before the others.
    private var again: [ImportGroup] = []
    /// The paths of videos that were rendered with pictures of other groups.
    private var taken: Set<FileName> = []

    init(_ groups: [ImportGroup]) {
        let pictures = groups.filter { !ImportFilenameExtension.isVideo($0.primary) }
        self.groups =
            pictures + groups.filter { ImportFilenameExtension.isVideo($0.primary) }
        pictureCount = pictures.count
    }

    /// Whether a picture is left.
    var hasPictures: Bool {
        next < pictureCount
            || again.contains { !ImportFilenameExtension.isVideo($0.primary) }
    }

    /// Removes and returns the next groups, without the videos that were taken; none at the end.
    mutating func removeFirst(_ count: Int) -> [ImportGroup] {
        var batch = again.prefix(count).map { $0.without(taken) }
        again.removeFirst(batch.count)
        while batch.count < count, next < groups.count {
            let group = groups[next]
            next += 1
            if !taken.contains(FileName(group.primary)) { batch.append(group.without(taken)) }
        }
        return batch
    }

    /// Removes videos that are rendered with pictures of other groups.
    mutating func take(_ videos: [ImportGroup]) {
        taken.formUnion(videos.map { FileName($0.primary) })
    }

    /// Adds groups before the others, although their videos may have been taken.
    mutating func prepend(_ groups: [ImportGroup]) { again = groups + again }

    /// Adds a video after the others.
    mutating func append(_ video: ImportGroup) { groups.append(video) }
}
