// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import FoundationEssentials
import Synchronization
import Vips

/// The asset, the images and the recipe that an edit starts from.
///
/// Images are upright, RGB or RGBA with straight alpha, 8 or 16 bit, in the photo's own RGB profile, origin top
/// left. They are lazy: requesting an image is free, and pixels are computed when they are read.
///
/// All members may be used on any thread until the edit ends. Afterwards, members that call the host throw.
public final class ContentEditingInput: Sendable {
    /// The media type of the asset.
    public let mediaType: MediaType
    /// The media subtypes of the asset, such as Live Photo.
    public let mediaSubtypes: MediaSubtype
    /// The MIME type of the original, such as "image/jpeg".
    public let contentType: String
    /// The capture time recorded in the photo, in RFC 3339. It has no offset if none is recorded, and is a
    /// date alone, `2016-10-09`, if no time is recorded.
    public let creationDateText: String?
    /// The location at which the photo was taken, if recorded.
    public let location: Location?
    /// The capture settings of the photo.
    public let capture: Capture
    /// The recipe to continue, or nil. With a recipe, the images show the state before it; without one, the current
    /// version.
    public let adjustmentData: AdjustmentData?
    /// The full-size image's width in pixels.
    public let fullSizePixelWidth: Int
    /// The full-size image's height in pixels.
    public let fullSizePixelHeight: Int
    /// The EXIF orientation of the full-size image: always 1, because its pixels are upright.
    public let fullSizeImageOrientation: Int
    /// The full-size image's width divided by the photo's actual width: normally 1.
    public let fullSizeScale: Double
    /// The display image's width divided by the photo's actual width. Multiply lengths in pixels in a recipe by
    /// it.
    public let displayScale: Double
    /// The file type in which the host will store the rendered picture.
    public let defaultRenderedContentType: RenderedContentType

    /// The host's functions; nil after the edit has ended.
    private let host: Mutex<HostInput?>

    /// Copies the host's values. The pointer must stay valid until `end` is called.
    init(_ pointer: UnsafePointer<ee_input>) throws(EditingExtensionError) {
        // Fields that a later version of the contract adds are zero if the host does not provide them.
        guard
            let input = growingStructure(
                at: pointer, as: ee_input.self, minimum: Int(EE_INPUT_SIZE_1_0))
        else {
            throw EditingExtensionError(
                code: .unsupported,
                message: "the host has an older version of the contract with extensions")
        }
        mediaType = MediaType(rawValue: Int(input.media_type)) ?? .unknown
        mediaSubtypes = MediaSubtype(rawValue: Int(truncatingIfNeeded: input.media_subtypes))
        contentType = String(optional: input.content_type) ?? ""
        creationDateText = String(optional: input.creation_date)
        location =
            input.has_location
            ? Location(latitude: input.latitude, longitude: input.longitude) : nil
        capture = Capture(input.capture)
        adjustmentData = input.adjustment.map { AdjustmentData($0.pointee) }
        fullSizePixelWidth = Int(input.full_width)
        fullSizePixelHeight = Int(input.full_height)
        fullSizeImageOrientation = Int(input.full_size_orientation)
        fullSizeScale = input.full_scale
        displayScale = input.display_scale
        let storedType = String(optional: input.default_rendered_content_type)
        defaultRenderedContentType = storedType.map(RenderedContentType.init) ?? .jpeg
        host = Mutex(HostInput(pointer))
    }

    /// The capture time. A time without an offset is read as UTC, and a date without a time as noon.
    public var creationDate: Date? {
        creationDateText.flatMap(Self.date)
    }

    /// The playback style of the asset, derived from its media type and subtypes. It is ``PlaybackStyle/livePhoto``
    /// for the still and for the frames of a Live Photo.
    public var playbackStyle: PlaybackStyle {
        if mediaSubtypes.contains(.photoLive) { return .livePhoto }
        return switch mediaType {
        case .image: mediaSubtypes.contains(.animated) ? .imageAnimated : .image
        case .video: .video
        case .audio, .unknown: .unsupported
        }
    }

    /// The input at display size: the longer side has at most 2048 pixels.
    ///
    /// - Throws: `EditingExtensionError` if the host cannot provide it, or with `cancelled` after the edit has ended.
    public var displaySizeImage: Image {
        get throws { try withHost { try $0.displayImage() } }
    }

    /// The input at full size, for reading in any order. Use it in `finish`, not before.
    ///
    /// - Throws: The errors of ``fullSizeImage(access:)``.
    public var fullSizeImage: Image {
        get throws { try fullSizeImage(access: .random) }
    }

    /// Returns the input at full size. Use it in `finish`, not before: it is unavailable while previews are rendered.
    ///
    /// - Parameter access: The order in which the image will be read.
    /// - Throws: `EditingExtensionError` with `unsupported` if the image is not available yet, or with `cancelled`
    ///   after the edit has ended.
    public func fullSizeImage(access: PixelAccess) throws -> Image {
        try withHost { try $0.fullSizeImage(access) }
    }

    /// The path of a lossless TIFF with exactly the full-size image's pixels, written on first access. Use it in
    /// `finish`, not before.
    ///
    /// - Throws: `EditingExtensionError` if the host cannot write the file, or with `cancelled` after the edit has
    ///   ended.
    public var fullSizeImageURL: URL {
        get throws { URL(filePath: try withHost { try $0.fullSizePath() }) }
    }

    /// Returns the location for a rendered file of a type.
    func renderedContentURL(for type: RenderedContentType) throws -> URL {
        URL(filePath: try withHost { try $0.renderedContentPath(type.rawValue) })
    }

    /// Drops the host's pointer when the edit ends.
    func end() { host.withLock { $0 = nil } }

    /// The host's functions; nil after the edit has ended.
    var currentHost: HostInput? { host.withLock { $0 } }

    private func withHost<Result: Sendable>(
        _ body: (HostInput) throws -> Result
    ) throws -> Result {
        guard let input = host.withLock({ $0 }) else {
            throw EditingExtensionError(
                code: .cancelled, message: "the edit that this input belongs to has ended")
        }
        return try body(input)
    }

    private static func date(_ text: String) -> Date? {
        let time = text.drop { $0 != "T" }
        let hasOffset = time.contains { $0 == "Z" || $0 == "+" || $0 == "-" }
        let whole = time.isEmpty ? text + "T12:00:00Z" : hasOffset ? text : text + "Z"
        return (try? Date(whole, strategy: .iso8601))
            ?? (try? Date(
                whole, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}
