// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerHost

/// Plans a re-render: determines the stale assets, renders the probes, and writes the folder.
struct WorkPlanner {
    private let host: ExtensionHost
    private let library: PhotoLibrary
    private let options: WorkPlanOptions
    private let rerenderer: AssetRerenderer
    private let prober: WorkProbeRenderer
    private var spool: WorkSpool
    private var costs = WorkCosts()
    private var probes: [WorkKind: WorkProbe] = [:]
    /// The number of failed probes of each kind without one.
    private var failedProbes: [WorkKind: Int] = [:]
    private var binaries: [SHA256Digest: ExtensionBinary] = [:]
    private var hasVideos = false
    /// The files to copy, by hash.
    private var copies: [SHA256Digest: CopiedInput] = [:]

    /// The number of assets that are read in one transaction.
    private static let chunk = 64
    /// The number of photos that are tried as the probe of a kind.
    private static let probeAttempts = 3

    /// A file to copy into the work folder.
    struct CopiedInput: Sendable {
        let asset: String
        /// The original; `nil` for another file of the library.
        let resource: AssetResource?
    }

    /// The findings about an asset.
    private struct Found: Sendable {
        let stale: StaleAsset
        /// The job of all stale renditions; `nil` if there are none.
        var job: WorkJob?
        /// The job of the photo alone.
        var photo: WorkJob?
    }

    init(_ host: ExtensionHost, _ library: PhotoLibrary, _ options: WorkPlanOptions) throws {
        (self.host, self.library, self.options) = (host, library, options)
        var rerendering = RerenderOptions(jobs: options.jobs)
        rerendering.force = options.force
        rerendering.dryRun = true
        // Nodes check the hash of each input, so it is not read here.
        rerenderer = try AssetRerenderer(
            host.renderer(of: library, for: .preview), library, rerendering)
        prober = WorkProbeRenderer(renderer: host.renderer(of: library))
        spool = try WorkSpool()
        costs.stored = RenderingRates(library).stored()
    }

    // MARK: - Assets

    /// Returns the assets that a scan finds up to date.
    func upToDate(among identifiers: [String]) async throws -> [RerenderResult] {
        if options.force { return [] }
        let known = try await StalenessScan(rerenderer.renderer, library).upToDate(
            among: identifiers, jobs: options.jobs)
        return identifiers.compactMap { known[$0] }
    }

    /// Returns the assets of a fetch that a scan does not find up to date, and the number of the others.
    func remaining(of fetch: FetchOptions) async throws -> ([String], upToDate: Int) {
        let count = try Asset.count(in: library, options: fetch)
        let rows = try await StalenessScan(rerenderer.renderer, library).remainingRows(
            jobs: options.jobs)
        let rest = try Asset.identifiers(ofRows: rows, in: library, options: fetch)
        return (rest, max(0, count - rest.count))
    }

    /// Adds the stale renditions of assets.
    mutating func add(
        _ identifiers: [String], report: (RerenderResult) throws -> Void
    ) async throws {
        let (rerenderer, library) = (rerenderer, library)
        let chunks = stride(from: 0, to: identifiers.count, by: Self.chunk).map {
            Array(identifiers[$0..<min($0 + Self.chunk, identifiers.count)])
        }
        try await forEachOrdered(chunks, limit: options.jobs) { chunk in
            (chunk, await Self.found(chunk, rerenderer, library))
        } deliver: { chunk, found in
            for (identifier, found) in zip(chunk, found) {
                try Task.checkCancellation()
                try report(try await result(identifier, found))
            }
        }
    }

    /// Adds the findings about an asset.
    private mutating func result(
        _ identifier: String, _ found: Result<Found, any Error>
    ) async throws -> RerenderResult {
        do {
            let found = try found.get()
            if let job = found.job { try await add(job, found) }
            return RerenderResult(
                assetIdentifier: identifier, status: found.job == nil ? .upToDate : .stale,
                reason: found.stale.reason)
        } catch let error as any DescribedError {
            return RerenderResult(
                assetIdentifier: identifier, status: .failed, reason: "\(error)", error: error)
        }
    }

