// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Hummingbird
import JSONOutput
import Library

extension StudioRoutes {
    private struct FinishBody: Decodable, Sendable {
        let values: [String: ParameterValue]

        private enum CodingKeys: String, CodingKey, CaseIterable { case values }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(decoder, known: CodingKeys.allCases.map(\.rawValue))
            values =
                try decoder.container(keyedBy: CodingKeys.self)
                .decodeIfPresent([String: ParameterValue].self, forKey: .values) ?? [:]
        }
    }

    private struct CancelBody: Decodable, Sendable {
        let force: Bool

        private enum CodingKeys: String, CodingKey, CaseIterable { case force }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(decoder, known: CodingKeys.allCases.map(\.rawValue))
            force =
                try decoder.container(keyedBy: CodingKeys.self)
                .decodeIfPresent(Bool.self, forKey: .force) ?? false
        }
    }

    /// Adds the requests that open and end editing sessions.
    func addSessions(to router: Router<StudioContext>) {
        router.get("/api/sessions") { _, context -> Response in
            try .json(["sessions": sessions.sessions(of: context.requiredLogin).map(\.row)])
        }
        router.post("/api/sessions") { request, context -> Response in
            try await openSession(request, context)
        }
        router.post("/api/sessions/:id/renew") { _, context -> Response in
            _ = try session(of: context)
            return .noContent
        }
        router.post("/api/sessions/:id/finish") { request, context -> Response in
            let session = try session(of: context)
            let body = try await json.decode(FinishBody.self, from: request)
            let result = try await sessions.finish(session, body.values)
            return try .json([
                "changed": result.hasChanged ? 1 : 0, "row": result.history.positionRow,
            ])
        }
        router.post("/api/sessions/:id/cancel") { request, context -> Response in
            let session = try session(of: context)
            let body = try await json.decode(CancelBody.self, from: request)
            let isCancelled = await sessions.cancel(session, force: body.force)
            let row: JSONRow = ["ended": session.phase == .ended]
            return try .json(isCancelled ? row : row.adding(["shouldConfirm": true]))
        }
        router.delete("/api/sessions/:id") { _, context -> Response in
            _ = await sessions.cancel(try session(of: context), force: true)
            return .noContent
        }
    }

    /// Returns the session that a request names, and renews its lease.
    ///
    /// - Throws: `StudioError` with `noSuchSession`.
    func session(of context: StudioContext) throws -> StudioSession {
        try sessions.session(context.parameters.require("id"), of: context.requiredLogin)
    }

    private func openSession(_ request: Request, _ context: StudioContext) async throws -> Response
    {
        let login = try context.requiredLogin
        let body = try await json.decode(SessionRequest.self, from: request)
        guard !library.options.isReadOnly else {
            throw StudioError(.readOnly, "the library is open read-only")
        }
        do {
            // Closing the tab closes the connection. Without cancellation, a session that the page does not know about
            // would stay open.
            let session = try await Disconnection.cancelling(context.channel) {
                try await sessions.open(body, login)
            }
            return try .json(row(ofOpened: session), status: .created)
        } catch let error as HostError where error.code == .tooManySessions {
            return ErrorResponse.response(
                to: error, adding: ["sessions": sessions.sessions(of: login).map(\.row)])
        }
    }

    private func row(ofOpened session: StudioSession) throws -> JSONRow {
        let editing = session.editing
        let installed = try host.extensions.catalogue.installed(named: editing.manifest.identifier)
        let size = session.fullSize(isOther: false)
        let displayed = size.fitted(intoSquareOf: session.displaySize)
        return [
            "id": session.id, "asset": editing.assetIdentifier,
            "extension": row(of: installed),
            "input": editing.continuesEdit ? "previous" : "current",
            "values": SessionValues.all(of: editing),
            "width": size.width, "height": size.height,
            "displayWidth": displayed.width, "displayHeight": displayed.height,
            "offeredPresets": editing.manifest.presets,
            "editsMotion": editing.editsMotion, "leaseSeconds": limits.leaseSeconds,
        ]
    }
}

extension PixelSize {
    /// Returns the size with the same aspect ratio that fits into a square. Never enlarges.
    fileprivate func fitted(intoSquareOf side: Int) -> PixelSize {
        let scale = min(1, Double(side) / Double(max(width, height, 1)))
        func scaled(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}
