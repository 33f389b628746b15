// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

extension ExtensionHost {
    /// Applies the edits of the assets' versions with a name, as one atomic change. Each asset gets one new
    /// state, which can be undone. Renditions that are no longer stored are re-rendered.
    ///
    /// - Parameters:
    ///   - name: the name of the versions.
    ///   - identifiers: the assets, without duplicates.
    ///   - prepared: called in order with the identifier of each asset whose rendition is available.
    /// - Returns: the result for each asset, in order. Assets that have these edits already stay as they are.
    /// - Throws: `HostError`; `LibraryError` with `noSuchVersion`; `CancellationError`; in that case, nothing has
    ///   changed.
    public func useVersion(
        named name: String, of identifiers: [String], in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in }
    ) async throws -> [HistoryMove] {
        var steps:
            [(
                history: AssetHistory, version: AssetVersion, rendered: RenderedContent?,
                isUsed: Bool
            )] = []
        for identifier in identifiers {
            try Task.checkCancellation()
            let history = try library.history(ofAsset: identifier)
            guard let version = history.version(named: name) else {
                let names = history.versions.map(\.name)
                if case .several(let found) = NameMatch(name, among: names) {
                    throw LibraryError.ambiguousVersion(name, found, identifier)
                }
                throw LibraryError(
                    .noSuchVersion, Self.missing(name, history.versions), asset: identifier)
            }
            let isUsed = history.chain.last?.identifier == version.tip?.identifier
            let rendered =
                isUsed ? nil : try await missing(version.chain, of: history, in: library)
            steps.append((history, version, rendered, isUsed))
            prepared(identifier)
        }
        let requests = Mutex<[String: AssetChangeRequest]>([:])
        let moving = steps.filter { !$0.isUsed }
        if !moving.isEmpty {
            try await library.performChanges {
                for next in moving {
                    let request = try AssetChangeRequest(for: next.history.asset)
                    request.reportHistory()
                    requests.withLock { $0[request.assetIdentifier] = request }
                    try request.useVersion(next.version, rendered: next.rendered)
                }
            }
        }
        return steps.map { step in
            let request = requests.withLock { $0[step.history.asset.localIdentifier] }
            return HistoryMove(
                history: request?.committedHistory ?? step.history, hasMoved: !step.isUsed)
        }
    }

    private static func missing(_ name: String, _ versions: [AssetVersion]) -> String {
        let names = versions.map { "\"\($0.name)\"" }
        return "no version \"\(name)\""
            + (names.isEmpty ? "" : "; its versions are \(names.joined(separator: ", "))")
    }
}