    /// Reads the histories of assets in one transaction.
    private static func found(
        _ identifiers: [String], _ rerenderer: AssetRerenderer, _ library: PhotoLibrary
    ) async -> [Result<Found, any Error>] {
        let histories: [Result<AssetHistory, any Error>]
        do {
            histories = try library.histories(ofAssets: identifiers)
        } catch {
            return identifiers.map { _ in .failure(error) }
        }
        var results: [Result<Found, any Error>] = []
        for history in histories { results.append(await found(history, rerenderer, library)) }
        return results
    }

    private static func found(
        _ history: Result<AssetHistory, any Error>, _ rerenderer: AssetRerenderer,
        _ library: PhotoLibrary
    ) async -> Result<Found, any Error> {
        do {
            let stale = try await rerenderer.staleRenditions(
                of: try history.get(), checks: true)
            var found = Found(stale: stale)
            if stale.renditions.isEmpty { return .success(found) }
            found.job = try WorkJobBuilder.job(of: stale, stale.renditions, in: library)
            if !stale.photos.isEmpty {
                found.photo = try WorkJobBuilder.job(of: stale, stale.photos, in: library)
            }
            return .success(found)
        } catch {
            return .failure(error)
        }
    }

    private mutating func add(_ job: WorkJob, _ found: Found) async throws {
        var job = job
        job.job = spool.count
        if var photo = found.photo {
            photo.job = job.job
            try await probe(photo, found.stale.photos)
        }
        job.cost = costs.cost(
            of: job,
            found.stale.renditions.map { RenderingRates.Kind($0.plan, $0.settings) })
        try spool.add(job)
        for rendition in found.stale.renditions {
            for binary in rendition.plan.binaries { binaries[binary.digest] = binary }
            if rendition.settings.video != nil { hasVideos = true }
        }
        if options.copiesInputs { copies.merge(found.stale.inputs(of: job)) { $1 } }
    }

