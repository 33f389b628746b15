// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerProtocol

extension Exporter {
    /// Adds XMP files to an exported file and to its RAW companions, if the options ask for them.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func withSidecars(_ file: File, of history: AssetHistory) async throws -> File {
        // Without metadata, there is nothing to write.
        guard options.sidecar != nil, options.omittedMetadata != .all else { return file }
        var file = file
        var settings = try sidecarValues(of: history)
        settings.isRendered = !file.hasOriginalPixels
        // A dry run has no rendered picture, whose metadata would be that of the original.
        let source =
            isUnknown(file.bytes) ? history.original.flatMap { try? open($0) } : file.bytes
        let isVideo = file.format.mediaType == .video
        file.sidecar = try await sidecar(
            settings, updating: history.mainSidecar, beside: isVideo ? nil : source?.bytes,
            &file.omissions)
        guard options.includesCompanions else { return file }
        settings.isRendered = false
        for raw in history.originals where raw.type == .alternatePhoto && !raw.isPrimary {
            file.rawSidecars[raw.originalFilename] = try await sidecar(
                settings, updating: history.sidecar(of: raw), beside: open(raw).bytes,
                &file.omissions)
        }
        return file
    }

    /// - Parameter old: The imported sidecar. If it cannot be read, it is exported as it is if possible.
    private func sidecar(
        _ settings: SidecarWriting, updating old: AssetResource?, beside picture: OpenFile?,
        _ warnings: inout [String]
    ) async throws -> OutgoingFile? {
        var base = try old.map { try library.openOriginal($0) }
        if let old, let file = base,
            let problem = try await renderer.pool.readSidecar(file).problem
        {
            guard settings.isRendered || settings.omittedMetadata != nil else {
                warnings.append("\(old.originalFilename) is exported as it is: \(problem)")
                return try open(old)
            }
            warnings.append(
                "the sidecar lacks the properties of \(old.originalFilename): \(problem)")
            base = nil
        }
        return try await renderer.pool.writeSidecar(settings, updating: base, beside: picture)
            .map { OutgoingFile($0) }
    }

    /// Whether an imported sidecar is replaced by an exported one, or would reveal metadata that is withheld.
    func replacesSidecar(_ companion: AssetResource, of history: AssetHistory) throws -> Bool {
        guard companion.type == .metadataSidecar, options.sidecar != nil else { return false }
        let raws = history.originals.filter { $0.type == .alternatePhoto && !$0.isPrimary }
        let used = [history.mainSidecar] + raws.map(history.sidecar)
        return try used.contains(companion) || sidecarValues(of: history).omittedMetadata != nil
    }

    /// Returns the values in the sidecars of an asset: those of the library, or of the original if only its metadata is
    /// exported.
    ///
    /// - Throws: `LibraryError`.
    func sidecarValues(of history: AssetHistory) throws -> SidecarWriting {
        let omitted = omittedMetadata(of: history)
        let facts = history.original?.facts
        var changes = MetadataChanges()
        switch options.metadata {
        case nil, .library:
            let keywords = try history.asset.keywords(in: library)
            changes = MetadataChanges(
                DescriptiveMetadata(history.asset, keywords: keywords), readFrom: facts,
                removed: history.asset.removedTexts)
        case .original: changes = facts.map { .init($0.described, readFrom: $0) } ?? changes
        case .copyright:
            let own = DescriptiveMetadata(history.asset, keywords: [])
            let all = MetadataChanges(own, readFrom: facts, removed: history.asset.removedTexts)
            changes = all.copyrightChanges
        case .none?: break
        }
        if omitted?.omitsLocation == true { changes.location = nil }
        return SidecarWriting(changes, omitting: omitted)
    }
}
