// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Hummingbird
import NIOCore

/// Reads the JSON bodies of requests, within limits.
struct RequestJSON: Sendable {
    let limits: StudioLimits

    /// Returns the body of a request.
    ///
    /// - Throws: `StudioError` with `notJSON`, `bodyTooLarge`, `timeout`, `tooDeep` or `invalidRequest`; `DecodingError`.
    func decode<Value: Decodable & Sendable>(
        _ type: Value.Type, from request: Request
    ) async throws -> Value {
        let kind = request.headers[.contentType]?.split(separator: ";").first ?? ""
        guard kind.lowercased() == "application/json" else {
            throw StudioError(.notJSON, "the body must be application/json")
        }
        let body = Data(buffer: try await self.body(of: request, limits.bodyBytes))
        let json = JSONLimits(bytes: limits.bodyBytes, depth: limits.jsonDepth)
        if let excess = json.excess(of: body) {
            throw StudioError(.tooDeep, "the body cannot be read: \(excess)")
        }
        return try JSONDecoder().decode(type, from: body)
    }

    /// Returns the bytes of a file.
    ///
    /// - Throws: `StudioError` with `notBytes`, `bodyTooLarge`, `timeout`, or `invalidRequest` if there are none.
    func bytes(of request: Request, maximum: Int) async throws -> Data {
        let kind = request.headers[.contentType]?.split(separator: ";").first ?? ""
        guard kind.lowercased() == "application/octet-stream" else {
            throw StudioError(.notBytes, "the body must be application/octet-stream")
        }
        let bytes = Data(buffer: try await body(of: request, maximum))
        guard !bytes.isEmpty else { throw StudioError(.invalidRequest, "the file is empty") }
        return bytes
    }

    private func body(of request: Request, _ maximum: Int) async throws -> ByteBuffer {
        let body = request.body
        return try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            group.addTask {
                do {
                    return try await body.collect(upTo: maximum)
                } catch is NIOTooManyBytesError {
                    throw StudioError(.bodyTooLarge, "the body has more than \(maximum) bytes")
                }
            }
            group.addTask { [limits] in
                try await Task.sleep(for: .seconds(limits.bodySeconds))
                throw StudioError(.timeout, "the body did not arrive in time")
            }
            defer { group.cancelAll() }
            guard let body = try await group.next() else { throw CancellationError() }
            return body
        }
    }

    /// Returns the reason why JSON could not be decoded, with the place of the error.
    static func message(of error: DecodingError) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "the body" : path
        }
        return switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "the body is not valid JSON"
        case .dataCorrupted(let context): "\(place(context)): \(context.debugDescription)"
        case .keyNotFound(let key, _): "\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(place(context)) has the wrong type"
        @unknown default: "the body is invalid"
        }
    }
}