    /// Renders a photo as the probe of its kind, unless there is one.
    private mutating func probe(_ job: WorkJob, _ renditions: [StaleRendition]) async throws {
        guard options.probe == .bytes, let kind = job.kind, probes[kind] == nil,
            failedProbes[kind, default: 0] < Self.probeAttempts
        else { return }
        do {
            if var probe = try await prober.probe(job, renditions) {
                costs.add(probe.seconds, of: job)
                probe.job.cost = costs.cost(of: job)
                probes[kind] = probe
                failedProbes[kind] = nil
            } else {
                failedProbes[kind] = Self.probeAttempts
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The picture or the extension would also fail on a node.
            failedProbes[kind, default: 0] += 1
        }
    }

    // MARK: - The folder

    /// Writes the folder, `plan.json` last.
    ///
    /// - Returns: The plan; `nil` if there are no jobs.
    func write(to path: String) async throws -> WorkPlanReport? {
        guard spool.count > 0 else { return nil }
        let environment = try await host.workEnvironment(withVideos: hasVideos)
        let folder = try WorkFolder.create(at: path)
        do {
            return try write(to: folder, environment)
        } catch {
            folder.removeUnfinishedPlan()
            throw error
        }
    }

    private func write(
        to folder: WorkFolder, _ environment: WorkEnvironment
    ) throws -> WorkPlanReport {
        for name in [WorkName.results, WorkName.logs] { _ = try folder.makeFolder(name) }
        let extensions = try writeExtensions(to: folder)
        try writeInputs(to: folder)
        let plan = WorkPlan(
            id: UUID().uuidString.lowercased(), library: try library.identifier,
            environment: environment, inputs: options.copiesInputs ? [] : [blobFolder],
            extensions: extensions, budgets: WorkBudgets(host.configuration.budgets),
            shards: try writeShards(to: folder), probe: options.probe,
            probes: probes.values.sorted { $0.job.job < $1.job.job })
        let data = try WorkFolder.encoded(plan)
        guard WorkFolder.planLimits.excess(of: data) == nil else {
            throw HostError(
                .badRequest, "the plan has too many kinds of photos; use --probe off")
        }
        let hash = WorkHash(of: data)
        let submission = WorkSubmission(
            hash: hash, count: plan.shards.count, folder: folder.path, inputs: plan.inputs,
            timeLimit: WorkSubmission.timeLimit(
                cost: plan.shards.map(\.cost).max() ?? 0, minutes: options.minutes))
        for file in try submission.files(for: options.engine) {
            try folder.write(file.content, as: file.name, in: folder.root)
        }
        try folder.write(data, as: WorkName.plan, in: folder.root)
        return WorkPlanReport(
            plan: plan, hash: hash,
            submission: submission.command(for: options.engine),
            kindsWithoutProbe: failedProbes.count)
    }

    private var blobFolder: String { "\(library.path.resolvedPath ?? library.path)/blobs" }

    private func writeExtensions(to folder: WorkFolder) throws -> [WorkExtension] {
        try binaries.values.sorted { $0.digest.hex < $1.digest.hex }.map { binary in
            let identifier = binary.manifest.identifier
            let installed = host.extensions.catalogue.available.first {
                $0.identifier == identifier
            }
            guard let installed else {
                throw HostError(
                    .noSuchExtension, "the extension \(identifier) is not installed",
                    extension: identifier)
            }
            return try folder.copy(binary, from: installed)
        }
    }

    private func writeInputs(to folder: WorkFolder) throws {
        for (hash, copy) in copies {
            try Task.checkCancellation()
            let file =
                try copy.resource.map { try library.openOriginal($0, for: .preview) }
                ?? library.openBlob(hash, ofAsset: copy.asset, for: .preview)
            let inner = try folder.makeFolder(WorkName.inputs, String(hash.hex.prefix(2)))
            guard try folder.write(file, as: hash.hex, in: inner) == hash else {
                throw library.damage(of: hash, ofAsset: copy.asset)
            }
        }
    }

    private func writeShards(to folder: WorkFolder) throws -> [WorkShard] {
        let jobs = try folder.makeFolder(WorkName.jobs)
        // The facts and rates of a library are untrusted.
        let byCost = min((spool.cost / (options.minutes * 60)).rounded(.up), 1e9)
        let wanted = options.shards ?? Int(byCost)
        let limit = options.shards == nil ? WorkPlanOptions.usualShardLimit : .max
        let count = min(max(1, wanted), limit, spool.count)
        return try spool.divided(into: count).enumerated().map { number, part in
            try Task.checkCancellation()
            let hash = try folder.writeHashed(WorkName.jobFile(number), in: jobs) {
                try spool.write(part.jobs, to: $0)
            }
            return WorkShard(sha256: WorkHash(hash), jobs: part.jobs.count, cost: part.cost)
        }
    }
}

extension StaleAsset {
    /// The stale renditions of the photo, which precede those of the video.
    fileprivate var photos: [StaleRendition] { renditions.filter { $0.settings.video == nil } }

    /// The files that a job reads, by hash.
    fileprivate func inputs(
        of job: WorkJob
    ) -> [SHA256Digest: WorkPlanner.CopiedInput] {
        let originals = Dictionary(
            history.originals.compactMap { resource in
                resource.contentHash.map { ($0, resource) }
            }, uniquingKeysWith: { first, _ in first })
        let wanted = job.inputs.filter { $0.container == nil && $0.isUnavailable != true }
        return Dictionary(
            wanted.map { input in
                (
                    input.sha256.digest,
                    WorkPlanner.CopiedInput(
                        asset: job.asset, resource: originals[input.sha256.digest])
                )
            }, uniquingKeysWith: { first, _ in first })
    }
}
