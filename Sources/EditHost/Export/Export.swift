// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

extension ExtensionHost {
    /// Writes a version of assets into a folder, under the names that they were imported with, and
    /// tells of each in their order. Nothing is overwritten: where a name is taken, it gets `-1`,
    /// `-2` and so on.
    ///
    /// Several are rendered side by side.
    /// - Parameter report: told of every asset as soon as it is done; of one that failed, no file is
    ///   left.
    /// - Throws: `HostError` with `fileFailed` where nothing can be written into the folder; what
    ///   `report` throws; `CancellationError`.
    public func export(
        _ identifiers: [String], from library: PhotoLibrary, to folder: String,
        _ options: ExportOptions, report: (ExportResult) async throws -> Void
    ) async throws {
        // Else every asset would fail with the same words.
        if !identifiers.isEmpty { try NewFile.requireWritableFolder(folder) }
        let exporter = Exporter(
            renderer: renderer(of: library, for: .copying), options: options)
        typealias Rendered = (AssetHistory, (OutgoingFile, MediaFormat))
        try await forEachOrdered(identifiers, limit: configuration.runnerLimit) {
            identifier -> (String, Result<Rendered, any Error>) in
            do {
                let history = try library.history(ofAsset: identifier)
                let rendered = try await exporter.bytes(of: history)
                return (identifier, .success((history, rendered)))
            } catch {
                return (identifier, .failure(error))
            }
        } deliver: { identifier, rendered in
            // Written one after the other, so that names do not depend on who was first.
            let path = Result<String, any Error> {
                let (history, (bytes, format)) = try rendered.get()
                return try exporter.write(bytes, format, of: history, to: folder)
            }
            try await report(
                ExportResult(
                    assetIdentifier: identifier,
                    path: path.mapError {
                        ($0 as? HostError)?.naming(asset: identifier) ?? $0
                    }))
        }
    }

    /// Writes a version of one asset.
    ///
    /// - Returns: the path of the new file.
    /// - Throws: `HostError`, `LibraryError`; no file is left then.
    public func export(
        _ identifier: String, from library: PhotoLibrary, to folder: String,
        _ options: ExportOptions
    ) async throws -> String {
        var path: Result<String, any Error> = .failure(CancellationError())
        try await export([identifier], from: library, to: folder, options) { path = $0.path }
        return try path.get()
    }
}

/// What is exported, and how.
public struct ExportOptions: Sendable {
    /// The versions of an asset, as PhotoKit's `PHImageRequestOptionsVersion`.
    public enum Version: String, Sendable, CaseIterable {
        /// With all edits.
        case current
        /// Without any edit: the imported bytes, or what they are converted to, which is upright.
        case unadjusted
        /// As it was imported, byte for byte.
        case original
    }

    /// The version.
    public var version = Version.current
    /// The format to convert to; nil: as it is stored.
    public var format: MediaFormat?
    /// The quality of formats with loss, 1...100; nil: 92.
    public var quality: Int?
    /// The box to fit the picture into, never enlarging it; nil: as large as it is.
    public var size: PixelSize?

    /// Whether the file's metadata goes along, but for what the picture made false.
    public var includesMetadata = true
    /// Whether the file may say where the photograph was taken: in EXIF, XMP and IPTC.
    public var includesLocation = true

    /// The stored bytes of the current version.
    public init() {}

    /// Whether the stored bytes are given as they are.
    var isUnconverted: Bool {
        format == nil && quality == nil && size == nil && omittedMetadata == nil
    }

    var omittedMetadata: EncodeSettings.OmittedMetadata? {
        includesMetadata ? includesLocation ? nil : .location : .all
    }
}

/// What became of the export of one asset.
public struct ExportResult: Sendable {
    /// The asset.
    public let assetIdentifier: String
    /// The path of the new file, or why there is none.
    public let path: Result<String, any Error>
}

/// Finds or makes the bytes of an export.
struct Exporter: Sendable {
    let renderer: Renderer
    let options: ExportOptions

    private var planner: StatePlanner { renderer.planner }
    private var library: PhotoLibrary { renderer.library }

    /// Writes rendered bytes under the name that the asset was imported with.
    func write(
        _ bytes: OutgoingFile, _ format: MediaFormat, of history: AssetHistory,
        to folder: String
    ) throws -> String {
        try NewFile.write(bytes, in: folder, named: filename(for: format, of: history))
    }

