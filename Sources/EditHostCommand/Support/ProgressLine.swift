// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A line at the bottom of the terminal that tells how far the work is. Elsewhere than at a
/// terminal it is never drawn.
final class ProgressLine: Sendable {
    private struct State {
        var done = 0
        var total: Int?
        var verb = ""
        var isShown = false
    }

    private static let barWidth = 30

    private let state = Mutex(State())
    private let isTerminal = StandardStream.error.isTerminal

    /// Begins to tell.
    ///
    /// - Parameters:
    ///   - verb: what is being done, for example `rendering`.
    ///   - total: how many items there are; nil: it is not known.
    func begin(_ verb: String, of total: Int? = nil) {
        state.withLock { $0 = State(total: total, verb: verb, isShown: true) }
        draw()
    }

    /// One more item is done.
    func advance() {
        state.withLock { $0.done += 1 }
        draw()
    }

    /// Takes the line away for good.
    func end() {
        clear()
        state.withLock { $0.isShown = false }
    }

    /// Takes the line away, to write something else.
    func clear() {
        guard isTerminal, state.withLock({ $0.isShown }) else { return }
        StandardStream.error.write("\r\u{1B}[K")
    }

    /// Draws the line as it is now.
    func draw() {
        guard isTerminal else { return }
        let text = state.withLock { $0.isShown ? Self.text($0) : nil }
        if let text { StandardStream.error.write("\r\u{1B}[K" + text) }
    }

    private static func text(_ state: State) -> String {
        guard let total = state.total, total > 0 else { return "\(state.verb) \(state.done)" }
        let filled = barWidth * min(state.done, total) / total
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: ".", count: barWidth - filled)
        return "\(state.verb) [\(bar)] \(state.done) of \(total)"
    }
}
