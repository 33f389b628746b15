// SPDX-License-Identifier: Apache-2.0

import Vips

/// An edit in progress: what an extension implements. `PhotoFilter` is the short way.
///
/// The host makes one for each edit and calls, in this order, `canHandle` (only where there is a
/// recipe to ask about), `startContentEditing`, any number of parameter changes and previews, then
/// `finishContentEditing` or, at any time, `cancelContentEditing`.
///
/// All calls come on one thread, one at a time, except `cancelContentEditing` and
/// `shouldShowCancelConfirmation`, which may come on any thread while another call is running:
/// what these two share with the others needs a lock.
public protocol ContentEditingController: AnyObject, SendableMetatype {
    /// To be called exactly once, on any thread, unless the edit was cancelled. A nil output is a
    /// failure, "gave no output"; an edit that the user discarded is
    /// `.failure(EditingExtensionError.discarded)`. An output with neither recipe nor picture commits
    /// nothing.
    typealias CompletionHandler = @Sendable (Result<ContentEditingOutput?, any Error>) -> Void

    /// The extension's identifier in reverse DNS: the manifest's.
    static var identifier: String { get }
    /// The extension's version: the manifest's.
    static var version: String { get }

    /// Makes a controller for one edit.
    init()

    /// Whether the edit that made this recipe can be continued. Gets no pixels; must be quick.
    func canHandle(_ adjustmentData: AdjustmentData) -> Bool

    /// Begins.
    ///
    /// - Parameters:
    ///   - input: What to edit. Its `adjustmentData` is the recipe to continue, if any.
    ///   - placeholderImage: The current state at display size, to show until the first preview.
    func startContentEditing(
        with input: ContentEditingInput, placeholderImage: Image) throws

    /// The values of all parameters, by the manifest's names. None unless implemented.
    func parameters() throws -> [String: ParameterValue]

    /// Changes the parameters named; the others keep their values. Throws `badParameter` unless
    /// implemented: there are none.
    func setParameters(_ values: [String: ParameterValue]) throws

    /// The edit as it stands, applied to the image of the request: the whole picture, lazily. Unless
    /// implemented, that of the other form.
    func renderPreview(_ request: PreviewRequest) throws -> Image

    /// The same for controllers that always show the display image: one of both is to be implemented, or
    /// there are no previews, which is `unsupported`.
    func renderPreview() throws -> Image

    /// Makes the output from the input given to start and hands it to the completion handler,
    /// before returning or later.
    ///
    /// Files may be removed when the handler has returned. Throwing means that the handler has
    /// not been called and will not be.
    func finishContentEditing(completionHandler: @escaping CompletionHandler) throws

    /// The same for controllers that have no errors to tell, as they are elsewhere: one of both is to be
    /// implemented. Nil is a failure, "gave no output".
    func finishContentEditing(
        completionHandler: @escaping @Sendable (ContentEditingOutput?) -> Void) throws

    /// Stops and cleans up. The completion handler must not be called any more.
    func cancelContentEditing()

    /// Whether the user should be asked before the edit is thrown away: true for work that took
    /// effort. False unless implemented.
    var shouldShowCancelConfirmation: Bool { get }
}

extension ContentEditingController {
    /// None.
    public func parameters() throws -> [String: ParameterValue] { [:] }

    /// Throws where there are any.
    public func setParameters(_ values: [String: ParameterValue]) throws {
        guard let name = values.keys.min() else { return }
        throw EditingExtensionError(
            code: .badParameter, message: "it has no parameter \(name), nor any other")
    }

    /// Has the other form of it called.
    public func renderPreview(_ request: PreviewRequest) throws -> Image { try renderPreview() }

    /// Throws.
    public func renderPreview() throws -> Image {
        throw EditingExtensionError(code: .unsupported, message: "it has no previews")
    }

    /// Has the other form of it called.
    public func finishContentEditing(completionHandler: @escaping CompletionHandler) throws {
        let handler: @Sendable (ContentEditingOutput?) -> Void = {
            completionHandler(.success($0))
        }
        try finishContentEditing(completionHandler: handler)
    }

    /// Throws.
    public func finishContentEditing(
        completionHandler: @escaping @Sendable (ContentEditingOutput?) -> Void
    ) throws {
        throw EditingExtensionError(
            code: .unsupported, message: "it does not implement finishContentEditing")
    }

    /// False.
    public var shouldShowCancelConfirmation: Bool { false }
}
