// SPDX-License-Identifier: Apache-2.0

/// The content of `results/NNNNN/ATTEMPT/flight-NNNN.json`, written from the second attempt on when jobs begin.
///
/// Only the file with the highest number is used. If the attempt has no end, its jobs that have no outcome were in
/// flight.
package struct WorkInFlight: Codable, Equatable, Sendable {
    /// The numbers of the jobs.
    package let jobs: [Int]

    package init(jobs: [Int]) { self.jobs = jobs }

    var isSound: Bool {
        jobs.count <= 4096 && jobs.allSatisfy { (0...Int(Int32.max)).contains($0) }
    }
}
