// SPDX-License-Identifier: Apache-2.0

import Library

extension Asset {
    /// Asks for what an application needs to edit this asset by itself, as
    /// ``ExtensionHost/requestContentEditingInput(for:in:options:completionHandler:)``. Returns at
    /// once.
    ///
    /// - Parameters:
    ///   - options: how; nil for the usual.
    ///   - library: the library that it is of; nil for ``PhotoLibrary/shared``.
    ///   - host: who makes the input; nil for ``ExtensionHost/shared``.
    ///   - completionHandler: called exactly once, on any thread, later; where the shared library or
    ///     host cannot be had, with that error.
    /// - Returns: what the request can be cancelled by.
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
            // Not on the caller's thread.
            Task.detached {
                completionHandler(
                    nil,
                    ContentEditingInputInfo(requestID: identifier, isCancelled: false, error: error)
                )
            }
            return identifier
        }
    }

    /// Makes what an application needs to edit this asset by itself.
    ///
    /// - Parameters:
    ///   - options: how; nil for the usual.
    ///   - library: the library that it is of; nil for ``PhotoLibrary/shared``.
    ///   - host: who makes the input; nil for ``ExtensionHost/shared``.
    /// - Throws: `HostError` or `LibraryError`, naming the asset; `HostError` with `cancelled`
    ///   where the task was cancelled.
    public func requestContentEditingInput(
        with options: ContentEditingInputRequestOptions? = nil, in library: PhotoLibrary? = nil,
        host: ExtensionHost? = nil
    ) async throws -> ContentEditingInput {
        try await (host ?? .shared).requestContentEditingInput(
            for: self, in: library ?? .shared, options: options)
    }

    /// Cancels a request: its work is stopped, and its handler is told soon. Nothing happens where
    /// the request has been answered, or is not known.
    ///
    /// - Parameter host: who was asked; nil for ``ExtensionHost/shared``.
    public func cancelContentEditingInputRequest(
        _ requestID: ContentEditingInputRequestID, host: ExtensionHost? = nil
    ) {
        (host ?? ExtensionHost.sharedIfThere)?.cancelContentEditingInputRequest(requestID)
    }
}
