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
        /// How much is done of items that are not, by their names, 0...1.
        var fractions: [String: Double] = [:]
        var start = ContinuousClock.now
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

    /// It is known now how many items there are.
    func setTotal(_ total: Int) {
        state.withLock { $0.total = total }
        draw()
    }

    /// One more item is done.
    ///
    /// - Parameter item: its name, where parts of it were reported.
    func advance(past item: String? = nil) {
        state.withLock { state in
            state.done += 1
            if let item { state.fractions[item] = nil }
        }
        draw()
    }

    /// A part of an item is done, of which somebody may be waiting for long.
    func report(_ fraction: Double, of item: String) {
        state.withLock { $0.fractions[item] = fraction }
        draw()
    }

    /// How many items are still to be done; nil: it is not known.
    var left: Int? { state.withLock { state in state.total.map { max(0, $0 - state.done) } } }

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
        let text = state.withLock { state in
            state.isShown ? Self.text(state, after: .now - state.start) : nil
        }
        if let text { StandardStream.error.write("\r\u{1B}[K" + text) }
    }

    private static func text(_ state: State, after elapsed: Duration) -> String {
        bar(state) + speed(state, elapsed)
    }

    /// How many items are done in a second, and how long the rest will take; nothing in the first
    /// second.
    private static func speed(_ state: State, _ elapsed: Duration) -> String {
        let seconds = Double(elapsed.components.seconds)
        let done = Double(state.done) + state.fractions.values.reduce(0, +)
        guard seconds >= 1, done > 0 else { return "" }
        let rate = done / seconds
        let tenths = (rate * 10).rounded() / 10
        // Of items that take long, nobody counts how many are done in a second.
        let speed =
            state.fractions.isEmpty
            ? ", " + (rate < 10 ? "\(tenths)" : "\(Int(rate.rounded()))") + "/s" : ""
        guard let total = state.total, Double(total) > done else { return speed }
        let left = Int(exactly: ((Double(total) - done) / rate).rounded(.up)) ?? 0
        let time = left < 120 ? "\(left) s" : left < 7200 ? "\(left / 60) min" : "\(left / 3600) h"
        return "\(speed), \(time) left"
    }

    private static func bar(_ state: State) -> String {
        guard let total = state.total, total > 0 else { return "\(state.verb) \(state.done)" }
        let done = min(Double(state.done) + state.fractions.values.reduce(0, +), Double(total))
        let filled = Int(Double(barWidth) * done / Double(total))
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: ".", count: barWidth - filled)
        let percent =
            state.fractions.isEmpty ? "" : ", \(Int(100 * done / Double(total))) percent"
        return "\(state.verb) [\(bar)] \(state.done) of \(total)\(percent)"
    }
}
