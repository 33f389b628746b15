// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore

/// The context of a request: its connection, and its login once it has been checked.
struct StudioContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection of the request.
    let channel: any Channel
    /// The login; nil before the check, and for requests that require no login.
    var login: Login?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The login of a request that has been checked.
    ///
    /// - Throws: `StudioError` with `notLoggedIn`.
    var requiredLogin: Login {
        get throws(StudioError) {
            guard let login else { throw StudioError(.notLoggedIn, "log in first") }
            return login
        }
    }
}
