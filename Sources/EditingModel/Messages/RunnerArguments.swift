// SPDX-License-Identifier: Apache-2.0

/// What a host and the runner program agree on before the first message.
public enum RunnerArguments {
    /// The argument after the host's process identifier that makes a runner do without a sandbox.
    public static let noSandbox = "--no-sandbox"
    /// The variable of the environment that names the runner's private folder.
    public static let folder = "EDITHOST_RUNNER_FOLDER"
    /// How the last line of a runner's log begins that ended because it can have no sandbox.
    public static let sandboxUnavailable = "sandbox unavailable: "
}
