// SPDX-License-Identifier: Apache-2.0

import EditHost
import Hummingbird
import JSONOutput
import Library

extension StudioRoutes {
    private struct OrientationBody: Decodable, Sendable {
        let selection: RequestedAssets
        let degrees: Int?
        let direction: String?

        private enum CodingKeys: String, CodingKey { case degrees, direction }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(
                decoder, known: RequestedAssets.members + ["degrees", "direction"])
            selection = try RequestedAssets(from: decoder)
            let values = try decoder.container(keyedBy: CodingKeys.self)
            degrees = try values.decodeIfPresent(Int.self, forKey: .degrees)
            direction = try values.decodeIfPresent(String.self, forKey: .direction)
        }
    }

    /// Adds the requests that change the edits of assets.
    func addEdits(to router: Router<StudioContext>) {
        router.post("/api/assets/undo") { request, context -> Response in
            try await move(request, context, among: undoable) {
                try await host.undo($0, in: library)
            }
        }
        router.post("/api/assets/redo") { request, context -> Response in
            try await move(request, context, among: undone) {
                try await host.redo($0, in: library)
            }
        }
        router.post("/api/assets/revert") { request, context -> Response in
            try await move(request, context, among: edited) {
                try await host.revert($0, in: library)
            }
        }
        router.post("/api/assets/turn") { request, context -> Response in
            let body = try await json.decode(OrientationBody.self, from: request)
            let degrees = body.degrees ?? 90
            guard body.direction == nil, degrees % 90 == 0, abs(degrees) <= 270 else {
                throw StudioError(.invalidRequest, "degrees must be 90, 180 or 270, or negative")
            }
            return try await changeOrientation(body.selection, context) { $0.rotate(degrees / 90) }
        }
        router.post("/api/assets/flip") { request, context -> Response in
            let body = try await json.decode(OrientationBody.self, from: request)
            switch body.direction ?? "horizontal" {
            case "horizontal" where body.degrees == nil:
                return try await changeOrientation(body.selection, context) {
                    $0.flipHorizontally()
                }
            case "vertical" where body.degrees == nil:
                return try await changeOrientation(body.selection, context) { $0.flipVertically() }
            default: throw StudioError(.invalidRequest, "direction must be horizontal or vertical")
            }
        }
    }

    /// - Parameter among: Returns those of many assets that the move can change. The histories of the others are not
    ///   read.
    private func move(
        _ request: Request, _ context: StudioContext, among: ([String]) throws -> [String],
        _ move: @Sendable ([String]) async throws -> [EditResult]
    ) async throws -> Response {
        let selection = try await json.decode(SelectionBody.self, from: request).selection
        let identifiers = try selection.identifiers(try context.requiredLogin, in: library)
        let moved = selection.assets == nil ? try among(identifiers) : identifiers
        return try response(to: await move(moved))
    }

    private func edited(_ identifiers: [String]) throws -> [String] {
        var options = FetchOptions()
        options.predicate = .hasAdjustments
        return try Asset.fetchAssets(
            withLocalIdentifiers: identifiers, in: library, options: options
        ).localIdentifiers()
    }

    private func undoable(_ identifiers: [String]) throws -> [String] {
        let all = try library.identifiersOfAssetsToUndo()
        return identifiers.filter(all.contains)
    }

    private func undone(_ identifiers: [String]) throws -> [String] {
        let all = try library.identifiersOfAssetsToRedo()
        return identifiers.filter(all.contains)
    }

    /// Rotates or flips assets. Those that need equal values are edited in one transaction.
    private func changeOrientation(
        _ selection: RequestedAssets, _ context: StudioContext,
        _ change: @Sendable (inout OrientationChange) -> Void
    ) async throws -> Response {
        let identifiers = try selection.identifiers(try context.requiredLogin, in: library)
        var groups: [OrientationChange: [String]] = [:]
        for identifier in identifiers {
            var orientation = try await orientationChange(of: identifier)
            change(&orientation)
            groups[orientation, default: []].append(identifier)
        }
        var results: [EditResult] = []
        for (orientation, identifiers) in groups {
            results += try await host.edit(
                identifiers,
                EditRequest(
                    extensionName: OrientationChange.extensionIdentifier, values: orientation.values
                ),
                in: library)
        }
        return try response(to: results)
    }

    /// Returns the values of the last edit if it can be continued.
    private func orientationChange(of identifier: String) async throws -> OrientationChange {
        let history = try library.history(ofAsset: identifier)
        guard let tip = history.chain.last, tip.isEnabled,
            tip.editingExtension?.identifier == OrientationChange.extensionIdentifier
        else { return OrientationChange() }
        let values = try await host.values(of: [tip], of: history, in: library)
        return values[tip.identifier]?.known.map { OrientationChange($0) } ?? OrientationChange()
    }

    /// Returns the response to a change of edits: the number of changed assets, and a row for each asset.
    func response(
        to results: [EditResult], row: (EditResult) -> JSONRow = { $0.history.positionRow }
    ) throws -> Response {
        try .json(["changed": results.filter(\.hasChanged).count, "rows": results.map(row)])
    }
}
