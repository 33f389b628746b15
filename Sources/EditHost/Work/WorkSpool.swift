// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

/// The jobs of a plan that is being made. They are in a temporary file, because millions of them do not fit into
/// memory.
struct WorkSpool {
    /// The place of a job's line in the file.
    private struct Entry {
        let offset: Int
        let count: Int
        let cost: Double
    }

    private let file: OpenFile
    private var entries: [Entry] = []
    private var length = 0

    init() throws {
        do {
            file = try .unnamed()
        } catch {
            throw HostError.file("cannot be created", path: "a temporary file", error)
        }
    }

    var count: Int { entries.count }
    var cost: Double { entries.map(\.cost).reduce(0, +) }

    /// Adds a job with the next number.
    ///
    /// - Throws: `HostError` with `cannotRender` if it is too large to be read again.
    mutating func add(_ job: WorkJob) throws {
        let line = try WorkFolder.line(job)
        guard WorkFolder.jobLimits.excess(of: line) == nil else {
            throw HostError(
                .cannotRender, "its recipes are too large for a plan; use edithost rerender",
                asset: job.asset)
        }
        try file.append(line)
        entries.append(Entry(offset: length, count: line.count, cost: job.cost))
        length += line.count
    }

    /// Divides the jobs into shards: the longest first, each to the shard with the least cost so far.
    ///
    /// - Returns: The jobs of each shard, longest first, and the cost of each shard.
    func divided(into count: Int) -> [(jobs: [Int], cost: Double)] {
        LoadBalancing.divide(entries.map(\.cost), into: count)
    }

    /// Appends the lines of jobs to a file.
    func write(_ jobs: [Int], to other: OpenFile) throws {
        var text = Data()
        for job in jobs {
            let entry = entries[job]
            text += try file.read(count: entry.count, at: entry.offset)
            if text.count > 1 << 20 {
                try other.append(text)
                text = Data()
            }
        }
        try other.append(text)
    }
}
