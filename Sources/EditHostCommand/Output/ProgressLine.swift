// SPDX-License-Identifier: Apache-2.0

import EditHost
import Synchronization

/// A line at the bottom of the terminal that tells how far the work is. Elsewhere than at a
/// terminal it is never drawn. Programs get it as lines of JSON on standard output.
final class ProgressLine: Sendable {
    private struct State {
        var done = 0
        var failed = 0
        /// When it was last told as JSON.
        var told: ContinuousClock.Instant?
        /// Whether something has happened since.
        var hasNews = true
        var total: Int?
        var verb = ""
        var isShown = false
        /// How much is done of items that are not, by their names.
        var parts: [String: EditProgress] = [:]
        /// How many frames are encoded, of videos that are done.
        var frames = 0
        var start = ContinuousClock.now
        var drawn: ContinuousClock.Instant?

        /// How many items are done, with what is done of others.
        var doneWithParts: Double { Double(done) + parts.values.reduce(0) { $0 + $1.fraction } }
    }

    private static let barWidth = 30
    private static let redraw = Duration.milliseconds(50)

    private let state = Mutex(State())
    /// How often JSON is printed at the most.
    private static let interval = Duration.milliseconds(200)

    private let isTerminal = StandardStream.error.isTerminal
    private let isJSON: Bool

    /// - Parameter isJSON: whether it is printed as JSON on standard output, too.
    init(isJSON: Bool = false) { self.isJSON = isJSON }

    /// Begins to tell.
    ///
    /// - Parameters:
    ///   - verb: what is being done, for example `rendering`.
    ///   - total: how many items there are; nil: it is not known.
    func begin(_ verb: String, of total: Int? = nil) {
        state.withLock { $0 = State(total: total, verb: verb, isShown: true) }
        draw()
    }

    /// So many items of so many are done.
    func set(_ done: Int, of total: Int) {
        change { state in
            state.done = done
            state.total = total
        }
        drawSeldom()
    }

    /// An item has failed; it is counted among those that are done by itself.
    func fail() {
        change { $0.failed += 1 }
    }

    /// It is known now how many items there are.
    func setTotal(_ total: Int) {
        change { $0.total = total }
        draw()
    }

    /// One more item is done.
    ///
    /// - Parameter item: its name, where parts of it were reported.
    func advance(past item: String? = nil) {
        change { state in
            state.done += 1
            if let item, let part = state.parts.removeValue(forKey: item) {
                state.frames += part.frameCount ?? 0
            }
        }
        drawSeldom()
    }

    /// So many more items are done, of which no parts were reported.
    func advance(by count: Int) {
        change { $0.done += count }
        drawSeldom()
    }

    /// A part of an item is done, of which somebody may be waiting for long.
    func report(_ progress: EditProgress, of item: String) {
        change { $0.parts[item] = progress }
        drawSeldom()
    }

    /// Notes something that is worth telling.
    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.hasNews = true
        }
    }

    /// How many items are done.
    var done: Int { state.withLock { $0.done } }

    /// How many items are still to be done; nil: it is not known.
    var left: Int? { state.withLock { state in state.total.map { max(0, $0 - state.done) } } }

    /// Takes the line away for good.
    func end() {
        clear()
        tell(last: true)
        state.withLock { $0.isShown = false }
    }

    /// Draws the line, and not more often than anybody can read.
    private func drawSeldom() {
        tell(last: false)
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

    /// Prints how far the work is as JSON.
    ///
    /// - Parameter last: it has ended, which is told once.
    private func tell(last: Bool) {
        guard isJSON else { return }
        let line: JSONValue? = state.withLock { state in
            let now = ContinuousClock.now
            guard state.isShown else { return nil }
            if last ? !state.hasNews : state.told.map({ now - $0 < Self.interval }) ?? false {
                return nil
            }
            state.told = now
            state.hasNews = false
            return Self.json(state, after: now - state.start)
        }
        if let line { StandardStream.output.write(line.text + "\n") }
    }

    private static func json(_ state: State, after elapsed: Duration) -> JSONValue {
        let (rate, left) = speed(state, elapsed)
        let fraction = state.total.map { $0 > 0 ? min(1, state.doneWithParts / Double($0)) : 1 }
        return [
            "progress": [
                "done": .integer(state.done), "total": JSONValue(state.total),
                "fraction": JSONValue(fraction),
                "failed": .integer(state.failed), "perSecond": JSONValue(rate),
                "framesPerSecond": JSONValue(frameRate(state, elapsed)),
                "secondsLeft": JSONValue(left),
            ]
        ]
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
        bar(state) + speedText(state, elapsed)
            + (state.failed > 0 ? ", \(state.failed) failed" : "")
    }

    /// How many items are done in a second, and how many seconds the rest will take.
    private static func speed(_ state: State, _ elapsed: Duration) -> (rate: Double?, left: Int?) {
        let seconds = elapsed / .seconds(1)
        let done = state.doneWithParts
        guard seconds >= 1, done > 0 else { return (nil, nil) }
        let rate = done / seconds
        guard let total = state.total, Double(total) > done else { return (rate, nil) }
        return (rate, Int(exactly: ((Double(total) - done) / rate).rounded(.up)))
    }

    /// How many items are done in a second, and how long the rest will take; nothing in the first
    /// second.
    private static func speedText(_ state: State, _ elapsed: Duration) -> String {
        let (rate, left) = speed(state, elapsed)
        guard let rate else { return "" }
        // Of items that take long, nobody counts how many are done in a second.
        var speed = state.parts.isEmpty ? ", \(number(rate))/s" : ""
        if let rate = frameRate(state, elapsed) { speed = ", \(number(rate)) frames/s" }
        guard let left else { return speed }
        let time = left < 120 ? "\(left) s" : left < 7200 ? "\(left / 60) min" : "\(left / 3600) h"
        return "\(speed), \(time) left"
    }

    /// How many frames are encoded in a second; nil: none are.
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
