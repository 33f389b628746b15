// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerHost
import Synchronization

/// Finds stale pictures during an export, and renders them again in the library.
final class ExportStaleness: Sendable {
    /// The state of a stored picture.
    enum State: Sendable {
        case upToDate
        case stale(RerenderResult)
        /// It cannot be rendered again.
        case unrenderable(HostError)
    }

    private let ingredients: UpToDatePictures
    private let judge: AssetRerenderer
    private let changing: @Sendable () throws -> PhotoLibrary
    private let makeRerenderer: @Sendable (PhotoLibrary) throws -> AssetRerenderer
    private let limits: ClaimTimeouts
    /// The first attempt to open the library for writing.
    private let rerenderer = Mutex<Result<AssetRerenderer, any Error>?>(nil)

    /// - Parameter changing: Returns the library for writing. It is called when the first stale picture is found.
    init(
        _ host: ExtensionHost, _ library: PhotoLibrary,
        changing: @escaping @Sendable () throws -> PhotoLibrary,
        progressHandler: EditProgressHandler?
    ) throws {
        let renderer = host.renderer(of: library)
        ingredients = UpToDatePictures(renderer)
        var options = RerenderOptions(jobs: host.configuration.runnerLimit)
        options.progressHandler = progressHandler
        makeRerenderer = { [options] in try AssetRerenderer(host.renderer(of: $0), $0, options) }
        options.dryRun = true
        judge = try AssetRerenderer(renderer, library, options)
        self.changing = changing
        limits = host.configuration.claimLimits
    }

    /// Returns the state of the current version's picture. A picture that is not stored is up to date, because it is
    /// rendered for the export.
    func state(of history: AssetHistory) async -> State {
        guard !history.chain.isEmpty, await !ingredients.areCurrent(history),
            judge.library.storedPicture(of: history.chain) != nil
        else { return .upToDate }
        let verdict = await judge.verdict(history.asset.localIdentifier)
        if verdict.status == .stale { return .stale(verdict) }
        // The export itself reports damage.
        return (verdict.error as? HostError).map { .unrenderable($0) } ?? .upToDate
    }

    /// Returns the state of a saved version's picture.
    ///
    /// - Parameter history: The history that shows the version.
    func state(ofVersion history: AssetHistory) async -> State {
        guard await !ingredients.areCurrent(history),
            judge.library.storedPicture(of: history.chain) != nil
        else { return .upToDate }
        do {
            let stale = try await judge.staleRenditions(of: history, checks: true)
            guard !stale.renditions.isEmpty else { return .upToDate }
            return .stale(
                RerenderResult(
                    assetIdentifier: history.asset.localIdentifier, status: .stale,
                    reason: stale.reason))
        } catch {
            return (error as? HostError).map { .unrenderable($0) } ?? .upToDate
        }
    }

    /// Renders a stale picture again, unless another process has done so.
    ///
    /// - Returns: The library that contains the new picture.
    /// - Throws: `HostError`, `LibraryError`.
    func render(_ verdict: RerenderResult) async throws -> PhotoLibrary {
        let asset = verdict.assetIdentifier
        let rerenderer = try opened()
        var result = await rerenderer.rerender(asset, verdict)
        if result == nil {
            result = await rerenderer.waitAndRerender(asset, since: .now, limits)
        }
        guard let error = result?.error else { return rerenderer.library }
        guard let failure = error as? HostError, failure.code != .cancelled else { throw error }
        throw HostError(
            failure.code,
            "the stale picture cannot be rendered again (--stale keep exports it as stored): "
                + failure.message,
            asset: asset, extension: failure.extensionIdentifier, underlying: failure.underlying)
    }

    private func opened() throws -> AssetRerenderer {
        try rerenderer.withLock { rerenderer in
            let opened = rerenderer ?? Result { try makeRerenderer(try changing()) }
            rerenderer = opened
            do {
                return try opened.get()
            } catch let error as LibraryError {
                throw HostError(
                    .fileFailed,
                    "the stale picture has to be rendered again in the library, which cannot be "
                        + "changed (--stale keep exports it as stored): \(error)",
                    underlying: error)
            }
        }
    }

    /// Saves the rates of what was rendered, for later plans.
    func end() { try? rerenderer.withLock { $0 }?.get().rates.save() }
}
