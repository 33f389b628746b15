// SPDX-License-Identifier: Apache-2.0

import Vips

/// An edit in progress, implemented by an extension. `PhotoFilter` is a simpler alternative for pure filters.
///
/// The host creates one controller per edit. It calls `canHandle` (only if there is a recipe to continue),
/// `startContentEditing`, any number of parameter changes and previews, then `finishContentEditing`. It may call
/// `cancelContentEditing` at any time.
///
/// All calls arrive on one thread, in sequence. The exceptions are `cancelContentEditing` and
/// `shouldShowCancelConfirmation`, which may arrive on any thread while another call is running. Use a lock to protect
/// state that these two share with the other calls.
public protocol ContentEditingController: AnyObject, SendableMetatype {
    /// A handler that must be called exactly once, on any thread, unless the edit was cancelled.
    ///
    /// - A nil output is a failure, reported as "gave no output".
    /// - An edit that the user discarded is `.failure(EditingExtensionError.discarded)`.
    /// - An output with neither recipe nor picture commits nothing.
    typealias CompletionHandler = @Sendable (Result<ContentEditingOutput?, any Error>) -> Void

    /// The extension's identifier in reverse DNS notation, equal to the manifest's.
    static var identifier: String { get }
    /// The extension's version, equal to the manifest's.
    static var version: String { get }

    /// Creates a controller for one edit.
    init()

    /// Returns whether the edit that produced this recipe can be continued. This method receives no pixels, and must be
    /// quick.
    func canHandle(_ adjustmentData: AdjustmentData) -> Bool

    /// Starts the edit.
    ///
    /// - Parameters:
    ///   - input: The input of the edit. Its `adjustmentData` is the recipe to continue, if any.
    ///   - placeholderImage: The current version at display size, to show until the first preview.
    func startContentEditing(
        with input: ContentEditingInput, placeholderImage: Image) throws

    /// Returns the values of all parameters, by their names in the manifest. The default is an empty dictionary.
    func parameters() throws -> [String: ParameterValue]

    /// Changes the given parameters; the others keep their values.
    ///
    /// - Throws: `EditingExtensionError` with `badParameter` by default, because there are no parameters.
    func setParameters(_ values: [String: ParameterValue]) throws

    /// Returns the whole edited picture as a lazy image, computed from the image of the request. The default calls
    /// `renderPreview()`.
    func renderPreview(_ request: PreviewRequest) throws -> Image

    /// Returns a preview computed from the display image, for a controller that needs no other size. Implement this
    /// method or `renderPreview(_:)`; without either, previews fail with `unsupported`.
    func renderPreview() throws -> Image

    /// Renders the output from the input given to `startContentEditing` and passes it to the completion handler,
    /// before or after returning.
    ///
    /// The host may remove files once the handler has returned. Throwing means that the handler has not been called
    /// and will not be.
    func finishContentEditing(completionHandler: @escaping CompletionHandler) throws

    /// Renders the output of a controller whose rendering cannot fail. Implement this method or the one with a
    /// `Result`. A nil output is a failure, reported as "gave no output".
    func finishContentEditing(
        completionHandler: @escaping @Sendable (ContentEditingOutput?) -> Void) throws

    /// Stops the edit and cleans up. The completion handler must not be called afterwards.
    func cancelContentEditing()

    /// Whether the user should confirm before the edit is discarded. Return true if the edit has taken the user some
    /// effort. The default is false.
    var shouldShowCancelConfirmation: Bool { get }
}

extension ContentEditingController {
    /// The default implementation returns an empty dictionary.
    public func parameters() throws -> [String: ParameterValue] { [:] }

    /// The default implementation throws `badParameter` if any value is given.
    public func setParameters(_ values: [String: ParameterValue]) throws {
        guard let name = values.keys.min() else { return }
        throw EditingExtensionError(
            code: .badParameter, message: "it has no parameter \(name), nor any other")
    }

    /// The default implementation calls `renderPreview()`.
    public func renderPreview(_ request: PreviewRequest) throws -> Image { try renderPreview() }

    /// The default implementation throws `unsupported`.
    public func renderPreview() throws -> Image {
        throw EditingExtensionError(code: .unsupported, message: "it has no previews")
    }

    /// The default implementation calls the overload without a `Result`.
    public func finishContentEditing(completionHandler: @escaping CompletionHandler) throws {
        let handler: @Sendable (ContentEditingOutput?) -> Void = {
            completionHandler(.success($0))
        }
        try finishContentEditing(completionHandler: handler)
    }

    /// The default implementation throws `unsupported`.
    public func finishContentEditing(
        completionHandler: @escaping @Sendable (ContentEditingOutput?) -> Void
    ) throws {
        throw EditingExtensionError(
            code: .unsupported, message: "it does not implement finishContentEditing")
    }

    /// The default implementation returns false.
    public var shouldShowCancelConfirmation: Bool { false }
}
