// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import RunnerProtocol

/// The runners that render one video: a decoder, those of the extensions, and an encoder.
struct VideoRunners: Sendable {
    /// Steps that share a runner: all trusted, or all of one extension.
    struct Group: Sendable {
        let steps: [StatePlan.Step]
        /// Whether the only step generates its own frames.
        let generatesFrames: Bool
        fileprivate let lease: RunnerPool.Lease

        var runner: Runner { lease.runner }
        /// The untrusted extension; `nil` if all are trusted.
        var untrusted: ExtensionBinary? {
            steps.first.flatMap { $0.binary.isTrusted ? nil : $0.binary }
        }
    }

    let stages: [Group]
    private let decoding: RunnerPool.Lease
    private let encoding: RunnerPool.Lease
    private let pool: RunnerPool
    private let media: RunnerPool

    var decoder: Runner { decoding.runner }
    var encoder: Runner { encoding.runner }

    /// Borrows the runners for a closure, beyond the limits of the pools. The caller must hold the pool's lock for
    /// videos.
    ///
    /// - Throws: `HostError`.
    init(_ pool: RunnerPool, _ steps: [StatePlan.Step]) async throws {
        self.pool = pool
        media = try pool.forVideos()
        // The runners start concurrently.
        await media.warmUp(2)
        if !steps.isEmpty { await pool.warmUp() }
        var lent: [(RunnerPool, RunnerPool.Lease)] = []
        do {
            decoding = try await media.lendToSession(loading: [], isOpenEnded: true)
            lent.append((media, decoding))
            encoding = try await media.lendToSession(loading: [], isOpenEnded: true)
            lent.append((media, encoding))
            var stages: [Group] = []
            var rest = steps[...]
            while !rest.isEmpty {
                let next = rest.sharingRunner
                let lease = try await pool.lendToSession(
                    loading: StatePlan.unique(next.map(\.binary)), isOpenEnded: true)
                lent.append((pool, lease))
                let generators = try await lease.runner.generatesFrames(next)
                let generatesFrames = generators.first == true
                // A frame-generating step does not share its runner.
                let count = generatesFrames ? 1 : generators.firstIndex(of: true) ?? next.count
                stages.append(
                    Group(
                        steps: Array(next.prefix(count)), generatesFrames: generatesFrames,
                        lease: lease))
                rest = rest.dropFirst(count)
            }
            self.stages = stages
        } catch {
            for (pool, lease) in lent { await pool.end(lease) }
            throw error
        }
    }

    /// Returns the runners to their pools after a successful render.
    func returnLeases() async {
        for stage in stages {
            stage.runner.recordSuccess()
            await pool.end(stage.lease)
        }
        await media.end(decoding)
        await media.end(encoding)
    }

    /// Terminates the runners, even with requests in flight.
    func end() async {
        for runner in stages.map(\.runner) + [decoder, encoder] { runner.process.terminate() }
        for stage in stages { await pool.end(stage.lease) }
        await media.end(decoding)
        await media.end(encoding)
    }
}
