// SPDX-License-Identifier: Apache-2.0

/// The content of `results/NNNNN/ATTEMPT/end.json`, written unless the attempt is killed.
package struct WorkAttemptEnd: Codable, Equatable, Sendable {
    /// The name of the file.
    static let filename = "end.json"

    /// The exit status: 0 if every job has an outcome, 69 if the node cannot run the plan.
    package let status: Int
    /// The reason why the attempt ended early; `nil` if every job has an outcome.
    package var reason: String?
    /// The time at which it ended, in seconds since 1970 by the node's clock.
    package let ended: Double

    package init(status: Int, reason: String?, ended: Double) {
        self.status = status
        self.reason = reason?.prefix(bytes: WorkOutcome.maximumTextLength)
        self.ended = ended
    }

    var isSound: Bool {
        (0...255).contains(status) && ended.isFinite
            && (reason ?? "").utf8.count <= WorkOutcome.maximumTextLength
    }
}
