// SPDX-License-Identifier: Apache-2.0

import EditHost
import Hummingbird
import JSONOutput
import Library

extension StudioRoutes {
    /// Edits of a stack, by their positions from 1.
    private struct EditsBody: Decodable, Sendable {
        let edits: Set<Int>
        let tip: String?

        private enum CodingKeys: String, CodingKey, CaseIterable { case edits, tip }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(decoder, known: CodingKeys.allCases.map(\.rawValue))
            let values = try decoder.container(keyedBy: CodingKeys.self)
            edits = Set(try values.decode([Int].self, forKey: .edits))
            tip = try values.decodeIfPresent(String.self, forKey: .tip)
        }
    }

    private struct MoveBody: Decodable, Sendable {
        let edit: Int
        let to: Int
        let tip: String?

        private enum CodingKeys: String, CodingKey, CaseIterable { case edit, to, tip }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(decoder, known: CodingKeys.allCases.map(\.rawValue))
            let values = try decoder.container(keyedBy: CodingKeys.self)
            edit = try values.decode(Int.self, forKey: .edit)
            to = try values.decode(Int.self, forKey: .to)
            tip = try values.decodeIfPresent(String.self, forKey: .tip)
        }
    }

    private struct StateBody: Decodable, Sendable {
        let state: Int

        private enum CodingKeys: String, CodingKey { case state }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(decoder, known: [CodingKeys.state.rawValue])
            state = try decoder.container(keyedBy: CodingKeys.self)
                .decode(Int.self, forKey: .state)
        }
    }

    private struct ReplacementBody: Decodable, Sendable {
        let selection: RequestedAssets
        let old: String
        let new: String

        private enum CodingKeys: String, CodingKey { case old, new }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(decoder, known: RequestedAssets.members + ["old", "new"])
            selection = try RequestedAssets(from: decoder)
            let values = try decoder.container(keyedBy: CodingKeys.self)
            old = try values.decode(String.self, forKey: .old)
            new = try values.decode(String.self, forKey: .new)
        }
    }

    /// Adds the requests that change the edit stack of an asset, or its position in the history.
    func addEditStacks(to router: Router<StudioContext>) {
        router.post("/api/assets/:id/state") { request, context -> Response in
            let body = try await json.decode(StateBody.self, from: request)
            let asset = try context.parameters.require("id")
            return try response(to: [
                await host.move(asset, toState: body.state, in: library)
            ])
        }
        router.post("/api/assets/:id/edits/remove") { request, context -> Response in
            try await change(request, context) { (asset: String, body: EditsBody) in
                try await host.removeEdits(at: body.edits, of: asset, in: library, tip: body.tip)
            }
        }
        router.post("/api/assets/:id/edits/enable") { request, context -> Response in
            try await change(request, context) { (asset: String, body: EditsBody) in
                try await host.setEdits(
                    at: body.edits, of: asset, enabled: true, in: library, tip: body.tip)
            }
        }
        router.post("/api/assets/:id/edits/disable") { request, context -> Response in
            try await change(request, context) { (asset: String, body: EditsBody) in
                try await host.setEdits(
                    at: body.edits, of: asset, enabled: false, in: library, tip: body.tip)
            }
        }
        router.post("/api/assets/:id/edits/move") { request, context -> Response in
            try await change(request, context) { (asset: String, body: MoveBody) in
                try await host.moveEdit(
                    at: body.edit, to: body.to, of: asset, in: library, tip: body.tip)
            }
        }
        router.post("/api/assets/replace-extension") { request, context -> Response in
            let body = try await json.decode(ReplacementBody.self, from: request)
            let identifiers = try body.selection.identifiers(
                try context.requiredLogin, in: library)
            let results = try await host.applyEdits(
                of: .edits(by: body.old, takenBy: body.new), to: identifiers, in: library)
            return try response(to: results, row: \.editsRow)
        }
    }

    private func change<Body: Decodable & Sendable>(
        _ request: Request, _ context: StudioContext,
        _ change: @Sendable (String, Body) async throws -> EditResult
    ) async throws -> Response {
        let body = try await json.decode(Body.self, from: request)
        let result = try await change(context.parameters.require("id"), body)
        return try response(to: [result], row: \.editsRow)
    }
}
