// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Glibc

/// The result of an edit. Set it on ``AssetChangeRequest/contentEditingOutput``.
///
/// A program that edits without an extension writes a picture or video to ``renderedContentURL`` and
/// sets ``adjustmentData``. The host validates both when the change is executed, or earlier in its
/// `prepare`.
public struct ContentEditingOutput: Sendable {
    /// The input that the edit started from.
    public internal(set) var input: ContentEditingInput
    /// The recipe of the edit. Required to commit the output.
    public var adjustmentData: AdjustmentData?
    /// The new current version: the result of the edit and of the edits kept above it.
    package var renderedContent: RenderedContent?
    /// The extension that made the edit; nil for an edit made by an application.
    package var editingExtension: EditingExtensionIdentity?
    /// Lossless renditions to store as inputs of later edits, keyed by the position of their edit
    /// in the new stack, counted from 1. Edits below the new one already have theirs.
    package var baseRenditions: [Int: RenderedContent] = [:]
    /// The path at which an application writes, without the extension.
    private let stem: URL?

    /// Creates an output without a recipe or rendered content.
    public init(contentEditingInput: ContentEditingInput) {
        input = contentEditingInput
        stem = contentEditingInput.files?.makeOutput()
    }

    /// Returns the recipe and rendered content.
    ///
    /// - Throws: `LibraryError`: `missingAdjustmentData`, `missingRenderedContent`,
    ///   `invalidAdjustmentData`.
    func complete() throws -> (AdjustmentData, RenderedContent) {
        let asset = input.asset.localIdentifier
        guard let adjustmentData else {
            throw LibraryError(
                .missingAdjustmentData,
                "the output has no adjustment data; an edit must describe what it did",
                asset: asset)
        }
        guard let renderedContent else {
            throw LibraryError(
                .missingRenderedContent, "the output has no rendered content",
                asset: asset)
        }
        do {
            return (try adjustmentData.checked(), renderedContent)
        } catch {
            throw LibraryError(
                .invalidAdjustmentData, "the output's adjustment data cannot be stored",
                asset: asset, underlying: error)
        }
    }
}

// MARK: - Files written by an application

extension ContentEditingOutput {
    /// The formats that an application may write: JPEG, PNG and TIFF for a photo; MOV, MP4 and
    /// Matroska for a video.
    public var supportedRenderedContentTypes: [MediaFormat] {
        input.mediaType == .video ? Self.videoTypes : [.jpeg, .png, .tiff]
    }

    private static let videoTypes: [MediaFormat] = [.quickTime, .mp4, .matroska]

    /// The format of ``renderedContentURL``: JPEG for a photo; for a video, that of the
    /// original if supported, otherwise MOV.
    public var defaultRenderedContentType: MediaFormat {
        guard input.mediaType == .video else { return .jpeg }
        return Self.videoTypes.first { $0 == input.contentType } ?? .quickTime
    }

    /// The URL at which to write the result in the default format. A picture is upright, with an
    /// EXIF orientation of 1 or none. A video is complete.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if the input was not requested from the host.
    public var renderedContentURL: URL {
        get throws { try renderedContentURL(for: defaultRenderedContentType) }
    }

    /// Returns the URL at which to write the result in a given format. Write exactly one file for
    /// each output.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` for an unsupported format, or if the input
    ///   was not requested from the host.
    public func renderedContentURL(for type: MediaFormat) throws -> URL {
        guard supportedRenderedContentTypes.contains(type) else {
            let names = supportedRenderedContentTypes.map(\.displayName)
            throw LibraryError(
                .invalidRequest,
                "the result of an edit cannot be a \(type.displayName) file; use one of "
                    + names.joined(separator: ", "), asset: input.asset.localIdentifier)
        }
        return try url(for: type)
    }

    private func url(for type: MediaFormat) throws -> URL {
        guard let stem else {
            throw LibraryError(
                .invalidRequest,
                "files can be written only for an input that was requested from the host",
                asset: input.asset.localIdentifier)
        }
        return stem.appendingPathExtension(type.filenameExtension)
    }

    /// Returns the URL at which to write the video of a Live Photo, next to its still.
    ///
    /// - Throws: `LibraryError` with `invalidRequest`.
    package func motionURL(for type: MediaFormat) throws -> URL { try url(for: type) }

    /// Returns the videos that were written for a Live Photo.
    ///
    /// - Throws: `LibraryError` with `invalidRequest`.
    package func writtenMotion() throws -> [(type: MediaFormat, path: String)] {
        guard input.mediaType == .image else { return [] }
        return try Self.videoTypes.map { ($0, try motionURL(for: $0).path) }
            .filter { access($0.1, F_OK) == 0 }
    }

    /// Returns the files that were written, not including the video of a Live Photo.
    ///
    /// - Throws: `LibraryError` with `invalidRequest`.
    package func writtenFiles() throws -> [(type: MediaFormat, path: String)] {
        try supportedRenderedContentTypes.map { ($0, try renderedContentURL(for: $0).path) }
            .filter { access($0.1, F_OK) == 0 }
    }
}
