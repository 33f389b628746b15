// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library

/// Measures the library through its public API. `library.py` runs it and compares the results.
///
/// Each measurement is a line: a name and the median, minimum and maximum in milliseconds.
@main
struct LibraryBenchmark {
    struct WrongUsage: Error {}

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { throw WrongUsage() }
        let path = arguments[2]
        let number = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
        switch arguments[1] {
        case "create": _ = try PhotoLibrary.create(at: path)
        case "open": try Reading.open(path)
        case "read":
            var reading = try Reading(path)
            try reading.run()
        case "change": try Changing(path).run()
        case "import": try Changing(path).importFiles(from: arguments[3])
        case "details": try await Details(path).run()
        case "verify": try Verifying.run(path)
        case "memory": try Reading.memory(path, holding: number > 0)
        case "observe": try await Observing.observe(path, number)
        case "commit": try Observing.commit(path, number)
        default: throw WrongUsage()
        }
    }
}

/// Measures the duration of repeated operations.
enum Stopwatch {
    /// Returns the duration of `body` in milliseconds.
    static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let elapsed = try clock.measure(body)
        return elapsed / .milliseconds(1)
    }

    /// Prints the durations of `body`, run `times` times after a first run that is not measured.
    static func measure(_ name: String, times: Int, _ body: () throws -> Void) rethrows {
        try body()
        report(name, try (0..<times).map { _ in try milliseconds(body) })
    }

    static func report(_ name: String, _ values: [Double]) {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return }
        print(name, sorted[sorted.count / 2], least, most, separator: "\t")
    }
}
