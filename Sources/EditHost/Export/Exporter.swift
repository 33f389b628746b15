// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Library
import RunnerHost
import RunnerProtocol

/// Provides the files of an export, from the library or by rendering.
struct Exporter: Sendable {
    let renderer: Renderer
    var library: PhotoLibrary
    var options: ExportOptions
    /// Finds stale pictures; nil exports all as they are stored.
    var staleness: ExportStaleness?
    /// Whether converted pictures are made from the stored ones, which are stale.
    var keepsStored = false
    /// Whether the stored picture is stale and cannot be replaced in the library, so that it is rendered for the export.
    var ignoresStored = false

    var planner: StatePlanner { renderer.planner }

    /// Returns the same exporter with other options.
    func with(_ options: ExportOptions) -> Exporter {
        var exporter = self
        exporter.options = options
        return exporter
    }

    /// Returns an asset's files with their names: its own file first, then the video of a Live Photo and
    /// companions.
    ///
    /// - Throws: `LibraryError` if a companion is unavailable.
    func named(_ file: File, of history: AssetHistory) throws -> [NewFile.Named] {
        let original = filename(for: file.format, of: history)
        let name = name(original, of: history)
        let date = modificationDate(of: history)
        var files = [NewFile.Named(source: file.bytes, name: name, modificationDate: date)]
        if let sidecar = file.sidecar {
            files.append(NewFile.Named(source: sidecar, name: name.sidecar))
        }
        let motion = file.motion
        if let motion {
            files.append(
                NewFile.Named(
                    source: motion.bytes, name: name.with(ending: motion.ending),
                    modificationDate: date))
        }
        if options.includesCompanions {
            let isPartWanted = options.livePhotoPart != nil || motion != nil
            let companions = try history.originals.filter {
                try !$0.isPrimary && !(isPartWanted && $0 == history.pairedVideo)
                    && !replacesSidecar($0, of: history)
            }
            for companion in companions {
                let name = NumberedFilename(
                    companion.originalFilename, beside: original, named: name)
                files.append(
                    NewFile.Named(
                        source: try open(companion), name: name,
                        // Other programs compare the times of sidecars with those of their databases.
                        modificationDate: companion.type == .alternatePhoto ? date : nil))
                if let sidecar = file.rawSidecars[companion.originalFilename] {
                    files.append(NewFile.Named(source: sidecar, name: name.sidecar))
                }
            }
        }
        return files
    }

    /// The modification time of exported files; nil for the time of the export.
    private func modificationDate(of history: AssetHistory) -> Date? {
        options.modificationTime == .captured ? history.asset.captureDate?.localDate : nil
    }

    /// Returns the filename from the template, or the imported one.
    private func name(_ original: SafeFilename, of history: AssetHistory) -> NumberedFilename {
        guard let template = options.name else { return NumberedFilename(original) }
        let (folders, stem) = template.components(values(of: history))
        return NumberedFilename(
            SafeFilename(stem: stem, ending: original.ending), in: folders,
            isNumbered: template.isNumbered)
    }

    /// Returns the values of the template's fields for an asset.
    func values(of history: AssetHistory) -> ExportNameTemplate.Values {
        ExportNameTemplate.Values(
            name: SafeFilename(history.asset.originalFilename).stem,
            folder: history.asset.originalFolder,
            date: history.asset.captureDate, version: versionName(of: history),
            identifier: history.asset.localIdentifier)
    }

    private func versionName(of history: AssetHistory) -> String {
        if let savedVersion = options.savedVersion { return savedVersion }
        guard options.version == .current, let tip = history.chain.last else {
            return options.version.rawValue
        }
        return history.versions.first { $0.tip == tip }?.name ?? options.version.rawValue
    }

    /// The exported file of an asset, and the video beside it.
    struct File: Sendable {
        let bytes: OutgoingFile
        let format: MediaFormat
        /// Warnings for the user about metadata of the original that is missing in the file.
        var omissions: [String] = []
        /// The video of a Live Photo, exported beside the file.
        var motion: Motion?
        /// Whether the file has the pixels of the original as they were stored.
        var hasOriginalPixels = false
        /// The XMP file beside the file.
        var sidecar: OutgoingFile?
        /// The XMP files beside RAW companions, by the names of those.
        var rawSidecars: [String: OutgoingFile] = [:]
    }

