// SPDX-License-Identifier: Apache-2.0

import Library

extension Asset {
    /// Requests the input for an application's own edit of this asset. Returns immediately. See
    /// ``ExtensionHost/requestContentEditingInput(for:in:options:completionHandler:)``.
    ///
    /// - Parameters:
    ///   - options: The options; nil for the defaults.
    ///   - library: The library of the asset; nil for ``PhotoLibrary/shared``.
    ///   - host: The host that creates the input; nil for ``ExtensionHost/shared``.
    ///   - completionHandler: Called exactly once, on any thread, after this method has returned. Receives the error
    ///     if the shared library or host is unavailable.
    /// - Returns: The identifier with which the request can be cancelled.
    @discardableResult
    public func requestContentEditingInput(
        with options: ContentEditingInputRequestOptions? = nil, in library: PhotoLibrary? = nil,
        host: ExtensionHost? = nil, completionHandler: @escaping ContentEditingInputHandler
    ) -> ContentEditingInputRequestID {
        do {
            return try (host ?? .shared).requestContentEditingInput(
                for: self, in: library ?? .shared, options: options,
                completionHandler: completionHandler)
        } catch {
            let identifier = ContentEditingInputRequestID.next()
            // The handler must not be called on the caller's thread.
            Task.detached {
                completionHandler(
                    nil,
                    ContentEditingInputInfo(requestID: identifier, isCancelled: false, error: error)
                )
            }
            return identifier
        }
    }

    /// Returns the input for an application's own edit of this asset.
    ///
    /// - Parameters:
    ///   - options: The options; nil for the defaults.
    ///   - library: The library of the asset; nil for ``PhotoLibrary/shared``.
    ///   - host: The host that creates the input; nil for ``ExtensionHost/shared``.
    /// - Throws: `HostError` or `LibraryError`, with the asset; `HostError` with `cancelled`
    ///   if the task was cancelled.
    public func requestContentEditingInput(
        with options: ContentEditingInputRequestOptions? = nil, in library: PhotoLibrary? = nil,
        host: ExtensionHost? = nil
    ) async throws -> ContentEditingInput {
        try await (host ?? .shared).requestContentEditingInput(
            for: self, in: library ?? .shared, options: options)
    }

    /// Cancels a request: stops its work and calls its handler soon afterwards. A no-op if
    /// the request has been answered or is unknown.
    ///
    /// - Parameter host: The host of the request; nil for ``ExtensionHost/shared``.
    public func cancelContentEditingInputRequest(
        _ requestID: ContentEditingInputRequestID, host: ExtensionHost? = nil
    ) {
        (host ?? ExtensionHost.sharedIfThere)?.cancelContentEditingInputRequest(requestID)
    }
}
