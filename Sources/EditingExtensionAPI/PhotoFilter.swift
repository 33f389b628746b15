// SPDX-License-Identifier: Apache-2.0

import Vips

/// The short way to an extension: a recipe whose stored properties are the parameters, and one
/// pure function from picture to picture. This is a complete one:
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
    /// The extension's identifier in reverse DNS: the manifest's.
    static var identifier: String { get }
    /// The extension's version: the manifest's.
    static var version: String { get }
    /// The recipe's format. The extension's identifier unless implemented.
    static var formatIdentifier: String { get }
    /// The version of the recipe's format. "1.0" unless implemented.
    static var formatVersion: String { get }
    /// The versions that can be continued. Only `formatVersion` unless implemented.
    static var readableFormatVersions: [String] { get }
    /// Whether the user should be asked before an edit is thrown away. False unless implemented.
    static var shouldShowCancelConfirmation: Bool { get }
    /// What the manifest says besides, for those who have it made of the code, with the parameters that
    /// properties declare as ``Parameter``. Nothing unless implemented.
    static var manifest: FilterManifest { get }

    /// The recipe of a new edit: the manifest's defaults.
    init()

    /// In which order this recipe reads pixels. Sequential unless implemented.
    var access: PixelAccess { get }

    /// The picture that this recipe makes of another. Must depend on nothing but recipe, picture
    /// and context, and must not keep either.
    func apply(to image: Image, context: PhotoFilterContext) throws -> Image

    /// Which part of a video this recipe keeps. Nil, for all of it, unless implemented.
    ///
    /// - Parameter duration: how long the video lasts, in seconds.
    func keptTime(ofDuration duration: Double) throws -> KeptTime?
}

extension PhotoFilter {
    /// The extension's identifier.
    public static var formatIdentifier: String { identifier }
    /// "1.0".
    public static var formatVersion: String { "1.0" }
    /// All of it.
    public func keptTime(ofDuration duration: Double) throws -> KeptTime? { nil }
    /// Only `formatVersion`.
    public static var readableFormatVersions: [String] { [formatVersion] }
    /// False.
    public static var shouldShowCancelConfirmation: Bool { false }
    /// Nothing but the defaults.
    public static var manifest: FilterManifest { FilterManifest() }
    /// Sequential.
    public var access: PixelAccess { .sequential }
}

/// What a `PhotoFilter` may know and use besides recipe and picture.
public struct PhotoFilterContext: Sendable {
    /// The picture's width relative to the photograph's true one: whatever a recipe holds in
    /// pixels is multiplied by it.
    public let scale: Double
    /// When the picture is shown, in seconds from the start: 0 for a photograph.
    public let time: Double
    /// How long what it is part of lasts, in seconds: 0 for a photograph.
    public let duration: Double

    /// Of a frame of a Live Photo's video: when the still was taken, in seconds from the start; nil of all others, and where
    /// that is not known.
    public let stillTime: Double?

    /// How the photograph was taken.
    public var capture: Capture { input?.capture ?? Capture() }

    private let input: ContentEditingInput?

    /// Makes a context, for calling a filter without a host: nothing cancels it, and nobody sees its
    /// progress.
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

    /// Whether the edit was cancelled: to be polled by what takes long. Any thread.
    public var isCancelled: Bool { input?.isCancelled ?? false }

    /// Throws where the edit was cancelled. Any thread.
    ///
    /// - Throws: `EditingExtensionError` with `cancelled`.
    public func checkCancellation() throws { try input?.checkCancellation() }

    /// Tells how much is done, 0...1; see `ContentEditingInput.report(progress:)`. Any thread.
    public func report(progress: Double) { input?.report(progress: progress) }

    /// The bytes behind the value of a parameter of the type `file`; see `ContentEditingInput.file(_:)`. Any
    /// thread.
    ///
    /// - Throws: `EditingExtensionError`.
    public func file(_ value: String) throws -> UnsafeRawBufferPointer {
        guard let input else {
            throw EditingExtensionError(
                code: .unsupported, message: "there is no host that has files")
        }
        return try input.file(value)
    }

    /// How many threads to compute on, at least 1. Any thread.
    public var threadCount: Int { input?.threadCount ?? max(1, VipsLibrary.concurrency) }

    /// Where files may be written that are needed for a while. Any thread.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` where there is no such place.
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
