// SPDX-License-Identifier: Apache-2.0

/// What a runner is doing, for the blame when it dies.
public enum RunnerPhase: Codable, Hashable, Sendable {
    /// Starting, or waiting for a request.
    case idle
    /// Opening or reading an encoded picture; no extension code is running.
    case decoding
    /// Loading an extension's library.
    case loading(extensionIdentifier: String)
    /// Inside a call of an extension; `call` is the name in the C contract.
    case calling(extensionIdentifier: String, call: String)
    /// Pulling pixels through the pipeline: the code of these extensions may be running.
    case pixels(extensionIdentifiers: [String])
}
