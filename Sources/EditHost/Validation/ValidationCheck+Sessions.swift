// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol
import Synchronization

/// Checks of cancellation and completion.
extension ValidationCheck {
    static let sessionChecks: [ValidationCheck] = [
        ValidationCheck(
            "cancel",
            "An edit can be cancelled after start, after a preview and during finish, and cancel "
                + "returns within 5 seconds.",
            requires: ["finish", "preview"]
        ) { context in
            try await context.withExtension { tested in
                for stage in CancelStage.allCases { try await cancel(tested, stage) }
            }
        },
        ValidationCheck(
            "completion-after-cancel",
            "Once `finish` has returned, the completion is not called after a cancellation: its "
                + "output would be discarded.",
            requires: ["cancel"]
        ) { context in
            try await context.withExtension { tested in
                for _ in 1...8 { try await cancel(tested, .finishing) }
                // A completion may come late.
                try await Task.sleep(for: .milliseconds(500))
                // On a busy machine, calls may cross the cancellation, but not most of them.
                try requireLines(
                    atMost: 4, of: tested, with: "called its completion after cancel",
                    cure: "call is_cancelled of ee_work before it")
            }
        },
        ValidationCheck(
            "completion-once", "The completion is called once; further calls are ignored.",
            requires: ["finish"]
        ) { context in
            try await context.withExtension { tested in
                _ = try await tested.edit(ValidationPicture())
                try await Task.sleep(for: .milliseconds(200))
                try requireLines(
                    atMost: 0, of: tested, with: "called its completion a second time",
                    cure: "call it once")
            }
        },
    ]

    /// When an edit is cancelled.
    private enum CancelStage: CaseIterable {
        case started, previewed, finishing, finished
    }

    private static func cancel(_ tested: ValidatedExtension, _ stage: CancelStage) async throws {
        let picture = ValidationPicture.gray(400, 300)
        try await tested.withSession { session in
            var start = tested.start(picture)
            if stage == .previewed { start.isInteractive = true }
            _ = try await session.start(start, [(.base, try picture.file())])
            if stage == .previewed { _ = try await tested.preview(session, picture.size) }
            if stage == .finished { _ = try await tested.finish(session) }
            guard stage == .finishing else { return try await session.cancelInTime() }
            let hasEnded = Mutex(false)
            async let finished = Result.capturing {
                defer { hasEnded.withLock { $0 = true } }
                return try await session.finish()
            }
            await session.waitForFinish { hasEnded.withLock { $0 } }
            let cancelled = await Result.capturing { try await session.cancelInTime() }
            if case .failure(let error as HostError) = await finished, error.code != .cancelled {
                throw error
            }
            try cancelled.get()
        }
    }

    /// - Parameter limit: how many lines of the log may contain the text.
    private static func requireLines(
        atMost limit: Int, of tested: ValidatedExtension, with text: String, cure: String
    ) throws {
        let lines = tested.log.lines.filter { $0.contains(text) }
        guard let line = lines.first, lines.count > limit else { return }
        throw ValidationFinding.failure("\(line); \(cure)")
    }
}
