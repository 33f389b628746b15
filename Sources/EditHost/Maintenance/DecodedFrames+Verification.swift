// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerProtocol

extension DecodedFrames {
    /// The tolerated difference between the end of the last frame and that in the index, in seconds. Players
    /// ignore it.
    private static let tolerance = 0.5

    /// The time missing at the end according to the index, for messages; nil if it is within the tolerance.
    private var shortage: String? {
        guard missing > Self.tolerance else { return nil }
        return "\((missing * 10).rounded() / 10) s"
    }

    /// Rejects a truncated video: one that ends before the time in its index.
    ///
    /// - Throws: `HostError` with `badInput`.
    func requireEnd() throws {
        guard let shortage else { return }
        throw HostError(
            .badInput,
            "the video is truncated: it ends \(shortage) earlier than its index says; cut it "
                + "with the extension Trim before other edits")
    }

    /// Warnings for the user about the decoded frames.
    var warnings: [String] {
        guard damagedCount > 0 || lossCount > 0 else { return notes }
        return notes + [
            "the video is damaged: some of its frames are wrong or missing"
        ]
    }

    /// Describes the damage of a video with a number of frames; nil if there is none.
    func fault(of total: Int) -> String? {
        if let shortage {
            return
                "the video ends \(shortage) early: only \(total) \(total == 1 ? "frame" : "frames") can be decoded"
        }
        guard damagedCount > 0 || lossCount > 0 else { return nil }
        let lost = lossCount > 0 ? ", and parts between them cannot be decoded" : ""
        let verb = damagedCount == 1 ? "is" : "are"
        return "\(damagedCount) of the video's \(total) frames \(verb) damaged\(lost)"
    }
}
