// SPDX-License-Identifier: Apache-2.0

import EditHost
import Hummingbird
import JSONOutput
import Library

extension StudioRoutes {
    private struct VersionBody: Decodable, Sendable {
        let selection: RequestedAssets
        let name: String
        let to: String?
        let replace: Bool?

        private enum CodingKeys: String, CodingKey { case name, to, replace }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(
                decoder, known: RequestedAssets.members + ["name", "to", "replace"])
            selection = try RequestedAssets(from: decoder)
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            to = try values.decodeIfPresent(String.self, forKey: .to)
            replace = try values.decodeIfPresent(Bool.self, forKey: .replace)
        }

        /// - Throws: `StudioError` with `invalidRequest` if the body has a member that belongs to another request.
        func rejectOthers(to: Bool = false, replace: Bool = false) throws(StudioError) {
            if !to, self.to != nil { throw StudioError(.invalidRequest, "to is for rename only") }
            if !replace, self.replace != nil {
                throw StudioError(.invalidRequest, "replace is for save only")
            }
        }
    }

    /// Adds the requests for the named versions of assets.
    func addVersions(to router: Router<StudioContext>) {
        router.post("/api/assets/versions/save") { request, context -> Response in
            let body = try await json.decode(VersionBody.self, from: request)
            try body.rejectOthers(replace: true)
            return try await change(body, body.name, "saved", context) {
                try $0.saveVersion(named: body.name, replaces: body.replace ?? false)
            }
        }
        router.post("/api/assets/versions/rename") { request, context -> Response in
            let body = try await json.decode(VersionBody.self, from: request)
            try body.rejectOthers(to: true)
            guard let other = body.to else { throw StudioError(.invalidRequest, "to is missing") }
            return try await change(body, other, "renamed", context) {
                try $0.renameVersion(named: body.name, to: other)
            }
        }
        router.post("/api/assets/versions/remove") { request, context -> Response in
            let body = try await json.decode(VersionBody.self, from: request)
            try body.rejectOthers()
            return try await change(body, body.name, "removed", context) {
                try $0.removeVersion(named: body.name)
            }
        }
        router.post("/api/assets/versions/use") { request, context -> Response in
            let body = try await json.decode(VersionBody.self, from: request)
            try body.rejectOthers()
            let identifiers = try body.selection.identifiers(
                try context.requiredLogin, in: library)
            let results = try await host.useVersion(
                named: body.name, of: identifiers, in: library)
            return try response(to: results, row: \.editsRow)
        }
    }

    /// Changes versions of the selected assets, in one transaction.
    ///
    /// - Parameters:
    ///   - name: The name of the version afterwards.
    ///   - status: The outcome, as the command prints it.
    private func change(
        _ body: VersionBody, _ name: String, _ status: String, _ context: StudioContext,
        _ change: @escaping @Sendable (AssetChangeRequest) throws -> Void
    ) async throws -> Response {
        let assets = try assets(of: body.selection, context)
        try await library.performChanges {
            for asset in assets { try change(AssetChangeRequest(for: asset)) }
        }
        return try .json([
            "changed": assets.count,
            "rows": assets.map { JSONRow(version: name, of: $0.localIdentifier, status: status) },
        ])
    }
}
