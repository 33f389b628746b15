// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput
import Synchronization

/// A progress line at the bottom of the terminal, or JSON lines with the progress on standard output.
///
/// The line is only shown if standard error is a terminal.
final class ProgressLine: Sendable {
    private struct State {
        var done = 0
        var failed = 0
        /// The time of the last JSON line.
        var lastPrinted: ContinuousClock.Instant?
        /// `true` if the state has changed since the last JSON line.
        var hasNews = true
        var total: Int?
        var verb = ""
        var isShown = false
        /// The progress of unfinished items, keyed by name.
        var parts: [String: EditProgress] = [:]
        /// The number of encoded frames of finished videos.
        var frames = 0
        var start = ContinuousClock.now
        var drawn: ContinuousClock.Instant?

        /// The number of finished items plus the fractions of unfinished ones.
        var doneWithParts: Double { Double(done) + parts.values.reduce(0) { $0 + $1.fraction } }
    }

    private static let barWidth = 30
    private static let redraw = Duration.milliseconds(50)

    private let state = Mutex(State())
    /// The minimum interval between JSON lines.
    private static let interval = Duration.milliseconds(200)

    private let isTerminal = StandardStream.error.isTerminal
    private let isJSON: Bool

    /// - Parameter isJSON: `true` prints the progress as JSON lines on standard output.
    init(isJSON: Bool = false) { self.isJSON = isJSON }

    /// Starts showing progress.
    ///
    /// - Parameters:
    ///   - verb: The verb as a participle, for example `rendering`.
    ///   - total: The number of items; `nil` if unknown.
    func begin(_ verb: String, of total: Int? = nil) {
        state.withLock { $0 = State(total: total, verb: verb, isShown: true) }
        draw()
    }

    /// Sets the number of finished items and the total.
    func set(_ done: Int, of total: Int) {
        change { state in
            state.done = done
            state.total = total
        }
        redrawIfDue()
    }

    /// Counts a failed item. It is counted as finished separately, by ``advance(past:)``.
    func fail() {
        change { $0.failed += 1 }
    }

    /// Sets the number of items once it is known.
    func setTotal(_ total: Int) {
        change { $0.total = total }
        draw()
    }

    /// Counts a finished item.
    ///
    /// - Parameter item: The name of the item, if its partial progress was reported.
    func advance(past item: String? = nil) {
        change { state in
            state.done += 1
            if let item, let part = state.parts.removeValue(forKey: item) {
                state.frames += part.frameCount ?? 0
            }
        }
        redrawIfDue()
    }

    /// Counts several finished items without partial progress.
    func advance(by count: Int) {
        change { $0.done += count }
        redrawIfDue()
    }

    /// Reports the partial progress of a long-running item.
    func report(_ progress: EditProgress, of item: String) {
        change { $0.parts[item] = progress }
        redrawIfDue()
    }

