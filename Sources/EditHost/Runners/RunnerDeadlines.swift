// SPDX-License-Identifier: Apache-2.0

/// How long a runner may take for its answers. When the time is over it is killed.
package struct RunnerDeadlines: Sendable, Hashable {
    /// From the start of the process to its first message.
    package var start: Duration = .seconds(20)
    /// For loading an extension.
    package var load: Duration = .seconds(20)
    /// For `canHandle`, which gets no pixels, and for `cancel` and the question before it, for which
    /// somebody waits.
    package var canHandle: Duration = .seconds(5)
    /// For calls that make no full-size pixels: create, start, parameters, preview and reading its
    /// pixels, destroy.
    package var interactive: Duration = .seconds(30)
    /// For whatever touches full-size pixels: finish, reading its pixels, jobs.
    package var render: Duration = .seconds(300)

    /// The defaults.
    package init() {}
}
