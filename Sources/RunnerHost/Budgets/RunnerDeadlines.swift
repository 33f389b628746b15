// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The deadlines of a runner's replies. A runner that misses one is killed.
package struct RunnerDeadlines: Sendable, Hashable {
    /// The time from the start of the process to its first message.
    package var start: Duration = .seconds(20)
    /// The time to load an extension.
    package var load: Duration = .seconds(20)
    /// The time for `canHandle`, which gets no pixels. Also the time for `cancel` and for asking whether to confirm it,
    /// because the user waits for both.
    package var shortCall: Duration = .seconds(5)
    /// The time for calls that do not render full-size pixels: create, start, parameters, preview and reading its
    /// pixels, destroy.
    package var interactive: Duration = .seconds(30)
    /// The time for calls that process full-size pixels: finish, reading its pixels, jobs.
    package var render: Duration = .seconds(300)

    /// Creates deadlines with the defaults.
    package init() {}

    /// Deadlines that are not reached in practice: one year each.
    package static let none: RunnerDeadlines = {
        let year = Duration.seconds(365 * 24 * 60 * 60)
        var deadlines = RunnerDeadlines()
        (deadlines.start, deadlines.load, deadlines.shortCall) = (year, year, year)
        (deadlines.interactive, deadlines.render) = (year, year)
        return deadlines
    }()

    /// Returns the additional time to read a recipe: 2 s per MiB.
    package static func reading(_ recipe: AdjustmentData) -> Duration {
        .seconds(2 * (recipe.data.count >> 20))
    }
}
