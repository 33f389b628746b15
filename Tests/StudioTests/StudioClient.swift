// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Studio

/// A client that sends requests as the page of the studio does.
struct StudioClient: Sendable {
    let client: any TestClientProtocol
    let server: StudioServer
    var headers: HTTPFields = [.secFetchSite: "same-origin"]

    /// Returns a client that is logged in.
    func loggedIn() async throws -> StudioClient {
        let token = try server.tokens.issue()
        let response = try await send(.post, "/api/login", #"{"token":"\#(token.text)"}"#)
        #expect(response.status == .noContent)
        let cookie = try #require(response.headers[.setCookie]?.split(separator: ";").first)
        var copy = self
        copy.headers[.cookie] = String(cookie)
        return copy
    }

    /// Sends a request, with JSON unless the body is nil.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
    ) async throws -> TestResponse {
        var headers = headers
        if body != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return try await client.executeRequest(
            uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    }

    /// Sends a request and returns its JSON object.
    func json(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> [String: Any] {
        let response = try await send(method, path, body)
        #expect(response.status == status, "\(String(buffer: response.body))")
        let object = try JSONSerialization.jsonObject(with: Data(buffer: response.body))
        return try #require(object as? [String: Any])
    }

    /// Sends a request and returns the code of its error.
    func errorCode(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        status: HTTPResponse.Status
    ) async throws -> String? {
        let object = try await json(method, path, body, status: status)
        return (object["error"] as? [String: Any])?["code"] as? String
    }
}
