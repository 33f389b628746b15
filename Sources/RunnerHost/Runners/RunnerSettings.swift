// SPDX-License-Identifier: Apache-2.0

/// The program, limits and threads of the runners in a ``RunnerPool``.
package struct RunnerSettings: Sendable {
    /// The path of the program.
    package var executable: String
    /// The maximum number of runners that work concurrently.
    package var limit: Int
    /// The number of threads of libvips in each runner.
    package var threads: Int
    /// True if runners must be sandboxed.
    package var isSandboxed: Bool
    /// The timeouts of requests.
    package var timeouts: RunnerTimeouts
    /// The resource limits of extensions.
    package var budgets: ExtensionBudgets
    /// The threads of tasks that a blocked thread may depend on.
    package var executor: any TaskExecutor
    /// Receives the output of the runners.
    package var outputHandler: OutputHandler?
    /// Called with the PID of a runner that was stopped with SIGSTOP before it loads an extension, so that a debugger
    /// can attach to it. If nil, runners are not stopped.
    package var debuggerHandler: (@Sendable (Int32) -> Void)?
    /// The parent of this process, which becomes the only runner that loads extensions; if nil, runners are started.
    package var parent: RunnerParent?

    /// Called with each line that extensions log, and each line that runners write to stdout and stderr. Called on
    /// the thread that listens to the runner. The text is untrusted.
    package typealias OutputHandler = @Sendable (String) -> Void

    package init(
        executable: String, limit: Int, threads: Int, isSandboxed: Bool,
        timeouts: RunnerTimeouts, budgets: ExtensionBudgets, executor: any TaskExecutor
    ) {
        self.executable = executable
        self.limit = limit
        self.threads = threads
        self.isSandboxed = isSandboxed
        self.timeouts = timeouts
        self.budgets = budgets
        self.executor = executor
    }
}