    func bytes(of history: AssetHistory) async throws -> (OutgoingFile, MediaFormat) {
        if options.isUnconverted, let stored = try stored(history) { return stored }
        let chain = options.version == .current ? history.chain : []
        var plan = try planner.plan([], of: history)
        let settings = try settings(for: plan.originalFacts)
        let picture: EncodedOutput.Picture
        // What is stored already needs no extension: a quality is not lost by resizing it.
        if let stored = standIn(for: chain, of: history) {
            plan = plan.over(stored.blob, stored.format, [])
            let base = try renderer.open(stored.blob, .encoded(stored.format), of: plan)
            picture = try await renderer.run([], over: base, of: plan, EncodedOutput(settings))
        } else {
            plan = try planner.plan(chain, of: history)
            picture = try await renderer.picture(of: plan, settings)
        }
        return (OutgoingFile(picture.bytes), settings.format)
    }

    /// The stored picture of a chain that cannot be drawn now without loss: an extension is missing,
    /// or the original that the chain starts from lies elsewhere and is away or has changed.
    private func standIn(for chain: [Edit], of history: AssetHistory) -> Rendition? {
        guard let stored = chain.last?.current, library.containsBlob(stored.blob),
            !canBeDrawn(chain, of: history)
        else { return nil }
        return stored
    }

    /// Whether every edit above the last that is stored without loss can be run, and what they start
    /// from is there.
    private func canBeDrawn(_ chain: [Edit], of history: AssetHistory) -> Bool {
        for edit in chain.reversed() {
            // What an application wrote is as good as a base: there is nothing better.
            let base = edit.base ?? (edit.editingExtension == nil ? edit.current : nil)
            if let base, library.containsBlob(base.blob) { return true }
            if planner.obstacle(to: edit) != nil { return false }
        }
        guard let original = history.original, original.blob == nil else { return true }
        return (try? library.openOriginal(original, for: .drawing)) != nil
    }

    /// The stored bytes of the version, where there are such.
    private func stored(_ history: AssetHistory) throws -> (OutgoingFile, MediaFormat)? {
        guard let original = history.original else { return nil }
        switch options.version {
        case .original, .unadjusted:
            return (try open(original), original.format)
        case .current:
            guard let tip = history.chain.last else {
                return (try open(original), original.format)
            }
            guard let rendition = tip.current, library.containsBlob(rendition.blob) else {
                return nil
            }
            let file = try OutgoingFile(
                rendition.blob, ofAsset: history.asset.localIdentifier, in: library)
            return (file, rendition.format)
        }
    }

    private func open(_ original: AssetResource) throws -> OutgoingFile {
        try OutgoingFile(original, in: library)
    }

    private func settings(for facts: PhotoFacts) throws -> EncodeSettings {
        var settings = EncodeSettings.rendition(of: facts)
        if let format = options.format {
            guard format.isWritten else {
                throw HostError(
                    .badRequest, "pictures cannot be written as \(format.displayName)")
            }
            settings.format = format
            settings.quality = format.hasQuality ? EncodeSettings.renditionQuality : nil
        }
        if let quality = options.quality {
            guard (1...100).contains(quality) else {
                throw HostError(.badRequest, "the quality must be from 1 to 100")
            }
            guard settings.format.hasQuality else {
                throw HostError(
                    .badRequest,
                    "\(settings.format.displayName) is written without loss and has no quality; "
                        + "leave it out, or choose another format")
            }
            settings.quality = quality
        }
        if settings.format == .jpeg { settings.bitsPerSample = 8 }
        settings.size = options.size
        settings.omittedMetadata = options.omittedMetadata
        return settings
    }

    /// The asset's name, with its own ending where the format is the same, else the format's.
    private func filename(for format: MediaFormat, of history: AssetHistory) -> SafeFilename {
        var name = SafeFilename(history.asset.originalFilename)
        if name.ending.isEmpty || history.original?.format != format {
            name.ending = format.filenameExtension
        }
        return name
    }
}

extension MediaFormat {
    /// Whether a quality can be chosen when writing it.
    var hasQuality: Bool {
        switch self {
        case .jpeg, .heic, .avif, .webp, .jxl: true
        default: false
        }
    }
}
