// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import FoundationEssentials
import Synchronization
import Vips

/// What an edit starts from.
///
/// Images are upright, RGB or RGBA with straight alpha, 8 or 16 bit, in the photograph's own RGB
/// profile, origin top left. They are lazy: asking is free, reading pixels costs. All members may
/// be used on any thread until the edit ends; afterwards the ones that ask the host throw.
public final class ContentEditingInput: Sendable {
    /// The kind of the asset.
    public let mediaType: MediaType
    /// The particular kind of the asset.
    public let mediaSubtypes: MediaSubtype
    /// The MIME type of the original, such as "image/jpeg".
    public let contentType: String
    /// When the photograph was taken, as the photograph says: RFC 3339, without an offset where
    /// it has none, and a day alone, `2016-10-09`, where it tells no time.
    public let creationDateText: String?
    /// Where it was taken.
    public let location: Location?
    /// How it was taken.
    public let capture: Capture
    /// The recipe to continue, or nil. With one, the images show the state before it; without,
    /// the current state.
    public let adjustmentData: AdjustmentData?
    /// The full-size image's width in pixels.
    public let fullSizePixelWidth: Int
    /// The full-size image's height in pixels.
    public let fullSizePixelHeight: Int
    /// The EXIF orientation of the full-size image: always 1, its pixels are upright.
    public let fullSizeImageOrientation: Int
    /// The full-size image's width relative to the photograph's true one, normally 1.
    public let fullSizeScale: Double
    /// The display image's width relative to the photograph's true one. What a recipe holds in
    /// pixels is multiplied by it.
    public let displayScale: Double
    /// The type that the host will store.
    public let defaultRenderedContentType: RenderedContentType

    /// The host's side; nil after the edit has ended.
    private let host: Mutex<HostInput?>

    /// Copies what the host says. The pointer must stay valid until `end` is called.
    init(_ pointer: UnsafePointer<ee_input>) throws(EditingExtensionError) {
        // Only what the host says is there is read; what a later version has is zero then.
        guard
            let input = growingStructure(
                at: pointer, as: ee_input.self, minimum: Int(EE_INPUT_SIZE_1_0))
        else {
            throw EditingExtensionError(
                code: .unsupported,
                message: "the host has an older version of the contract with plug-ins")
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

    /// When the photograph was taken; a time without an offset is read as UTC, and a day without a
    /// time as its noon.
    public var creationDate: Date? {
        creationDateText.flatMap(Self.date)
    }

    /// How the asset is shown.
    public var playbackStyle: PlaybackStyle {
        mediaType == .image ? .image : mediaType == .video ? .video : .unsupported
    }

    /// The input at display size, its longer side at most 2048 pixels.
    public var displaySizeImage: Image {
        get throws { try withHost { try $0.displayImage() } }
    }

    /// The input at full size, for reading in any order. For `finish`, not before.
    ///
    /// Needs `"access": "random"` in the manifest.
    public var fullSizeImage: Image {
        get throws { try fullSizeImage(access: .random) }
    }

    /// The input at full size. For `finish`, not before: where previews are wanted it is not there
    /// yet, and this throws `unsupported`.
    public func fullSizeImage(access: PixelAccess) throws -> Image {
        try withHost { try $0.fullSizeImage(access) }
    }

    /// A lossless TIFF of exactly the full-size image's pixels, written when first asked for.
    /// For `finish`, not before.
    public var fullSizeImageURL: URL {
        get throws { URL(filePath: try withHost { try $0.fullSizePath() }) }
    }

    /// Reserved for video: always nil.
    public var audiovisualAsset: Never? { nil }
    /// Reserved for Live Photos: always nil.
    public var livePhoto: Never? { nil }

    /// Where a rendered file of a type may be written.
    func renderedContentURL(for type: RenderedContentType) throws -> URL {
        URL(filePath: try withHost { try $0.renderedContentPath(type.rawValue) })
    }

    /// Forgets the host's pointer: the edit has ended.
    func end() { host.withLock { $0 = nil } }

    /// The host's side; nil after the edit has ended.
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
