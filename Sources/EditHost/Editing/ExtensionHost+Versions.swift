// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ExtensionHost {
    /// Applies the edits of the assets' versions with a name, as one atomic change. Each asset gets one new
    /// state, which can be undone. Renditions that are no longer stored are re-rendered.
    ///
    /// - Parameters:
    ///   - name: The name of the versions.
    ///   - identifiers: The assets, without duplicates.
    ///   - prepared: Called in order with the identifier of each asset whose rendition is available.
    ///   - outcome: Returns what is kept of the result for an asset, for large batches. Called in the transaction, so it
    ///     must not use the library.
    /// - Returns: The outcome for each asset, in order. Assets that have these edits already stay as they are.
    /// - Throws: `HostError`; `LibraryError` with `noSuchVersion`; `CancellationError`; in that case, nothing has
    ///   changed.
    public func useVersion<Outcome: Sendable>(
        named name: String, of identifiers: [String], in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in },
        outcome: @escaping @Sendable (EditResult) throws -> Outcome = { $0 }
    ) async throws -> [Outcome] {
        try await changeEdits(
            of: identifiers, in: library, attempts: 1, prepared: prepared, outcome: outcome
        ) {
            let history = try library.history(ofAsset: $0)
            let version = try Self.version(named: name, of: history)
            guard history.chain.last?.identifier != version.tip?.identifier else {
                return PreparedEdit(unchanged: history)
            }
            let rendered = try await self.missing(version.chain, of: history, in: library)
            return PreparedEdit(
                of: history, .useVersion(version, of: history.asset, rendered: rendered))
        }
    }

    /// Returns the version with a name.
    ///
    /// - Throws: `LibraryError` with `noSuchVersion`, or an error that lists the candidates.
    static func version(
        named name: String, of history: AssetHistory
    ) throws -> AssetVersion {
        if let version = history.version(named: name) { return version }
        let identifier = history.asset.localIdentifier
        let names = history.versions.map(\.name)
        if case .several(let found) = NameMatch(name, among: names) {
            throw LibraryError.ambiguousVersion(name, found, identifier)
        }
        let quoted = names.map { "\"\($0)\"" }.joined(separator: ", ")
        throw LibraryError(
            .noSuchVersion,
            "no version \"\(name)\"" + (names.isEmpty ? "" : "; its versions are \(quoted)"),
            asset: identifier)
    }
}