    /// Returns the exported file of an asset. In a dry run, a file that has to be rendered is empty.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func file(of history: AssetHistory) async throws -> File {
        guard options.livePhotoPart ?? .pair == .pair else {
            return try await singleFile(of: history)
        }
        if let motion = try await motion(of: history) {
            return try await pair(of: history, motion)
        }
        var file = try await singleFile(of: history)
        if let reason = reasonForOmittingMotion(of: history) { file.omissions.append(reason) }
        return file
    }

    /// Returns an export that consists of one file.
    private func singleFile(of history: AssetHistory) async throws -> File {
        if options.livePhotoPart == .video, history.pairedVideo != nil {
            guard let motion = try await motion(of: history) else { throw withoutMotion(history) }
            return File(bytes: motion.bytes, format: motion.format)
        }
        if options.livePhotoPart == .motion, history.pairedVideo != nil {
            return try await motionPhoto(of: history)
        }
        let metadata = try LibraryMetadata(history, in: library)
        if history.asset.mediaType == .video { return try await videoFile(of: history) }
        if let file = try await unrendered(history, metadata) { return file }
        return try await rendered(history, changes(metadata))
    }

    /// Returns the stored picture, with other metadata if necessary; nil if it has to be rendered or re-encoded.
    func unrendered(_ history: AssetHistory, _ metadata: LibraryMetadata) async throws -> File? {
        guard !options.isConverted, let stored = try stored(history) else { return nil }
        if options.livePhotoPart == .still, options.omittedMetadata == nil,
            let still = try await withoutVideo(stored, history)
        {
            return still
        }
        // A GIF cannot store most metadata, and re-encoding it would lose its other frames.
        if isStored(history, metadata) || stored.format == .gif && options.omittedMetadata == nil {
            return stored
        }
        try requirePhoto(history)
        return try await retagged(history, changes(metadata))
    }

    // MARK: - Metadata

    /// Whether the stored bytes have the requested metadata.
    func isStored(_ history: AssetHistory, _ metadata: LibraryMetadata) -> Bool {
        guard options.omittedMetadata == nil else { return false }
        switch options.metadata {
        case .original: return true
        case .library: return metadata.isInFile
        case .copyright, .none?: return false
        case nil:
            if options.version != .current || history.chain.isEmpty { return true }
            // Only images can be rendered with other metadata. The metadata of videos is set elsewhere.
            return metadata.isInFile || history.asset.mediaType != .image
        }
    }

    func requirePhoto(_ history: AssetHistory) throws {
        guard history.asset.mediaType != .image else { return }
        throw HostError(
            .badRequest,
            "metadata can be changed only in photos and videos; use the metadata of the "
                + "original"
        )
    }

    /// Returns the library's values that replace those of the original; nil if there are none to write.
    func changes(_ metadata: LibraryMetadata) -> MetadataChanges? {
        switch options.metadata {
        case nil, .library:
            var changes = metadata.changes
            if !options.includesLocation { changes.location = nil }
            return changes.isEmpty ? nil : changes
        case .copyright:
            let changes = metadata.changes.copyrightChanges
            return changes.isEmpty ? nil : changes
        case .original, .none?: return nil
        }
    }

    /// Returns the stored file with other metadata and unchanged pixels; nil if it has to be re-encoded.
    private func retagged(
        _ history: AssetHistory, _ changes: MetadataChanges?
    ) async throws -> File? {
        var settings = EncodeSettings(format: .jpeg)
        settings.metadataChanges = changes
        settings.omittedMetadata = options.omittedMetadata
        settings.keepsPixels = true
        let rendition = options.version == .current ? history.chain.last?.current : nil
        let file: OpenFile
        let format: MediaFormat
        if let rendition {
            guard rendition.format.canBeRetagged else { return nil }
            format = rendition.format
            file = try library.openBlob(
                rendition.blob, ofAsset: history.asset.localIdentifier, for: .copying)
        } else {
            guard let original = history.original, original.format.canBeRetagged,
                original.format != .jpeg || original.facts?.orientation == 1
            else { return nil }
            format = original.format
            file = try library.openOriginal(original, for: .copying)
        }
        guard let picture = try await renderer.retagged(file, format, settings) else { return nil }
        if rendition == nil, let original = history.original, original.blob == nil {
            // A referenced original may have been modified while it was read.
            _ = try library.openOriginal(original, for: .rendering)
        }
        return File(
            bytes: OutgoingFile(picture.bytes), format: format, hasOriginalPixels: rendition == nil)
    }

    // MARK: - Pixels

    private func rendered(
        _ history: AssetHistory, _ changes: MetadataChanges?
    ) async throws -> File {
        let chain = options.version == .current ? history.chain : []
        var plan = try planner.plan([], of: history)
        var settings = try settings(for: plan.originalFacts)
        settings.metadataChanges = changes
        // Resizing a stored rendition does not require its extension.
        let substitute = substitute(for: chain, of: history)
        if let substitute {
            plan = plan.over(
                substitute.blob, substitute.format, [],
                pixelsAreInPlace: planner.keepsPixelsInPlace(chain))
        } else {
            plan = try planner.plan(chain, of: history)
        }
        if options.isDryRun {
            try renderer.requireFiles(of: plan)
            return try .unknown(settings.format)
        }
        let picture: EncodedOutput.Picture
        if let substitute {
            let base = try renderer.open(substitute.blob, .encoded(substitute.format), of: plan)
            picture = try await renderer.run([], over: base, of: plan, EncodedOutput(settings))
        } else {
            picture = try await renderer.picture(of: plan, settings)
        }
        return File(
            bytes: OutgoingFile(picture.bytes), format: settings.format,
            omissions: picture.omissions)
    }

    /// Returns the stored rendition to use if the chain cannot be re-rendered without loss.
    ///
    /// This is the case if an extension is missing, if the referenced original is unavailable or was
    /// modified, or if stale pictures are kept.
    func substitute(for chain: [Edit], of history: AssetHistory) -> Rendition? {
        guard let stored = library.storedPicture(of: chain),
            keepsStored || !canBeRendered(chain, of: history)
        else { return nil }
        return stored
    }

    /// Whether the edits after the last losslessly stored state can be run, and their input is available.
    private func canBeRendered(_ chain: [Edit], of history: AssetHistory) -> Bool {
        for edit in chain.reversed() where edit.isEnabled {
            // A rendition written by an application serves as a base, because there is no better one.
            let base = edit.base ?? (edit.editingExtension == nil ? edit.current : nil)
            if let base, library.containsBlob(base.blob) { return true }
            if planner.obstacle(to: edit) != nil { return false }
        }
        guard let original = history.original, original.blob == nil else { return true }
        return (try? library.openOriginal(original, for: .rendering)) != nil
    }

    /// Returns the stored bytes of the exported version; nil if they are not stored.
    func stored(_ history: AssetHistory) throws -> File? {
        guard let original = history.original else { return nil }
        switch options.version {
        case .original, .unadjusted:
            return try originalFile(original)
        case .current:
            guard !history.chain.isEmpty else { return try originalFile(original) }
            guard !ignoresStored, let rendition = library.storedPicture(of: history.chain) else {
                return nil
            }
            let file = try OutgoingFile(
                rendition.blob, ofAsset: history.asset.localIdentifier, in: library)
            return File(bytes: file, format: rendition.format)
        }
    }

    private func originalFile(_ original: AssetResource) throws -> File {
        File(bytes: try open(original), format: original.format, hasOriginalPixels: true)
    }

    func open(_ original: AssetResource) throws -> OutgoingFile {
        try OutgoingFile(original, in: library)
    }

    /// Returns the imported filename, with the extension of the format unless the original has the same format.
    private func filename(for format: MediaFormat, of history: AssetHistory) -> SafeFilename {
        var name = SafeFilename(history.asset.originalFilename)
        // Libraries of earlier versions list WebM as Matroska.
        let isEncoded =
            options.version == .current && !history.chain.isEmpty || options.video != nil
        if name.ending.isEmpty || history.original?.format != format
            || format == .matroska && isEncoded
        {
            name.ending = format.filenameExtension
        }
        return name
    }
}
