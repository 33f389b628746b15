// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The timeouts of a runner's replies. A runner that exceeds one is killed.
///
/// docs/reference/extension-contract.md lists them for extensions, under "Deadlines".
package struct RunnerTimeouts: Sendable, Hashable {
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

    /// Creates timeouts with the defaults.
    package init() {}

    /// Timeouts that are not reached in practice: one year each.
    package static let none: RunnerTimeouts = {
        let year = Duration.seconds(365 * 24 * 60 * 60)
        var timeouts = RunnerTimeouts()
        (timeouts.start, timeouts.load, timeouts.shortCall) = (year, year, year)
        (timeouts.interactive, timeouts.render) = (year, year)
        return timeouts
    }()

    /// Returns the additional time to read a recipe: 2 s per MiB.
    package static func reading(_ recipe: AdjustmentData) -> Duration {
        .seconds(2 * (recipe.data.count >> 20))
    }
}
