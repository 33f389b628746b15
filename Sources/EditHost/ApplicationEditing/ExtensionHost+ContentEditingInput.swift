// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

/// Receives an input, or information about why there is none.
public typealias ContentEditingInputHandler =
    @Sendable (ContentEditingInput?, ContentEditingInputInfo) -> Void

extension ExtensionHost {
    /// Requests the input for an application's own edit of an asset. Returns immediately.
    ///
    /// - Parameters:
    ///   - options: the options; nil for the defaults.
    ///   - completionHandler: called exactly once, on any thread, after this method has returned, with an input or
    ///     the reason in the info. Also called after a cancellation.
    /// - Returns: the identifier with which the request can be cancelled.
    @discardableResult
    public func requestContentEditingInput(
        for asset: Asset, in library: PhotoLibrary,
        options: ContentEditingInputRequestOptions? = nil,
        completionHandler: @escaping ContentEditingInputHandler
    ) -> ContentEditingInputRequestID {
        let maker = contentEditingInputMaker(library, options)
        return inputRequests.begin(
            { try await maker.input(forAsset: asset.localIdentifier) }, handler: completionHandler)
    }

    /// Returns the input for an application's own edit of an asset.
    ///
    /// - Throws: `HostError` or `LibraryError`, with the asset; `HostError` with `cancelled`
    ///   if the task was cancelled.
    public func requestContentEditingInput(
        for asset: Asset, in library: PhotoLibrary,
        options: ContentEditingInputRequestOptions? = nil
    ) async throws -> ContentEditingInput {
        try await contentEditingInputMaker(library, options)
            .input(forAsset: asset.localIdentifier)
    }

    /// Cancels a request: stops its work and calls its handler soon afterwards. A no-op if
    /// the request has been answered or is unknown.
    public func cancelContentEditingInputRequest(_ requestID: ContentEditingInputRequestID) {
        inputRequests.cancel(requestID)
    }

    private func contentEditingInputMaker(
        _ library: PhotoLibrary, _ options: ContentEditingInputRequestOptions?
    ) -> ContentEditingInputMaker {
        attach(to: library)
        return ContentEditingInputMaker(
            renderer: renderer(of: library, for: .copying),
            options: options ?? ContentEditingInputRequestOptions())
    }
}

extension Asset {
    /// Requests the input for an application's own edit of this asset. Returns immediately. See
    /// ``ExtensionHost/requestContentEditingInput(for:in:options:completionHandler:)``.
    ///
    /// - Parameters:
    ///   - options: the options; nil for the defaults.
    ///   - library: the library of the asset; nil for ``PhotoLibrary/shared``.
    ///   - host: the host that creates the input; nil for ``ExtensionHost/shared``.
    ///   - completionHandler: called exactly once, on any thread, after this method has returned. Receives the error
    ///     if the shared library or host is unavailable.
    /// - Returns: the identifier with which the request can be cancelled.
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

    /// Returns the input for an application's own edit of this asset.
    ///
    /// - Parameters:
    ///   - options: the options; nil for the defaults.
    ///   - library: the library of the asset; nil for ``PhotoLibrary/shared``.
    ///   - host: the host that creates the input; nil for ``ExtensionHost/shared``.
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
    /// - Parameter host: the host of the request; nil for ``ExtensionHost/shared``.
    public func cancelContentEditingInputRequest(
        _ requestID: ContentEditingInputRequestID, host: ExtensionHost? = nil
    ) {
        (host ?? ExtensionHost.sharedIfThere)?.cancelContentEditingInputRequest(requestID)
    }
}
