// SPDX-License-Identifier: Apache-2.0

/// The command line and environment with which a host starts the runner program.
package struct RunnerArguments: Hashable, Sendable {
    /// The environment variable with the path of the runner's private folder.
    package static let folder = "EDITHOST_RUNNER_FOLDER"
    /// The prefix of the last log line of a runner that exits because its sandbox is unavailable.
    package static let sandboxUnavailable = "sandbox unavailable: "

    /// The process ID of the host.
    package var host: Int32
    /// The required sandbox.
    package var sandbox: SandboxLevel
    /// The resource limits.
    package var limits: RunnerLimits
    /// Whether a debugger may attach. Ignored with a sandbox.
    package var isDebuggable = false
    /// Whether the host is a child of this process, which the user has started.
    package var isParent = false

    /// Creates arguments from their properties.
    package init(
        host: Int32, sandbox: SandboxLevel = .complete, limits: RunnerLimits = RunnerLimits()
    ) {
        self.host = host
        self.sandbox = sandbox
        self.limits = limits
    }

    private static let debugger = "--debugger"
    private static let parent = "--parent"
    private static let addressSpace = "address-space"
    private static let fileSize = "file-size"
    private static let threads = "threads"

    /// The command line, without the program's name.
    package var words: [String] {
        ["\(host)", "--sandbox=\(sandbox.rawValue)"]
            + [
                (Self.addressSpace, limits.addressSpace), (Self.fileSize, limits.fileSize),
                (Self.threads, limits.threads),
            ].map { "--\($0.0)=\($0.1.now):\($0.1.most)" }
            + (isDebuggable ? [Self.debugger] : []) + (isParent ? [Self.parent] : [])
    }

    /// Parses a command line; all arguments except the first are optional. Nil if one is not recognised.
    package init?(words: some Collection<String>) {
        guard let first = words.first, let host = Int32(first), host > 0 else { return nil }
        self.init(host: host)
        for word in words.dropFirst() {
            guard read(word) else { return nil }
        }
    }

    private mutating func read(_ word: String) -> Bool {
        if word == Self.debugger {
            isDebuggable = true
            return true
        }
        if word == Self.parent {
            isParent = true
            return true
        }
        let parts = word.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].hasPrefix("--") else { return false }
        let name = parts[0].dropFirst(2)
        if name == "sandbox" {
            guard let level = SandboxLevel(rawValue: String(parts[1])) else { return false }
            sandbox = level
            return true
        }
        let numbers = parts[1].split(separator: ":").map { UInt64($0) }
        guard numbers.count == 2, let now = numbers[0], let most = numbers[1], now <= most else {
            return false
        }
        let limit = RunnerLimits.Limit(now: now, most: most)
        switch String(name) {
        case Self.addressSpace: limits.addressSpace = limit
        case Self.fileSize: limits.fileSize = limit
        case Self.threads: limits.threads = limit
        default: return false
        }
        return true
    }
}
