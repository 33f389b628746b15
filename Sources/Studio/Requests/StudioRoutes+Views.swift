// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import JSONOutput
import Library

extension StudioRoutes {
    /// Adds the requests for views.
    func addViews(to router: Router<StudioContext>) {
        router.post("/api/views") { request, context -> Response in
            let body = try await json.decode(ViewRequest.self, from: request)
            let view = try StudioView(body, in: library)
            let name = try context.requiredLogin.add(view)
            return try .json(row(of: view, named: name), status: .created)
        }
        router.get("/api/views/:view") { _, context -> Response in
            let (view, name) = try view(of: context)
            return try .json(row(of: view, named: name))
        }
        router.delete("/api/views/:view") { _, context -> Response in
            try context.requiredLogin.removeView(try context.parameters.require("view"))
            return .noContent
        }
        router.get("/api/views/:view/shapes") { request, context -> Response in
            let snapshot = try view(of: context).view.snapshot
            let query = Query(request)
            let isPart = query.text("from") != nil || query.text("count") != nil
            let range = try isPart ? range(query, below: snapshot.result.count) : nil
            return Response(
                status: .ok,
                headers: [
                    .contentType: "application/octet-stream", .changeToken: "\(snapshot.token)",
                ],
                body: .init(
                    byteBuffer: ShapesResponse.bytes(of: try snapshot.result.shapes(at: range))))
        }
        router.get("/api/views/:view/rows") { request, context -> Response in
            try .json(rows(of: view(of: context).view, Query(request)))
        }
        router.get("/api/views/:view/position") { request, context -> Response in
            try .json(position(in: view(of: context).view, Query(request)))
        }
    }

    private func view(of context: StudioContext) throws -> (view: StudioView, name: String) {
        let name = try context.parameters.require("view")
        return (try context.requiredLogin.view(name), name)
    }

    private func row(of view: StudioView, named name: String) -> JSONRow {
        let snapshot = view.snapshot
        return [
            "view": name, "count": snapshot.result.count, "token": "\(snapshot.token)",
        ]
    }

    private func rows(of view: StudioView, _ query: Query) throws -> JSONRow {
        let snapshot = view.snapshot
        let range = try range(query, below: snapshot.result.count)
        let keys = try snapshot.result.contentKeys(
            at: range, seed: Self.seed, extensions: extensionBuilds)
        // A deleted asset is null until the page is notified of its removal.
        let rows = try zip(range, keys).map { position, key -> JSONRow? in
            try snapshot.result.object(at: position)?.row.adding(["key": key?.description])
        }
        return ["from": range.lowerBound, "rows": rows, "token": "\(snapshot.token)"]
    }

    /// Returns the positions that a request asks for.
    ///
    /// - Throws: `StudioError` with `invalidRequest`.
    private func range(_ query: Query, below end: Int) throws -> Range<Int> {
        let from = try query.integer("from", in: 0...Int(Int32.max)) ?? 0
        let count = try query.integer("count", in: 0...limits.rows) ?? limits.rows
        let start = min(from, end)
        return start..<min(start + count, end)
    }

    private func position(in view: StudioView, _ query: Query) throws -> JSONRow {
        let snapshot = view.snapshot
        let identifier = try query.required("id")
        return [
            "position": try snapshot.result.index(ofIdentifier: identifier),
            "token": "\(snapshot.token)",
        ]
    }
}
