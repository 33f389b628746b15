// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// An error of a request that is not an error of the library or the host.
package struct StudioError: Error, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Sendable {
        /// The Host header has another name or port.
        case wrongHost
        /// The request comes from a page of another origin.
        case crossSite
        /// The request has no valid cookie or bearer token.
        case notLoggedIn
        /// The login token is wrong, used or expired.
        case wrongToken
        /// Too many wrong tokens within a minute.
        case tooManyAttempts
        /// The server was started with `--read-only`.
        case readOnly
        /// The path, or an object that its parameters name, does not exist.
        case notFound
        /// The path does not support the method.
        case methodNotAllowed
        /// The view does not exist or belongs to another login.
        case noSuchView
        /// The editing session does not exist, has ended or belongs to another login.
        case noSuchSession
        /// A preview with a newer revision was requested.
        case superseded
        /// The content key is not the current one.
        case staleKey
        /// A parameter or the body is invalid.
        case invalidRequest
        /// The body is not `application/json`.
        case notJSON
        /// The body is not `application/octet-stream`.
        case notBytes
        /// The JSON is nested too deeply or has too many values.
        case tooDeep
        /// The body is too long.
        case bodyTooLarge
        /// The body or the header did not arrive in time.
        case timeout
        /// The login has too many requests in flight.
        case tooManyRequests
        /// The login has too many views.
        case tooManyViews
        /// The requested range of bytes does not exist.
        case rangeNotSatisfiable
        /// The server failed.
        case failed
    }

    /// The kind of failure.
    package let code: Code
    /// A sentence without a full stop that states what happened and how to fix it.
    package let message: String

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

    /// The status of the response.
    package var status: HTTPResponse.Status {
        switch code {
        case .wrongHost: .misdirectedRequest
        case .crossSite, .readOnly: .forbidden
        case .notLoggedIn, .wrongToken: .unauthorized
        case .tooManyAttempts, .tooManyRequests, .tooManyViews: .tooManyRequests
        case .notFound, .noSuchView, .noSuchSession, .staleKey: .notFound
        case .superseded: .conflict
        case .methodNotAllowed: .methodNotAllowed
        case .invalidRequest, .tooDeep: .badRequest
        case .notJSON, .notBytes: .unsupportedMediaType
        case .bodyTooLarge: .contentTooLarge
        case .timeout: .requestTimeout
        case .rangeNotSatisfiable: .rangeNotSatisfiable
        case .failed: .internalServerError
        }
    }
}
