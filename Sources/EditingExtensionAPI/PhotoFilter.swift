// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
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

    /// Creates a filter from a stored recipe. The default is ``init(decoding:)``.
    ///
    /// Implement it to convert recipes of earlier versions, in an extension of the type, so that the type keeps its
    /// implicit `init()`. Called for each recipe that is continued, previewed or rendered, so it must be quick.
    ///
    /// - Parameters:
    ///   - recipe: The JSON object as it was stored.
    ///   - version: Its format version, one of `readableFormatVersions` or of the manifest's `upgrades`.
    /// - Throws: Any error, if the recipe is unreadable.
    init(recipe: Data, version: String) throws

    /// The order in which this recipe reads pixels. The default is sequential.
    var access: PixelAccess { get }

    /// Returns the edited image. The result must depend only on the recipe, the image and the context. Do not keep
    /// references to the image or the context.
    func apply(to image: Image, context: PhotoFilterContext) throws -> Image

    /// Fills in values that depend on the photo, such as the data of its lens. The default does nothing.
    ///
    /// Called whenever an edit starts, including when a stored recipe is continued, re-rendered or copied to another
    /// photo. Values that were already filled in for the same photo must not change, because stored pictures
    /// are re-rendered from them.
    ///
    /// - Parameter input: The input of the edit.
    mutating func begin(on input: ContentEditingInput) throws

    /// Changes values that depend on the photo, such as automatic settings. Called after the user has set
    /// parameters. The default does nothing.
    ///
    /// The chosen values become part of the recipe. This method is not called when a recipe is re-rendered. If the
    /// manifest lists the current format in `upgrades`, `edithost extensions upgrade` calls it with all parameters set to
    /// their current values.
    ///
    /// - Parameters:
    ///   - input: The input of the edit. ``ContentEditingInput/reducedImage(longestSide:)`` is a small picture to
    ///     measure.
    ///   - names: The names of the parameters that have been set, even if their values did not change.
    mutating func adapt(to input: ContentEditingInput, setting names: Set<String>) throws

    /// Returns the part of a video that this recipe keeps, or nil for all of it. The default is nil.
    ///
    /// - Parameter duration: The duration of the video in seconds.
    func keptTime(ofDuration duration: Double) throws -> KeptTime?
}

extension PhotoFilter {
    /// The default implementation creates a filter from a stored recipe with ``init(decoding:)``, regardless of its
    /// version.
    public init(recipe: Data, version: String) throws { try self.init(decoding: recipe) }

    /// Creates a filter from the JSON object of its stored properties. Missing values have the defaults of a new edit.
    /// Keys that are not properties are ignored.
    ///
    /// - Throws: An error if the data is not a JSON object, or if a value has the wrong type.
    public init(decoding recipe: Data) throws {
        self = try Self().merging(JSONDecoder().decode(JSON.self, from: recipe))
    }

    /// The default is the extension's identifier.
    public static var formatIdentifier: String { identifier }
    /// The default is "1.0".
    public static var formatVersion: String { "1.0" }
    /// The default implementation does nothing.
    public mutating func begin(on input: ContentEditingInput) throws {}
    /// The default implementation does nothing.
    public mutating func adapt(to input: ContentEditingInput, setting names: Set<String>) throws {}
    /// The default implementation returns nil, which keeps the whole video.
    public func keptTime(ofDuration duration: Double) throws -> KeptTime? { nil }
    /// The default contains only `formatVersion`.
    public static var readableFormatVersions: [String] { [formatVersion] }
    /// The default is false.
    public static var shouldShowCancelConfirmation: Bool { false }
    /// The default is a manifest with default values.
    public static var manifest: FilterManifest { FilterManifest() }
    /// The default is sequential access.
    public var access: PixelAccess { .sequential }
}
