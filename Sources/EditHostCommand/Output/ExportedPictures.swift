// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput

/// Counts the exported pictures that are stale, or that cannot be rendered again.
struct ExportedPictures {
    private var staleCount = 0
    private var unrenderable: [any Error] = []

    mutating func add(_ picture: ExportResult.StoredPicture) {
        switch picture {
        case .upToDate: break
        case .stale: staleCount += 1
        case .unrenderable(let error): unrenderable.append(error)
        }
    }

    /// The message about videos to which the options for photos were not applied.
    static func message(leftVideos count: Int) -> String {
        "\(count.counted("video")) \(count == 1 ? "was" : "were") written without --format, --quality, "
            + "--size, --sharpen and --profile, which apply to photos only"
    }

    /// One message for each kind of picture.
    var messages: [String] {
        var messages: [String] = []
        if staleCount > 0 {
            messages.append(
                "\(staleCount.counted("stale picture")) \(staleCount == 1 ? "was" : "were") exported "
                    + "as stored; \"edithost rerender\" renders \(staleCount == 1 ? "it" : "them") again"
            )
        }
        if let first = unrenderable.first {
            let count = unrenderable.count
            messages.append(
                "\(count.counted("picture")) \(count == 1 ? "was" : "were") exported as stored, and may be "
                    + "stale: \(ExitStatus.words(for: first))"
                    + (count > 1 ? "; \"edithost rerender\" reports the others" : ""))
        }
        return messages
    }
}
