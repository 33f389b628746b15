// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// The token in an Authorization header, which programs send in place of a cookie.
enum BearerToken {
    /// Returns the token of a request, or nil if it has no such header.
    static func of(_ request: Request) -> String? {
        guard let value = request.headers[.authorization] else { return nil }
        let prefix = "bearer "
        guard value.lowercased().hasPrefix(prefix) else { return nil }
        return String(value.dropFirst(prefix.count))
    }
}
