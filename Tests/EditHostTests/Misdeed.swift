// SPDX-License-Identifier: Apache-2.0

/// What the plug-in `adder.c` can do, as one of its modes, to end or stop the process it is in.
struct Misdeed: Sendable, CustomStringConvertible {
    /// The plug-in's mode.
    let name: String
    /// What the host says of its runner.
    let named: String
    /// Makes the pictures of several differ.
    let seed: Int

    var description: String { name }

    /// Those that end the process.
    static let ends = [
        Misdeed(name: "segv", named: "SIGSEGV", seed: 1),
        Misdeed(name: "overflow", named: "SIGSEGV", seed: 2),
        Misdeed(name: "abort", named: "SIGABRT", seed: 3),
        Misdeed(name: "exit", named: "exit status 0", seed: 4),
        Misdeed(name: "exit-at-once", named: "exit status 0", seed: 5),
    ]

    /// Those that never end. Closing the socket to the host is one of them: the
    /// runner's own thread is waiting in it, so it stays open.
    static let hangs = [
        Misdeed(name: "loop", named: "no answer within 2 s", seed: 6),
        Misdeed(name: "sleep", named: "no answer within 2 s", seed: 7),
        Misdeed(name: "ignore-signals", named: "no answer within 2 s", seed: 8),
        Misdeed(name: "close-socket", named: "no answer within 2 s", seed: 9),
    ]

    /// Those against the protocol.
    static let protocolBreaches = [
        Misdeed(name: "write-everywhere", named: "broke the protocol", seed: 10),
        Misdeed(name: "large-packet", named: "broke the protocol", seed: 11),
        Misdeed(name: "forge-reply", named: "broke the protocol", seed: 12),
    ]

    static let all = ends + hangs + protocolBreaches
}
