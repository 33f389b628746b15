// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// The headers of every response that confine the page to this server.
enum SecurityHeaders {
    /// Pictures that the page generates, such as curves, are blobs. Everything else comes from this server.
    private static let contentPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
        "media-src 'self' blob:", "connect-src 'self'", "font-src 'self'", "manifest-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    private static let fields: [(HTTPField.Name, String)] = [
        (.contentSecurityPolicy, contentPolicy), (.xContentTypeOptions, "nosniff"),
        (.referrerPolicy, "no-referrer"), (.crossOriginOpenerPolicy, "same-origin"),
        (.crossOriginResourcePolicy, "same-origin"),
        (.permissionsPolicy, "camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
    ]

    /// Adds the headers to a response. The response is not cached unless its own headers allow it.
    static func add(to response: inout Response, isSecure: Bool) {
        for (name, value) in fields { response.headers[name] = value }
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    }
}