    /// Changes the state and marks it as changed.
    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.hasNews = true
        }
    }

    /// The number of finished items.
    var done: Int { state.withLock { $0.done } }

    /// The number of remaining items; `nil` if unknown.
    var left: Int? { state.withLock { state in state.total.map { max(0, $0 - state.done) } } }

    /// Removes the line permanently.
    func end() {
        clear()
        printJSON(last: true)
        state.withLock { $0.isShown = false }
    }

    /// Draws the line at a limited rate.
    private func redrawIfDue() {
        printJSON(last: false)
        guard isTerminal else { return }
        let isDue = state.withLock { state in
            let now = ContinuousClock.now
            if let drawn = state.drawn, now - drawn < Self.redraw, state.done != state.total {
                return false
            }
            state.drawn = now
            return true
        }
        if isDue { draw() }
    }

    /// Prints the progress as JSON at a limited rate.
    ///
    /// - Parameter last: `true` at the end, where it is printed only if the state has changed.
    private func printJSON(last: Bool) {
        guard isJSON else { return }
        let line: JSONRow? = state.withLock { state in
            let now = ContinuousClock.now
            guard state.isShown else { return nil }
            if last ? !state.hasNews : state.lastPrinted.map({ now - $0 < Self.interval }) ?? false
            {
                return nil
            }
            state.lastPrinted = now
            state.hasNews = false
            return Self.row(state, after: now - state.start)
        }
        if let line, let text = try? JSONText.of(line) { StandardStream.output.write(text + "\n") }
    }

    private static func row(_ state: State, after elapsed: Duration) -> JSONRow {
        let (rate, left) = speed(state, elapsed)
        let fraction = state.total.map { $0 > 0 ? min(1, state.doneWithParts / Double($0)) : 1 }
        return [
            "progress": [
                "done": state.done, "total": state.total, "fraction": fraction,
                "failed": state.failed, "perSecond": rate,
                "framesPerSecond": frameRate(state, elapsed), "secondsLeft": left,
            ] as JSONRow
        ]
    }

    /// Erases the line temporarily, so that other output can be written.
    func clear() {
        guard isTerminal, state.withLock({ $0.isShown }) else { return }
        StandardStream.error.write("\r\u{1B}[K")
    }

    /// Draws the current line.
    func draw() {
        guard isTerminal else { return }
        let text = state.withLock { state in
            state.isShown ? Self.text(state, after: .now - state.start) : nil
        }
        if let text { StandardStream.error.write("\r\u{1B}[K" + text) }
    }

    private static func text(_ state: State, after elapsed: Duration) -> String {
        bar(state) + speedText(state, elapsed)
            + (state.failed > 0 ? ", \(state.failed) failed" : "")
    }

    /// Returns the number of items per second, and the estimated remaining time in seconds.
    private static func speed(_ state: State, _ elapsed: Duration) -> (rate: Double?, left: Int?) {
        let seconds = elapsed / .seconds(1)
        let done = state.doneWithParts
        guard seconds >= 1, done > 0 else { return (nil, nil) }
        let rate = done / seconds
        guard let total = state.total, Double(total) > done else { return (rate, nil) }
        return (rate, Int(exactly: ((Double(total) - done) / rate).rounded(.up)))
    }

    /// Returns the rate and the remaining time as text; empty in the first second.
    private static func speedText(_ state: State, _ elapsed: Duration) -> String {
        let (rate, left) = speed(state, elapsed)
        guard let rate else { return "" }
        // The rate is meaningless for items that take long.
        var speed = state.parts.isEmpty ? ", \(number(rate))/s" : ""
        if let rate = frameRate(state, elapsed) { speed = ", \(number(rate)) frames/s" }
        guard let left else { return speed }
        let time = left < 120 ? "\(left) s" : left < 7200 ? "\(left / 60) min" : "\(left / 3600) h"
        return "\(speed), \(time) left"
    }

    /// Returns the number of encoded frames per second; `nil` if there are none.
    private static func frameRate(_ state: State, _ elapsed: Duration) -> Double? {
        let seconds = elapsed / .seconds(1)
        let frames = state.frames + state.parts.values.reduce(0) { $0 + ($1.frameCount ?? 0) }
        return seconds >= 1 && frames > 0 ? Double(frames) / seconds : nil
    }

    private static func number(_ rate: Double) -> String {
        rate < 10 ? "\((rate * 10).rounded() / 10)" : "\(Int(min(rate, 1e9).rounded()))"
    }

    private static func bar(_ state: State) -> String {
        guard let total = state.total, total > 0 else { return "\(state.verb) \(state.done)" }
        let done = min(state.doneWithParts, Double(total))
        let filled = Int(Double(barWidth) * done / Double(total))
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: ".", count: barWidth - filled)
        let percent =
            state.parts.isEmpty ? "" : ", \(Int(100 * done / Double(total))) percent"
        return "\(state.verb) [\(bar)] \(state.done) of \(total)\(percent)"
    }
}
