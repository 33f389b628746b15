// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Glibc

/// What an edit made of its input. Set it on ``AssetChangeRequest/contentEditingOutput``.
///
/// A program that edits without a plug-in writes a picture or video to ``renderedContentURL``, sets
/// ``adjustmentData``. The host checks both: when the change is made, or before, by its `prepare`.
public struct ContentEditingOutput: Sendable {
    /// What the edit started from.
    public internal(set) var input: ContentEditingInput
    /// The recipe of the edit; without it the output cannot be committed.
    public var adjustmentData: AdjustmentData?
    /// The asset's new current version: the result of the edit and of those kept above it.
    package var renderedContent: RenderedContent?
    /// The extension that made the edit; nil for an edit that an application made itself.
    package var editingExtension: EditingExtensionIdentity?
    /// Lossless results to be kept for later edits to start from, by the place in the new chain
    /// of the edit whose result they are, counted from 1. Edits below the new one already
    /// have theirs and need none here.
    package var baseRenditions: [Int: RenderedContent] = [:]
    /// Whether the picture can be made again from the recipe by the extension.
    package var isReproducible = true
    /// The files that the edit's parameters name.
    package var files: [StagedEditFile] = []
    /// Where an application writes, without the ending.
    private let stem: URL?

    /// Makes an output that lacks everything but its input.
    public init(contentEditingInput: ContentEditingInput) {
        input = contentEditingInput
        stem = contentEditingInput.files?.makeOutput()
    }

    /// Recipe and pixels, or `missingAdjustmentData` or `missingRenderedContent`.
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

// MARK: - Files that an application writes

extension ContentEditingOutput {
    /// The formats that an application may write: of a photograph JPEG, PNG and TIFF, of a video MOV, MP4 and
    /// Matroska.
    public var supportedRenderedContentTypes: [MediaFormat] {
        input.mediaType == .video ? Self.videoTypes : [.jpeg, .png, .tiff]
    }

    private static let videoTypes: [MediaFormat] = [.quickTime, .mp4, .matroska]

    /// The format of ``renderedContentURL``: JPEG, or of a video the original's, or MOV.
    public var defaultRenderedContentType: MediaFormat {
        guard input.mediaType == .video else { return .jpeg }
        return Self.videoTypes.first { $0 == input.contentType } ?? .quickTime
    }

    /// Where to write the result as a file of the default type: the whole picture, upright, without an EXIF
    /// orientation or with 1; or the whole video.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` where the input was not requested from the host.
    public var renderedContentURL: URL {
        get throws { try renderedContentURL(for: defaultRenderedContentType) }
    }

    /// Where to write the result as a file of another type. One output has one file.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` for a type that is not supported, or where
    ///   the input was not requested from the host.
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

    /// Where the video of a Live Photo is written, beside its still.
    ///
    /// - Throws: `LibraryError` with `invalidRequest`.
    package func motionURL(for type: MediaFormat) throws -> URL { try url(for: type) }

    /// The videos of a Live Photo that were written.
    ///
    /// - Throws: `LibraryError` with `invalidRequest`.
    package func writtenMotion() throws -> [(type: MediaFormat, path: String)] {
        guard input.mediaType == .image else { return [] }
        return try Self.videoTypes.map { ($0, try motionURL(for: $0).path) }
            .filter { access($0.1, F_OK) == 0 }
    }

    /// The files that were written.
    ///
    /// - Throws: `LibraryError` with `invalidRequest`.
    package func writtenFiles() throws -> [(type: MediaFormat, path: String)] {
        try supportedRenderedContentTypes.map { ($0, try renderedContentURL(for: $0).path) }
            .filter { access($0.1, F_OK) == 0 }
    }
}

/// A file of an edit's parameter that is ready to be committed.
package struct StagedEditFile: Sendable {
    /// What it is.
    package let description: EditFile
    /// Its bytes; nil: the library has them, with another edit.
    package let blob: StagedBlob?

    /// Makes one; every argument is the property of its name.
    package init(_ description: EditFile, blob: StagedBlob? = nil) {
        self.description = description
        self.blob = blob
    }
}

/// Rendered pixels that are ready to be committed.
package struct RenderedContent: Sendable {
    /// Which part of an asset it is.
    package var part: Rendition.Part { format.mediaType == .video ? .video : .photo }

    /// The encoded file, staged by ``PhotoLibrary/stage(_:expectedSize:)``.
    package let blob: StagedBlob
    /// The hash of everything that determines the pixels.
    package let key: SHA256Digest
    /// What the key was made of, opaque to the library.
    package let ingredients: Data
    /// Width in pixels; the file is upright.
    package let pixelWidth: Int
    /// Height in pixels.
    package let pixelHeight: Int
    /// Of a video, in seconds; nil: it is none, or as long as the original.
    package let duration: Double?
    /// The file's format.
    package let format: MediaFormat
    /// What of the original's metadata is not in the file, for the user.
    package let omissions: [String]
    /// The asset's other part, beside this still: a Live Photo's video. At most one.
    package var otherParts: [RenderedContent] = []

    /// The files, also of the other part.
    var blobs: [StagedBlob] { [blob] + otherParts.flatMap(\.blobs) }

    /// Makes rendered content; every argument is the property of its name.
    ///
    /// The caller has verified that the file is what these values say.
    package init(
        blob: StagedBlob, key: SHA256Digest, ingredients: Data, pixelWidth: Int, pixelHeight: Int,
        duration: Double? = nil, format: MediaFormat, omissions: [String] = []
    ) {
        self.duration = duration
        self.omissions = omissions
        self.blob = blob
        self.key = key
        self.ingredients = ingredients
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.format = format
    }
}
