// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

/// Finds or makes the bytes of an export.
struct Exporter: Sendable {
    let planner: StatePlanner
    let renderer: Renderer
    let options: ExportOptions

    private var library: PhotoLibrary { renderer.library }

    /// Writes rendered bytes under the name that the asset was imported with.
    func write(
        _ bytes: OwnedDescriptor, _ format: MediaFormat, of history: AssetHistory,
        to folder: String
    ) throws -> String {
        let stem = (history.asset.originalFilename as NSString).deletingPathExtension
        return try NewFile.write(
            bytes, in: folder, stem: stem, ending: ending(for: format, of: history))
    }

    func bytes(of history: AssetHistory) async throws -> (OwnedDescriptor, MediaFormat) {
        if options.isUnconverted, let stored = try stored(history) { return stored }
        let chain = options.version == .current ? history.chain : []
        let plan = try planner.plan(chain, of: history)
        let settings = try settings(for: plan.originalFacts)
        let output: RenderedOutput
        // What is stored already needs no extension: a quality is not lost by resizing it.
        if let stored = standIn(for: plan, chain) {
            let base = try renderer.open(stored.blob, .encoded(stored.format), of: plan)
            let plan = plan.over(stored.blob, stored.format, [])
            output = try await renderer.run([], over: base, of: plan, .encoded(settings))
        } else {
            output = try await renderer.render(plan, .encoded(settings))
        }
        guard let bytes = output.bytes else {
            throw HostError(.runnerFailed, "there is no output")
        }
        return (bytes, settings.format)
    }

    /// The stored picture of a chain that cannot be drawn now: its last extension is missing, or the
    /// original that it starts from lies elsewhere and is away or has changed.
    private func standIn(for plan: StatePlan, _ chain: [Edit]) -> Rendition? {
        guard let tip = chain.last, let stored = tip.current else { return nil }
        let isBaseStored = tip.base.map { library.containsBlob($0.blob) } ?? false
        if !isBaseStored, planner.obstacle(to: tip) != nil { return stored }
        guard plan.base == plan.original, plan.originalResource.blob == nil else { return nil }
        do {
            _ = try library.openOriginal(plan.originalResource)
            return nil
        } catch {
            return stored
        }
    }

    /// The stored bytes of the version, where there are such.
    private func stored(_ history: AssetHistory) throws -> (OwnedDescriptor, MediaFormat)? {
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
            let file = try library.openBlob(
                rendition.blob, ofAsset: history.asset.localIdentifier)
            return (try OwnedDescriptor(file), rendition.format)
        }
    }

    private func open(_ original: AssetResource) throws -> OwnedDescriptor {
        try OwnedDescriptor(library.openOriginal(original))
    }

    private func settings(for facts: PhotoFacts) throws -> EncodeSettings {
        var settings = EncodeSettings.rendition(of: facts)
        if let format = options.format {
            guard format.isWritten else {
                throw HostError(
                    .badRequest, "pictures are not written as \(format.displayName)")
            }
            settings.format = format
            settings.quality = format.hasQuality ? EncodeSettings.renditionQuality : nil
        }
        if let quality = options.quality {
            guard (1...100).contains(quality), settings.format.hasQuality else {
                throw HostError(
                    .badRequest,
                    "a quality is a number from 1 to 100, for formats with loss; "
                        + "\(settings.format.displayName) is written without")
            }
            settings.quality = quality
        }
        if settings.format == .jpeg { settings.bitsPerSample = 8 }
        settings.size = options.size
        return settings
    }

    /// The original's own ending where the format is the same, else the format's.
    func ending(for format: MediaFormat, of history: AssetHistory) -> String {
        let own = (history.asset.originalFilename as NSString).pathExtension
        return history.original?.format == format && !own.isEmpty ? own : format.filenameExtension
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
