// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import FileAccess
import Foundation
import Hashing
import Hummingbird
import NIOCore

/// Reads the bodies of requests, JSON or files, within limits.
struct RequestJSON: Sendable {
    let limits: StudioLimits

    /// Returns the body of a request.
    ///
    /// - Throws: `StudioError` with `notJSON`, `bodyTooLarge`, `timeout`, `tooDeep` or `invalidRequest`;
    ///   `DecodingError`.
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
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch let error as DecodingError where error.isNumberMismatch(in: body) {
            throw StudioError(.invalidRequest, DecodingError.numberMismatch)
        }
    }

    /// Writes the body of a request to a file as it arrives.
    ///
    /// - Returns: The SHA-256 of the bytes.
    /// - Throws: `StudioError` with `notBytes`, `bodyTooLarge`, `timeout`, or `invalidRequest` if there are no bytes or
    ///   fewer than the request announces; `SystemError`.
    func receive(
        _ request: Request, maximum: Int, into file: OpenFile
    ) async throws -> SHA256Digest {
        let kind = request.headers[.contentType]?.split(separator: ";").first ?? ""
        guard kind.lowercased() == "application/octet-stream" else {
            throw StudioError(.notBytes, "the body must be application/octet-stream")
        }
        let (body, length) = (request.body, request.headers[.contentLength].flatMap { Int($0) })
        return try await inTime {
            var (hash, count) = (SHA256(), 0)
            for try await part in body {
                count += part.readableBytes
                guard count <= maximum else { throw Self.tooLarge(maximum) }
                try part.withUnsafeReadableBytes { bytes in
                    hash.update(bufferPointer: bytes)
                    try file.append(bytes)
                }
            }
            guard count > 0 else { throw StudioError(.invalidRequest, "the file is empty") }
            // The body also ends if the connection does.
            guard count == length ?? count else {
                throw StudioError(.invalidRequest, "the file is truncated")
            }
            return SHA256Digest(bytes: hash.finalize())
        }
    }

    private func body(of request: Request, _ maximum: Int) async throws -> ByteBuffer {
        let body = request.body
        return try await inTime {
            do {
                return try await body.collect(upTo: maximum)
            } catch is NIOTooManyBytesError {
                throw Self.tooLarge(maximum)
            }
        }
    }

    private static func tooLarge(_ maximum: Int) -> StudioError {
        StudioError(.bodyTooLarge, "the body has more than \(maximum) bytes")
    }

    /// Reads a body within the time limit.
    private func inTime<Value: Sendable>(
        _ read: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: read)
            group.addTask { [limits] in
                try await Task.sleep(for: .seconds(limits.bodySeconds))
                throw StudioError(.timeout, "the body did not arrive in time")
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
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
