// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The activity of a runner, used to attribute a crash.
package enum RunnerPhase: Codable, Hashable, Sendable {
    /// Starting, or waiting for a request.
    case idle
    /// Opening or reading an encoded picture; no extension code is running.
    case decoding
    /// Loading an extension's library.
    case loading(extensionIdentifier: String)
    /// Executing a function of an extension; `call` is its name in the C contract.
    case calling(extensionIdentifier: String, call: String)
    /// Waiting for an extension to call the completion of its `finish`, which has returned.
    case awaitingCompletion(extensionIdentifier: String)
    /// Computing pixels; the code of these extensions may be running.
    case pixels(extensionIdentifiers: [String])
}
