// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// The groups of files that are still to be rendered. Pictures come before videos, because each video may belong to any
/// of the pictures. The time of an operation does not depend on the number of groups.
///
/// Copies of a file are never removed together, because a library stores equal files once.
struct PendingGroups {
    private var groups: [ImportGroup]
    /// The ranks of the groups' files among their copies, in the same order.
    private var ranks: [Int]
    private let pictureCount: Int
    /// The position of the next group.
    private var next = 0
    /// Groups to read again before the others.
    private var again: [ImportGroup] = []
    /// The paths of videos that were rendered with pictures of other groups.
    private var taken: Set<FileName> = []

    init(_ groups: [ImportGroup], copies: PossibleCopies = PossibleCopies()) {
        let isVideo = groups.map { ImportFilenameExtension.isVideo($0.primary) }
        let ranks = copies.ranks(of: groups.map(\.primary))
        // Stable within each rank.
        let order = groups.indices.sorted { one, other in
            if isVideo[one] != isVideo[other] { return isVideo[other] }
            return ranks[one] == ranks[other] ? one < other : ranks[one] < ranks[other]
        }
        self.groups = order.map { groups[$0] }
        self.ranks = order.map { ranks[$0] }
        pictureCount = isVideo.count { !$0 }
    }

    /// Whether some files may be copies of others.
    var hasCopies: Bool { ranks.contains { $0 > 0 } }

    /// Whether a picture is left.
    var hasPictures: Bool {
        next < pictureCount
            || again.contains { !ImportFilenameExtension.isVideo($0.primary) }
    }

    /// Removes and returns the next groups, without the videos that were taken; none at the end.
    mutating func removeFirst(_ count: Int) -> [ImportGroup] {
        var batch = again.prefix(count).map { $0.without(taken) }
        again.removeFirst(batch.count)
        var rank: Int?
        while batch.count < count, next < groups.count {
            let group = groups[next]
            // A batch with groups of one rank has no copies.
            if !taken.contains(FileName(group.primary)) {
                if let rank, rank != ranks[next] { break }
                rank = ranks[next]
                batch.append(group.without(taken))
            }
            next += 1
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
    mutating func append(_ video: ImportGroup) {
        groups.append(video)
        ranks.append(0)
    }
}
