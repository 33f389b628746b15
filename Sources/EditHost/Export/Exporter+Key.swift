// SPDX-License-Identifier: Apache-2.0

import Hashing
import EditingModel
import Foundation
import Library
import RunnerProtocol

extension Exporter {
    /// The version of the export itself. Raise it if exported files change while all inputs of the key stay the
    /// same.
    private static let version = 1

    /// The variant of an asset. Variants do not replace each other in a folder.
    func variant(of history: AssetHistory) -> String {
        let isNamed = options.name?.namesVersion ?? false
        let version = values(of: history).version
        let isOther = isNamed && version != options.version.rawValue
        return [
            options.version.rawValue, options.format?.rawValue, options.livePhotoPart?.rawValue,
            isOther || options.savedVersion != nil ? "version \(version)" : nil,
        ].compactMap { $0 }.joined(separator: " ")
    }

    /// Returns the hashes of everything that the files of an asset depend on.
    ///
    /// - Throws: `LibraryError`.
    func key(of history: AssetHistory) throws -> ExportRecord.Key {
        var metadata = try metadata(of: history)
        if let template = options.name {
            let (folders, stem) = template.components(values(of: history))
            metadata = Self.hash([metadata] + folders + [stem])
        }
        if options.sidecar != nil {
            metadata = Self.hash([metadata, try sidecarState(of: history)])
        }
        return ExportRecord.Key(
            content: Self.hash(content(of: history)), metadata: metadata,
            settings: Self.hash(settings(of: history.asset)))
    }

    private func content(of history: AssetHistory) -> [String] {
        var parts = [
            history.original.map(Self.identity), history.pairedVideo.map(Self.identity),
            history.asset.originalFilename,
        ]
        if options.version == .current, let tip = history.chain.last {
            // A rendition that is not stored is identified by its edit.
            parts += [tip.current?.blob.hex ?? "edit \(tip.identifier)"]
            let motion = history.motion?.chain.last?.current?.blob.hex
            parts += [history.hasMotion ? motion ?? "motion" : "no motion"]
            if isRendered(history) {
                // The pixels depend on the extensions, or on the stored rendition if an extension is missing.
                parts += history.chain.map { edit in
                    (try? planner.step(edit))?.binary.digest.hex ?? "none"
                }
                parts.append("\(substitute(for: history.chain, of: history) != nil)")
            }
        }
        if options.includesCompanions {
            parts += history.originals.filter { !$0.isPrimary }
                .map { "\($0.originalFilename) \(Self.identity($0))" }
        }
        if options.sidecar != nil { parts += history.sidecars.map(Self.identity) }
        return parts.map { $0 ?? "none" }
    }

    /// Whether the pixels are rendered for the export.
    func isRendered(_ history: AssetHistory) -> Bool {
        if history.asset.mediaType == .video { return options.video != nil }
        // A rendition whose file was lost is rendered again with the same settings, like `rerender` does.
        return options.isConverted || ignoresStored || history.chain.last?.current == nil
    }

    private static func identity(_ resource: AssetResource) -> String {
        resource.contentHash?.hex
            ?? "\(resource.originalFilename) \(resource.size ?? 0)"
    }

    private func metadata(of history: AssetHistory) throws -> String {
        let said = try LibraryMetadata(history, in: library)
        if !options.isConverted, isStored(history, said) {
            return "as stored \(hidesPlace(of: history))"
        }
        guard let changes = changes(said) else { return "\(hidesPlace(of: history))" }
        return Self.hash([
            try Self.text(of: changes), "\(hidesPlace(of: history)) \(said.isInFile)",
        ])
    }

    /// The values in the sidecar of an asset.
    private func sidecarState(of history: AssetHistory) throws -> String {
        try Self.text(of: sidecarValues(of: history).changes)
    }

    private static func text(of changes: MetadataChanges) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(changes), as: UTF8.self)
    }

    private func settings(of asset: Asset) -> [String] {
        var parts: [String?] = [
            "\(Self.version)", options.quality.map { "quality \($0)" },
            options.size.map { "size \($0.width) \($0.height)" },
            options.sharpening.map { "sharpening \($0)" }, "profile \(options.profile)",
            options.metadata?.rawValue,
            "\(options.includesLocation) \(options.includesCompanions)",
            options.includesPeople ? nil : "no people",
            options.name.map { "name \($0.text)" }, options.sidecar.map { "sidecar \($0)" },
        ]
        // Version 2: the height applies to the edited video, and removed locations are not exported.
        if asset.mediaType == .video { parts.append("videos 2") }
        if let video = options.video, asset.mediaType == .video {
            parts += [
                video.codec.rawValue, video.preset?.rawValue ?? VideoSettings.defaultPreset,
                video.quality.map { "crf \($0)" },
                video.height.map { "height \($0)" },
            ]
        }
        return parts.compactMap { $0 }
    }

    private static func hash(_ parts: [String]) -> String {
        var hasher = SHA256()
        for part in parts {
            // The length prefix makes the concatenation unambiguous.
            hasher.update(data: Data("\(part.utf8.count) ".utf8))
            hasher.update(data: Data(part.utf8))
        }
        return String(SHA256Digest(bytes: hasher.finalize()).hex.prefix(32))
    }
}
