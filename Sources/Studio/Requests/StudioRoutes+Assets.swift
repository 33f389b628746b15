// SPDX-License-Identifier: Apache-2.0

import EditHost
import Hummingbird
import JSONOutput
import Library

extension StudioRoutes {
    private struct ChangeBody: Decodable, Sendable {
        let selection: RequestedAssets
        let change: AssetChange

        private enum CodingKeys: String, CodingKey { case set }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(decoder, known: RequestedAssets.members + ["set"])
            selection = try RequestedAssets(from: decoder)
            change = try decoder.container(keyedBy: CodingKeys.self)
                .decode(AssetChange.self, forKey: .set)
        }
    }

    /// Adds the requests for assets.
    func addAssets(to router: Router<StudioContext>) {
        router.get("/api/assets/:id") { _, context -> Response in
            try await .json(details(of: context.parameters.require("id")))
        }
        router.patch("/api/assets") { request, context -> Response in
            let body = try await json.decode(ChangeBody.self, from: request)
            let assets = try assets(of: body.selection, context)
            try await library.performChanges {
                for asset in assets { try body.change.apply(to: AssetChangeRequest(for: asset)) }
            }
            return try .json(["changed": assets.count])
        }
        router.delete("/api/assets") { request, context -> Response in
            let body = try await json.decode(SelectionBody.self, from: request)
            let assets = try assets(of: body.selection, context)
            try await library.performChanges { try AssetChangeRequest.deleteAssets(assets) }
            return try .json(["changed": assets.count])
        }
        router.post("/api/assets/restore") { request, context -> Response in
            let body = try await json.decode(SelectionBody.self, from: request)
            let assets = try assets(of: body.selection, mayBeTrashed: true, context)
            try await library.performChanges { try AssetChangeRequest.restoreAssets(assets) }
            return try .json(["changed": assets.count])
        }
    }

    /// Returns the assets of a request.
    ///
    /// - Parameter mayBeTrashed: Whether assets in the trash are accepted.
    /// - Throws: `StudioError` with `invalidRequest`; `LibraryError` with `noSuchAsset` or `conflict`.
    func assets(
        of selection: RequestedAssets, mayBeTrashed: Bool = false, _ context: StudioContext
    ) throws -> [Asset] {
        let identifiers = try selection.identifiers(try context.requiredLogin, in: library)
        var options = FetchOptions()
        options.includeTrashedAssets = mayBeTrashed
        let assets = try Asset.fetchAssets(
            withLocalIdentifiers: identifiers, in: library, options: options
        ).elements()
        let found = Set(assets.map(\.localIdentifier))
        if let missing = identifiers.first(where: { !found.contains($0) }) {
            // Throws the error for an unknown asset or one in the trash.
            _ = try library.asset(withLocalIdentifier: missing, mayBeTrashed: mayBeTrashed)
            throw LibraryError(
                .conflict, "the photo was restored in the meantime; try again", asset: missing)
        }
        return assets
    }

    /// Returns what `show`, `history`, `version list` and `resources` print.
    private func details(of identifier: String) async throws -> JSONRow {
        let history = try library.history(ofAsset: identifier)
        let edits = history.chain + history.states.compactMap(\.tip)
        let values = edits.isEmpty ? [:] : try await values(of: edits, of: history)
        let place = history.original.map { library.availability(of: $0) } ?? .absent
        let row = history.detailRow(
            keywords: try history.asset.keywords(in: library), place: place, values: values)
        return row.adding([
            "key": try contentKey(ofAsset: identifier).description,
            "history": (0...history.states.count).map { history.row(ofPosition: $0, values) },
            "versions": history.versions.map { history.row(of: $0) },
            "resources": try AssetResource.assetResources(for: history.asset, in: library).map {
                $0.row(in: library)
            },
        ])
    }

    /// Returns the values of edits. If no extension can run, they contain the reason.
    private func values(
        of edits: [Edit], of history: AssetHistory
    ) async throws -> [String: EditValues] {
        do {
            return try await host.values(of: edits, of: history, in: library)
        } catch let error as HostError {
            return Dictionary(
                edits.map { ($0.identifier, EditValues.unknown(error.message)) },
                uniquingKeysWith: { first, _ in first })
        }
    }
}
