// SPDX-License-Identifier: Apache-2.0

/// What the plug-in `adder.c` can do, as one of its modes, to end or stop the process it is in.
struct FaultMode: Sendable, CustomStringConvertible {
    /// The plug-in's mode.
    let name: String
    /// What the host says of its runner.
    let named: String
    /// What it may say instead, where that depends on the moment.
    var orNamed: String?
    /// Makes the pictures of several differ.
    let seed: Int

    var description: String { name }

    /// Whether a text says what became of the runner.
    func isNamed(in text: String) -> Bool {
        text.contains(named) || orNamed.map(text.contains) ?? false
    }

    /// Those that end the process.
    static let ends = [
        FaultMode(name: "segv", named: "SIGSEGV", seed: 1),
        FaultMode(name: "overflow", named: "SIGSEGV", seed: 2),
        FaultMode(name: "abort", named: "SIGABRT", seed: 3),
        FaultMode(name: "exit", named: "exit status 0", seed: 4),
        FaultMode(name: "exit-at-once", named: "exit status 0", seed: 5),
    ]

    /// Those that never end. Closing the socket to the host is one of them: while the
    /// runner's own thread is waiting in it, it stays open; else the runner ends.
    static let hangs = [
        FaultMode(name: "loop", named: "did not answer within 2 s", seed: 6),
        FaultMode(name: "sleep", named: "did not answer within 2 s", seed: 7),
        FaultMode(name: "ignore-signals", named: "did not answer within 2 s", seed: 8),
        FaultMode(
            name: "close-socket", named: "did not answer within 2 s",
            orNamed: "exit status 0", seed: 9),
    ]

    /// Those against the protocol.
    static let protocolBreaches = [
        FaultMode(name: "write-everywhere", named: "broke the protocol", seed: 10),
        FaultMode(name: "large-packet", named: "broke the protocol", seed: 11),
        FaultMode(name: "forge-reply", named: "broke the protocol", seed: 12),
    ]

    static let all = ends + hangs + protocolBreaches
}
