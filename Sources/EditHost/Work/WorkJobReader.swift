// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

/// Reads the jobs of a shard one by one, from a private copy of its file whose hash was checked.
package struct WorkJobReader {
    private var lines: LineReader
    private let shard: Int

    init(_ file: OpenFile, shard: Int) {
        lines = LineReader(file, maximumLength: WorkFolder.jobLimits.bytes)
        self.shard = shard
    }

    /// Returns the next job, or `nil` at the end.
    ///
    /// - Throws: `HostError` with `badInput` if it is invalid.
    package mutating func next() throws -> WorkJob? {
        do {
            guard let line = try lines.next() else { return nil }
            guard WorkFolder.jobLimits.excess(of: line.bytes) == nil,
                let job = try? JSONDecoder().decode(WorkJob.self, from: line.bytes), job.isSound
            else { throw invalid(line.number) }
            return job
        } catch let error as LineReader.TooLong {
            throw invalid(error.number)
        }
    }

    private func invalid(_ line: Int) -> HostError {
        HostError(
            .badInput,
            "line \(line) of \(WorkName.jobs)/\(WorkName.jobFile(shard)) is not a job; make a new plan"
        )
    }
}
