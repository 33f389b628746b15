// SPDX-License-Identifier: Apache-2.0

import Library

/// Receives an input, or information about why there is none.
public typealias ContentEditingInputHandler =
    @Sendable (ContentEditingInput?, ContentEditingInputInfo) -> Void

extension ExtensionHost {
    /// Requests the input for an application's own edit of an asset. Returns immediately.
    ///
    /// - Parameters:
    ///   - options: The options; nil for the defaults.
    ///   - completionHandler: Called exactly once, on any thread, after this method has returned, with an input or
    ///     the reason in the info. Also called after a cancellation.
    /// - Returns: The identifier with which the request can be cancelled.
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
            renderer: renderer(of: library, for: .copying), library: library,
            options: options ?? ContentEditingInputRequestOptions())
    }
}
