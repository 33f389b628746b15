// SPDX-License-Identifier: Apache-2.0

/// A mode of the plug-in `adder.c` that ends or blocks its process.
struct FaultMode: Sendable, CustomStringConvertible {
    /// The plug-in's mode.
    let name: String
    /// The host's description of the runner's end.
    let named: String
    /// Another description, if it depends on timing.
    var orNamed: String?
    /// The seed of the picture, so that pictures of several modes differ.
    let seed: Int

    var description: String { name }

    /// Whether a text describes this end of the runner.
    func isNamed(in text: String) -> Bool {
        text.contains(named) || orNamed.map(text.contains) ?? false
    }

    /// Modes that end the process.
    static let ends = [
        FaultMode(name: "segv", named: "SIGSEGV", seed: 1),
        FaultMode(name: "overflow", named: "SIGSEGV", seed: 2),
        FaultMode(name: "abort", named: "SIGABRT", seed: 3),
        FaultMode(name: "exit", named: "exit status 0", seed: 4),
        FaultMode(name: "exit-at-once", named: "exit status 0", seed: 5),
    ]

    /// Modes that never end. A closed socket is one of them: it stays open while the runner's own
    /// thread waits in it; otherwise the runner ends.
    static let hangs = [
        FaultMode(name: "loop", named: "did not answer within 2 s", seed: 6),
        FaultMode(name: "sleep", named: "did not answer within 2 s", seed: 7),
        FaultMode(name: "ignore-signals", named: "did not answer within 2 s", seed: 8),
        FaultMode(
            name: "close-socket", named: "did not answer within 2 s",
            orNamed: "exit status 0", seed: 9),
    ]

    /// Modes that violate the protocol.
    static let protocolBreaches = [
        FaultMode(name: "write-everywhere", named: "broke the protocol", seed: 10),
        FaultMode(name: "large-packet", named: "broke the protocol", seed: 11),
        FaultMode(name: "forge-reply", named: "broke the protocol", seed: 12),
    ]

    static let all = ends + hangs + protocolBreaches
}
