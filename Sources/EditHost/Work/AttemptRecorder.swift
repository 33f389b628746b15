// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc
import Library
import Synchronization

/// Writes the results of one attempt at a shard. Every file is written completely under a new name.
final class AttemptRecorder: Sendable {
    /// The results cannot be written.
    struct Unwritable: Error {
        let message: String
    }

    private struct State {
        /// Outcomes that are not written yet.
        var pending: [WorkOutcome] = []
        var nextFile = 0
        var nextFlight = 0
        var inFlight: Set<Int> = []
        var lastWrite: ContinuousClock.Instant?
    }

    /// Outcomes that follow each other faster than this share a file.
    private static let interval = Duration.seconds(2)

    private let folder: WorkFolder
    private let attempt: Folder
    private let files: Folder
    /// Whether the jobs in flight are recorded, because an earlier attempt may have died with one of them.
    private let recordsFlights: Bool
    private let state = Mutex(State())

    /// Begins an attempt.
    ///
    /// - Throws: `Unwritable`.
    init(
        ofShard shard: Int, _ note: WorkAttempt, in folder: WorkFolder, recordsFlights: Bool
    ) throws {
        self.folder = folder
        self.recordsFlights = recordsFlights
        let shard = WorkName.shard(shard)
        (attempt, files) = try Self.writing {
            let attempt = try folder.makeFolder(WorkName.results, shard, Self.name(note))
            try folder.write(note, as: WorkAttempt.filename, in: attempt)
            return (attempt, try folder.makeFolder(WorkName.results, shard, WorkName.files))
        }
    }

    /// Returns a new name. Names are sorted by the time when attempts began.
    private static func name(_ note: WorkAttempt) -> String {
        let style = Date.ISO8601FormatStyle(
            dateSeparator: .omitted, timeSeparator: .omitted, includingFractionalSeconds: true)
        let date = Date(timeIntervalSince1970: note.began).formatted(style)
        return "\(date)-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }

    static func writing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw Unwritable(message: "\(error)")
        }
    }

    /// Records that a job begins.
    ///
    /// - Throws: `Unwritable`.
    func begin(_ job: Int) throws {
        guard recordsFlights else { return }
        try state.withLock { state in
            state.inFlight.insert(job)
            try Self.writing {
                try folder.write(
                    WorkInFlight(jobs: state.inFlight.sorted()),
                    as: WorkName.flightFile(state.nextFlight), in: attempt)
            }
            state.nextFlight += 1
        }
    }

    /// Writes the rendered files of a job and returns their descriptions.
    ///
    /// - Throws: `Unwritable`.
    func write(_ contents: [RenderedContent], of job: WorkJob) throws -> [WorkOutcome.Output] {
        try zip(contents, job.outputs).map { content, output in
            try Self.writing {
                let hash = content.blob.hash
                try folder.write(content.blob.open(), as: hash.hex, in: files)
                return WorkOutcome.Output(
                    edit: output.edit, kind: output.kind, part: output.part,
                    key: WorkHash(content.key), sha256: WorkHash(hash), size: content.blob.size,
                    width: content.pixelWidth, height: content.pixelHeight,
                    duration: content.duration, format: content.format,
                    omissions: content.omissions)
            }
        }
    }

    /// Records the outcome of a job, whose files are written.
    ///
    /// - Throws: `Unwritable`. The outcome is then written with the next one.
    func record(_ outcome: WorkOutcome) throws {
        try state.withLock { state in
            state.pending.append(outcome)
            state.inFlight.remove(outcome.job)
            // A job in flight must not be blamed for the death of an attempt after its end.
            let isDue =
                recordsFlights
                || state.lastWrite.map { $0.duration(to: .now) >= Self.interval } ?? true
            if isDue { try flush(&state) }
        }
    }

    /// Records that a job ended without an outcome.
    func drop(_ job: Int) { state.withLock { _ = $0.inFlight.remove(job) } }

    /// Writes the outcomes that are not written yet, and how the attempt ended.
    ///
    /// - Throws: `Unwritable`.
    func end(_ end: WorkAttemptEnd) throws {
        try state.withLock { state in
            do {
                try flush(&state)
                try Self.writing {
                    try folder.write(end, as: WorkAttemptEnd.filename, in: attempt)
                }
            } catch {
                // Without an end, the attempt would look as if it had died during these jobs, so their files are
                // removed. Removing files needs no disk space.
                for number in 0...state.nextFlight {
                    try? attempt.removeFile(WorkName.flightFile(number))
                }
                throw error
            }
        }
    }

    private func flush(_ state: inout State) throws {
        guard !state.pending.isEmpty else { return }
        let (outcomes, number) = (state.pending, state.nextFile)
        try Self.writing {
            try folder.write(lines: outcomes, as: WorkName.lineFile(number), in: attempt)
        }
        state.pending = []
        state.nextFile += 1
        state.lastWrite = .now
    }
}
