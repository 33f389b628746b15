// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library
import Synchronization

/// The work of applying edits to photographs, atomically or one by one, with its output.
struct AppliedEdits: Sendable {
    let source: EditSource
    let options: EditCopyOptions
    let library: PhotoLibrary
    let cancellation: EditCancellation
    let interruption: Interruption
    let output: CommandOutput
    /// The message if nothing was changed.
    var idleMessage: String?

    /// Applies the edits to the selected photographs.
    ///
    /// - Parameter each: `true` commits each photograph separately and continues after failures.
    func run(on assets: AssetSelection, each: Bool, _ general: GeneralOptions) async throws {
        let tally = Tally()
        let identifiers =
            each
            ? try assets.identifiers(in: library) { try fail($1, of: $0, tally) }
            : try assets.identifiers(in: library)
        try await run(on: identifiers, each: each, general, tally)
    }

    /// Applies the edits to photographs that are known to exist.
    func run(on identifiers: [String], each: Bool, _ general: GeneralOptions) async throws {
        try await run(on: identifiers, each: each, general, Tally())
    }

    private func run(
        on identifiers: [String], each: Bool, _ general: GeneralOptions, _ tally: Tally
    ) async throws {
        let wrongNames = tally.counts.withLock(\.failures.count)
        output.progress.begin("editing", of: identifiers.count)
        defer { output.progress.end() }
        do {
            try await general.withHost(jobs: GeneralOptions.jobs(nil, for: identifiers.count)) {
                host in
                try await interruption.run {
                    try await (each ? self.each : allOrNone)(host, identifiers, tally)
                }
            }
        } catch is CancellationError {
            guard each else {
                throw CommandEnd(
                    status: .interrupted, message: "cancelled; nothing was changed")
            }
            throw CommandEnd.cancelled(
                tally.counts.withLock(\.committed), "edited", output.progress)
        }
        output.progress.end()
        let failures = tally.counts.withLock(\.failures)
        let count = identifiers.count + wrongNames
        let status = ExitStatus(failures: failures, of: count)
        if status != .done { throw CommandEnd(status: status) }
    }

    private func allOrNone(
        _ host: ExtensionHost, _ identifiers: [String], _ tally: Tally
    ) async throws {
        let results = try await host.applyEdits(
            of: source, to: identifiers, options, in: library, cancellation: cancellation
        ) { _ in output.progress.advance() }
        output.progress.end()
        for result in results { try output.print(result, unchanged: Self.unchanged) }
        if results.isEmpty {
            output.message("nothing to do")
        } else if let idleMessage, !results.contains(where: \.hasChanged) {
            output.message(idleMessage)
        }
    }

    private func each(
        _ host: ExtensionHost, _ identifiers: [String], _ tally: Tally
    ) async throws {
        var isCutShort = false
        try await host.applyEditsToEach(
            of: source, to: identifiers, options, in: library, cancellation: cancellation
        ) { identifier, result in
            switch result {
            case .success(let result):
                if result.hasChanged { tally.counts.withLock { $0.committed += 1 } }
                output.progress.advance()
                try output.print(result, unchanged: Self.unchanged)
            case .failure(let error):
                // Other edits in flight may already be committed. A cancelled edit is not a failure.
                guard ExitStatus(error) != .interrupted, !cancellation.isCancelled else {
                    isCutShort = true
                    return
                }
                output.progress.advance()
                try fail(error, of: identifier, tally)
            }
        }
        if isCutShort { throw CancellationError() }
        let (committed, failures) = tally.counts.withLock { ($0.committed, $0.failures.count) }
        if let idleMessage, committed == 0, failures == 0 { output.message(idleMessage) }
    }

    private func fail(_ error: any Error, of name: String, _ tally: Tally) throws {
        tally.counts.withLock { $0.failures.append(error) }
        try output.printJSON([
            "id": name, "edits": nil, "state": nil, "status": "failed",
            "error": ExitStatus.words(for: error),
        ])
        output.failure(error, of: name)
    }

    private static let unchanged = "already has these edits"

    private final class Tally: Sendable {
        struct Counts {
            var committed = 0
            var failures: [any Error] = []
        }

        let counts = Mutex(Counts())
    }
}
