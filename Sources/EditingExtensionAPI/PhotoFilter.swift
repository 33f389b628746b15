// SPDX-License-Identifier: Apache-2.0

import Vips

/// A filter whose stored properties are its parameters and recipe, with one pure function from image to image. It
/// is the simplest kind of extension. A complete example:
///
///     import EditingExtensionAPI
///
///     struct Brightness: PhotoFilter {
///         static let identifier = "com.example.brightness"
///         static let version = "1.0"
///
///         var gain = 1.0
///
///         func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
///             let factors = [gain, gain, gain, 1].prefix(image.bands)
///             return try image.applying("linear", ["a": .doubles(Array(factors)), "b": 0])
///         }
///     }
///
///     @c(editing_extension_entry)
///     public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
///         EditingExtension.entry(Brightness.self, host: host)
///     }
public protocol PhotoFilter: Codable, Sendable {
    /// The extension's identifier in reverse DNS notation, equal to the manifest's.
    static var identifier: String { get }
    /// The extension's version, equal to the manifest's.
    static var version: String { get }
    /// The identifier of the recipe's format. The default is the extension's identifier.
    static var formatIdentifier: String { get }
    /// The version of the recipe's format. The default is "1.0".
    static var formatVersion: String { get }
    /// The format versions that can be continued. The default is `formatVersion` alone.
    static var readableFormatVersions: [String] { get }
    /// Whether the user should confirm before an edit is discarded. The default is false.
    static var shouldShowCancelConfirmation: Bool { get }
    /// The remaining fields of a manifest that is generated from the code. Parameters come from the properties
    /// declared with ``Parameter``. The default adds nothing.
    static var manifest: FilterManifest { get }

    /// Creates the recipe of a new edit, with the manifest's default values.
    init()

    /// The order in which this recipe reads pixels. The default is sequential.
    var access: PixelAccess { get }

    /// Returns the edited image. The result must depend only on the recipe, the image and the context. The filter
    /// must not retain the image or the context.
    func apply(to image: Image, context: PhotoFilterContext) throws -> Image

    /// Returns the part of a video that this recipe keeps, or nil for all of it. The default is nil.
    ///
    /// - Parameter duration: The duration of the video in seconds.
    func keptTime(ofDuration duration: Double) throws -> KeptTime?
}

extension PhotoFilter {
    /// Returns the extension's identifier.
    public static var formatIdentifier: String { identifier }
    /// Returns "1.0".
    public static var formatVersion: String { "1.0" }
    /// Returns nil: the whole video is kept.
    public func keptTime(ofDuration duration: Double) throws -> KeptTime? { nil }
    /// Returns `formatVersion` alone.
    public static var readableFormatVersions: [String] { [formatVersion] }
    /// Returns false.
    public static var shouldShowCancelConfirmation: Bool { false }
    /// Returns a manifest with default values.
    public static var manifest: FilterManifest { FilterManifest() }
    /// Returns sequential access.
    public var access: PixelAccess { .sequential }
}

/// The surroundings of one call of a `PhotoFilter`: scale, time, capture settings, cancellation and resources.
public struct PhotoFilterContext: Sendable {
    /// The image's width relative to the photograph's true width. Multiply pixel values of a recipe by it.
    public let scale: Double
    /// The presentation time in seconds from the start of the video; 0 for a photograph.
    public let time: Double
    /// The duration of the video in seconds; 0 for a photograph.
    public let duration: Double

    /// The capture time of the still, in seconds from the start of a Live Photo's video. Nil for other media, and
    /// if unknown.
    public let stillTime: Double?

    /// The capture settings of the photograph.
    public var capture: Capture { input?.capture ?? Capture() }

    private let input: ContentEditingInput?

    /// Creates a context for calling a filter without a host. It is never cancelled, and ignores progress.
    public init(
        scale: Double, time: Double = 0, duration: Double = 0, stillTime: Double? = nil
    ) {
        self.init(
            scale: scale, time: time, duration: duration, stillTime: stillTime, input: nil)
    }

    init(
        scale: Double, time: Double = 0, duration: Double = 0, stillTime: Double? = nil,
        input: ContentEditingInput?
    ) {
        self.stillTime = stillTime
        self.scale = scale
        self.time = time
        self.duration = duration
        self.input = input
    }

    /// Whether the edit was cancelled. Poll it in long loops. May be read on any thread.
    public var isCancelled: Bool { input?.isCancelled ?? false }

    /// Throws if the edit was cancelled. May be called on any thread.
    ///
    /// - Throws: `EditingExtensionError` with `cancelled`.
    public func checkCancellation() throws { try input?.checkCancellation() }

    /// Reports the fraction done, 0...1; see `ContentEditingInput.report(progress:)`. May be called on any thread.
    public func report(progress: Double) { input?.report(progress: progress) }

    /// Returns the bytes behind the value of a parameter of type `file`; see `ContentEditingInput.file(_:)`. May be
    /// called on any thread.
    ///
    /// - Throws: `EditingExtensionError` if no parameter of this edit names such a file.
    public func file(_ value: String) throws -> UnsafeRawBufferPointer {
        guard let input else {
            throw EditingExtensionError(
                code: .unsupported, message: "there is no host that has files")
        }
        return try input.file(value)
    }

    /// The number of threads to compute on, at least 1. May be read on any thread.
    public var threadCount: Int { input?.threadCount ?? max(1, VipsLibrary.concurrency) }

    /// The folder for temporary files, and its limit. May be read on any thread.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if the host offers none.
    public var temporarySpace: TemporarySpace {
        get throws {
            guard let input else {
                throw EditingExtensionError(
                    code: .unsupported, message: "there is no host that offers temporary space")
            }
            return try input.temporarySpace
        }
    }
}
