// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library

/// Measures the delays when a user moves a slider, through the public API. `compare.py`
/// runs it.
///
///     SessionBenchmark PROGRAM LIBRARY IDENTIFIER SIZE COUNT
///
/// Opens a sepia edit of an asset in the runner next to PROGRAM, and changes it COUNT times with a preview of
/// SIZE pixels after each change. Each measurement is a line: a name and the median, minimum and maximum in
/// milliseconds.
@main
struct SessionBenchmark {
    struct WrongUsage: Error {}

    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 6, let size = Int(words[4]), let count = Int(words[5]), count > 0
        else { throw WrongUsage() }
        let host = ExtensionHost(
            .standard(executable: words[1], environment: ProcessInfo.processInfo.environment))
        let library = try PhotoLibrary.open(at: words[2])
        // The runner's start is measured elsewhere.
        try await open(words[3], size, host, library).cancel()

        let start = ContinuousClock.now
        let session = try await open(words[3], size, host, library)
        _ = try await session.preview()
        report("first", [milliseconds(since: start)])
        var changes: [Double] = []
        for number in 0..<count {
            let start = ContinuousClock.now
            let value = Double(number % 100 + 1) / 100
            try await session.setParameters(["intensity": .number(value)])
            let preview = try await session.preview()
            changes.append(milliseconds(since: start))
            guard max(preview.width, preview.height) == size else { throw WrongUsage() }
        }
        report("change", changes)
        await session.cancel()
        await host.shutDown()
        try library.close()
    }

    private static func open(
        _ identifier: String, _ size: Int, _ host: ExtensionHost, _ library: PhotoLibrary
    ) async throws -> EditingSession {
        try await host.openEditingSession(
            for: identifier, EditRequest(extensionName: "sepia"), in: library, displaySize: size)
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - start) / .milliseconds(1)
    }

    private static func report(_ name: String, _ values: [Double]) {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return }
        print(name, sorted[sorted.count / 2], least, most, separator: "\t")
    }
}
