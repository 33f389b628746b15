// SPDX-License-Identifier: Apache-2.0

import Library

/// Gets an input, or what the info says of why there is none.
public typealias ContentEditingInputHandler =
    @Sendable (ContentEditingInput?, ContentEditingInputInfo) -> Void

extension ExtensionHost {
    /// Asks for what an application needs to edit an asset by itself. Returns at once.
    ///
    /// - Parameters:
    ///   - options: how; nil for the usual.
    ///   - completionHandler: called exactly once, on any thread, later: with an input, or with what
    ///     the info says of why there is none. Also after a cancel.
    /// - Returns: what the request can be cancelled by.
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

    /// Makes what an application needs to edit an asset by itself.
    ///
    /// - Throws: `HostError` or `LibraryError`, naming the asset; `HostError` with `cancelled`
    ///   where the task was cancelled.
    public func requestContentEditingInput(
        for asset: Asset, in library: PhotoLibrary,
        options: ContentEditingInputRequestOptions? = nil
    ) async throws -> ContentEditingInput {
        try await contentEditingInputMaker(library, options)
            .input(forAsset: asset.localIdentifier)
    }

    /// Cancels a request: its work is stopped, and its handler is told soon. Nothing happens where
    /// the request has been answered, or is not known.
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
