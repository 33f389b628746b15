// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Hummingbird
import JSONOutput
import Library

/// The response to a request that failed: `{"error":{"code":…,"message":…}}`. This is the only file that turns errors
/// into statuses.
enum ErrorResponse {
    /// Calls a closure, and converts an error to a response.
    static func catching(_ body: () async throws -> Response) async -> Response {
        do {
            return try await body()
        } catch {
            return response(to: error)
        }
    }

    /// Returns the JSON of an error.
    static func row(of error: any Error) -> JSONRow {
        let (_, code, message) = parts(of: error)
        return ["code": code, "message": message]
    }

    /// Returns the response to an error.
    ///
    /// - Parameter details: Further members of the error.
    static func response(to error: any Error, adding details: JSONRow? = nil) -> Response {
        let (status, code, _) = parts(of: error)
        let body: JSONRow = ["error": row(of: error).adding(details)]
        var response = (try? Response.json(body)) ?? Response(status: status)
        response.status = status
        if status == .tooManyRequests || status == .serviceUnavailable {
            response.headers[.retryAfter] =
                code == StudioError.Code.tooManyAttempts.rawValue ? "60" : "1"
        }
        return response
    }

    /// Returns the response to a request with another method than those that a path supports.
    static func methodNotAllowed(except methods: Set<HTTPRequest.Method>) -> Response {
        let names = methods.map(\.rawValue).sorted().joined(separator: ", ")
        var response = response(
            to: StudioError(.methodNotAllowed, "the methods of this path are \(names)"))
        response.headers[.allow] = names
        return response
    }

    private static func parts(
        of error: any Error
    ) -> (status: HTTPResponse.Status, code: String, message: String) {
        switch error {
        case let error as StudioError: (error.status, error.code.rawValue, error.message)
        case let error as LibraryError: (status(of: error), error.code.rawValue, "\(error)")
        case let error as HostError: (status(of: error), error.code.rawValue, "\(error)")
        case let error as InvalidValueError:
            (.badRequest, StudioError.Code.invalidRequest.rawValue, "\(error)")
        case let error as DecodingError:
            (.badRequest, StudioError.Code.invalidRequest.rawValue, RequestJSON.message(of: error))
        case is CancellationError:
            (.serviceUnavailable, HostError.Code.cancelled.rawValue, "the request was cancelled")
        case let error as HTTPError: parts(of: error)
        default:
            (.internalServerError, StudioError.Code.failed.rawValue, "the server failed: \(error)")
        }
    }

    private static func parts(
        of error: HTTPError
    ) -> (status: HTTPResponse.Status, code: String, message: String) {
        let code: StudioError.Code
        switch error.status {
        case .notFound: code = .notFound
        case .methodNotAllowed: code = .methodNotAllowed
        case .contentTooLarge: code = .bodyTooLarge
        default: code = .invalidRequest
        }
        return (error.status, code.rawValue, error.body ?? error.status.reasonPhrase.lowercased())
    }

    private static func status(of error: LibraryError) -> HTTPResponse.Status {
        switch error.code {
        case .noSuchAsset, .noSuchEdit, .noSuchVersion, .noSuchEntry, .noSuchCollection,
            .originalMissing, .blobMissing, .renditionMissing:
            .notFound
        case .invalidRequest, .invalidChangeToken, .folderInItself, .sizeMismatch,
            .invalidAdjustmentData:
            .badRequest
        case .conflict, .nothingToUndo, .nothingToRedo, .alreadyExists, .versionExists,
            .ambiguousIdentifier:
            .conflict
        case .readOnly, .notAuthorized: .forbidden
        case .changeTokenExpired: .gone
        case .busy: .serviceUnavailable
        case .unsupportedMediaType: .unprocessableContent
        case .cannotWrite: .insufficientStorage
        default: .internalServerError
        }
    }

    private static func status(of error: HostError) -> HTTPResponse.Status {
        switch error.code {
        case .badParameter, .badRequest: .badRequest
        case .noSuchExtension, .noSuchFile: .notFound
        case .unusableExtension, .unsupportedMediaType, .cannotRender, .badInput, .blockedFormat:
            .unprocessableContent
        case .extensionFailed, .runnerFailed, .missingRenderedContent, .invalidRenderedContent:
            .badGateway
        case .runnerUnavailable, .sandboxUnavailable, .busy, .cancelled: .serviceUnavailable
        case .tooManySessions, .ambiguousExtension, .sidecarChanged: .conflict
        case .sessionEnded: .gone
        case .badConfiguration, .fileFailed: .internalServerError
        }
    }
}

extension HTTPResponse.Status {
    fileprivate static let insufficientStorage = HTTPResponse.Status(
        code: 507, reasonPhrase: "Insufficient Storage")
}
