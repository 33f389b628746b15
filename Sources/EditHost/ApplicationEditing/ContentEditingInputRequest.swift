// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

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

/// How an application wants the input of an edit of its own. Plug-ins' edits know nothing of it.
public struct ContentEditingInputRequestOptions: Sendable {
    /// Whether the application can read the recipe of the last edit, and wants to change that edit:
    /// then it gets the recipe and the pixels before it, and its own edit replaces it. Else it gets the
    /// current pixels, and its edit comes on top. Not asked where the asset has no edit.
    public var canHandleAdjustmentData: @Sendable (AdjustmentData) -> Bool = { _ in false }
    /// Whether an original that is away may be fetched over a network. This version fetches none.
    public var isNetworkAccessAllowed = false
    /// Told what fraction of the work is done, from 0, before any, to 1; may set `stop` to cancel the
    /// request. Called on any thread, one call after the other.
    public var progressHandler: (@Sendable (_ fraction: Double, _ stop: inout Bool) -> Void)?
    /// Whether to leave out ``ContentEditingInput/displaySizeImage``, which saves its making.
    public var skipsDisplaySizeImage = false

    /// Makes the options that hold where none are given.
    public init() {}
}

/// The number of a request for a ``ContentEditingInput``; never given twice by one process.
public struct ContentEditingInputRequestID: RawRepresentable, Hashable, Sendable {
    /// The number, from 1 on.
    public let rawValue: Int

    /// The request of a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    private static let last = Mutex(0)

    /// The next one.
    static func next() -> ContentEditingInputRequestID {
        last.withLock { last in
            last += 1
            return ContentEditingInputRequestID(rawValue: last)
        }
    }
}

/// What is said with the answer to a request for a ``ContentEditingInput``.
public struct ContentEditingInputInfo: Sendable {
    /// The request.
    public let requestID: ContentEditingInputRequestID
    /// Whether the request was cancelled; there is no input and no error then.
    public let isCancelled: Bool
    /// Why there is no input: a `HostError` or `LibraryError` that names the asset.
    public let error: (any Error)?
}

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
