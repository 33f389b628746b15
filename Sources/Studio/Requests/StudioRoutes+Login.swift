// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import JSONOutput
import Library
import RunnerHost

extension StudioRoutes {
    private struct LoginRequest: Decodable, Sendable {
        let token: String
    }

    /// Adds login, logout and the state of the server.
    func addLogin(to router: Router<StudioContext>) {
        router.post("/api/login") { request, _ -> Response in
            if let token = BearerToken.of(request) {
                return try .json(["bearer": logins.logIn(with: token).text])
            }
            let body = try await json.decode(LoginRequest.self, from: request)
            let secret = try logins.logIn(with: body.token)
            var response = Response.noContent
            response.headers[.setCookie] = LoginCookie.setting(secret, at: address)
            return response
        }
        router.post("/api/logout") { _, context -> Response in
            logins.logOut(try context.requiredLogin)
            var response = Response.noContent
            response.headers[.setCookie] = LoginCookie.removing(at: address)
            return response
        }
        router.get("/api/state") { _, _ -> Response in try .json(stateRow()) }
    }

    private func stateRow() throws -> JSONRow {
        let isReader = configuration.isReadOnly || library.options.isReadOnly
        return [
            "version": HostVersion.current,
            "role": isReader ? "reader" : "owner",
            "library": [
                "id": try library.identifier,
                "name": (library.path as NSString).lastPathComponent,
            ] as JSONRow,
            "languages": ["en", "de"],
            "limits": limits.row,
            "token": "\(try library.currentChangeToken)",
        ]
    }
}

extension StudioLimits {
    /// The JSON of the limits that pages must know.
    fileprivate var row: JSONRow {
        [
            "bodyBytes": bodyBytes, "jsonDepth": jsonDepth, "requests": requestsPerLogin,
            "views": viewsPerLogin, "rows": rows, "pictureSide": pictureSide,
        ]
    }
}
