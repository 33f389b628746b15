// SPDX-License-Identifier: Apache-2.0

/// What a host and the runner program agree on before the first message.
package struct RunnerArguments: Hashable, Sendable {
    /// The variable of the environment that names the runner's private folder.
    package static let folder = "EDITHOST_RUNNER_FOLDER"
    /// How the last line of a runner's log begins that ended because it can have no sandbox.
    package static let sandboxUnavailable = "sandbox unavailable: "

    /// The process that starts the runner.
    package var host: Int32
    /// Which sandbox it must have.
    package var sandbox: SandboxLevel
    /// Its limits.
    package var limits: RunnerLimits

    /// Makes arguments.
    package init(
        host: Int32, sandbox: SandboxLevel = .complete, limits: RunnerLimits = RunnerLimits()
    ) {
        self.host = host
        self.sandbox = sandbox
        self.limits = limits
    }

    private static let addressSpace = "address-space"
    private static let fileSize = "file-size"
    private static let threads = "threads"

    /// The words of the command line, without the program's name.
    package var words: [String] {
        ["\(host)", "--sandbox=\(sandbox.rawValue)"]
            + [
                (Self.addressSpace, limits.addressSpace), (Self.fileSize, limits.fileSize),
                (Self.threads, limits.threads),
            ].map { "--\($0.0)=\($0.1.now):\($0.1.most)" }
    }

    /// Reads the words; all but the first may be missing. Nil where one is not understood.
    package init?(words: some Collection<String>) {
        guard let first = words.first, let host = Int32(first), host > 0 else { return nil }
        self.init(host: host)
        for word in words.dropFirst() {
            guard read(word) else { return nil }
        }
    }

    private mutating func read(_ word: String) -> Bool {
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

/// How much a runner may have of something.
package struct RunnerLimits: Hashable, Sendable {
    /// A limit of the kernel.
    package struct Limit: Hashable, Sendable {
        /// What holds now.
        package var now: UInt64
        /// What the host may raise it to later.
        package var most: UInt64

        /// Makes one.
        package init(now: UInt64, most: UInt64) {
            self.now = now
            self.most = most
        }
    }

    /// Bytes of address space, code and mapped files included.
    package var addressSpace: Limit
    /// Bytes of one file that it writes.
    package var fileSize: Limit
    /// Threads, where they can be counted.
    package var threads: Limit

    /// Makes limits; those of a runner that was told none.
    package init(
        addressSpace: Limit = Limit(now: 9 << 30, most: 9 << 30),
        fileSize: Limit = Limit(now: 8 << 30, most: 8 << 30),
        threads: Limit = Limit(now: 256, most: 256)
    ) {
        self.addressSpace = addressSpace
        self.fileSize = fileSize
        self.threads = threads
    }
}

/// How a runner is started.
package enum SandboxLevel: String, Codable, Sendable {
    /// With every required layer of the sandbox, or not at all.
    case complete
    /// With the layers that can be had; its ``RunnerFacts`` tell which those are.
    case bestEffort = "best-effort"
    /// Without a sandbox and limits, because the user said so.
    case none
}
