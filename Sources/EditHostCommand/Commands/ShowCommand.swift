// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import JSONOutput
import Library

/// The command `edithost show`.
struct ShowCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the details and edits of photos.",
        examples: """
            edithost show 3f2a
            edithost show 3f2a --json
            edithost show 3f2a 9c41
            edithost show --album Summer --edited
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let identifiers = try await assets.identifiers(in: library)
        if identifiers.isEmpty { try general.output.printText(["no photos"]) }
        try await general.withValues(in: library) { reader in
            for (index, identifier) in identifiers.enumerated() {
                let history = try unlessRemoved(among: identifiers) {
                    try library.history(ofAsset: identifier)
                }
                guard let history else { continue }
                if index > 0 { try general.output.printText([""]) }
                try await show(history, in: library, reader)
            }
        }
    }

    private func show(
        _ history: AssetHistory, in library: PhotoLibrary, _ reader: EditValueReader
    ) async throws {
        let output = general.output
        let keywords = try history.asset.keywords(in: library)
        let place = history.original.map { library.availability(of: $0) } ?? .absent
        let values = try await reader.values(of: history.chain, of: history)
        try output.printJSON(
            history.detailRow(keywords: keywords, place: place, values: values))
        try output.printText(Self.lines(history, keywords, place, values))
    }

    private static func lines(
        _ history: AssetHistory, _ keywords: [String], _ place: AssetResourceAvailability,
        _ values: [String: EditValues]
    ) -> [String] {
        let asset = history.asset
        let originalSize = "\(asset.originalPixelWidth)x\(asset.originalPixelHeight)"
        var facts = [
            ("id", asset.localIdentifier),
            ("file", asset.originalFilename),
            ("folder", asset.originalFolder ?? ""),
            ("type", ([asset.mediaType.name] + asset.mediaSubtypes.names).joined(separator: ", ")),
            ("size", "\(asset.pixelWidth)x\(asset.pixelHeight)"),
            ("original", "\(originalSize), \(words(for: place, history.original?.url))"),
            ("length", asset.duration > 0 ? Self.length(asset.duration) : ""),
            ("video", history.original?.facts?.video?.pictureWords ?? ""),
            ("sound", history.original?.facts?.video?.soundWords ?? ""),
            ("taken", asset.captureDate?.tableText ?? "unknown"),
            ("modified", asset.modificationDate.tableText),
            ("added", asset.addedDate.tableText),
        ]
        facts.removeAll { $0.1.isEmpty }
        if let loss = history.editLoss { facts.append(("edits", loss)) }
        if let place = asset.location {
            facts.append(("location", place.tableText))
        }
        facts += details(asset, keywords)
        let marks = [(asset.isFavorite, "favourite"), (asset.isHidden, "hidden")]
        facts += marks.filter(\.0).map { ("mark", $0.1) }
        facts += history.chain.enumerated().map { index, edit in
            let mark =
                (edit.isReproducible ? "" : ", kept as a picture")
                + (edit.isEnabled ? "" : ", disabled")
            return (
                "edit \(index + 1)",
                "\(edit.description(values[edit.identifier])), \(edit.createdDate.tableText)\(mark)"
            )
        }
        let width = facts.map(\.0.count).max() ?? 0
        return facts.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value
        }
    }

    /// Returns a description of the location of the original.
    private static func words(for place: AssetResourceAvailability, _ url: String?) -> String {
        let file = (url ?? "no file").printable
        return switch place {
        case .stored: "stored in the library"
        case .referenced: "referenced: \(file)"
        case .away: "missing: \(file)"
        case .changed: "changed: \(file)"
        case .absent: "missing; run edithost check"
        }
    }

    /// The rows for details that many photos lack.
    private static func details(
        _ asset: Asset, _ keywords: [String]
    ) -> [(String, String)] {
        let camera = [asset.cameraMake, asset.cameraModel].compactMap(\.self)
        let names = KeywordPath.names(of: keywords)
        let nested = keywords.filter { KeywordPath($0).isNested }
        let facts: [(String, String?)] = [
            ("burst", asset.burstWords),
            ("camera", camera.isEmpty ? nil : camera.joined(separator: " ")),
            ("lens", asset.lensModel),
            ("exposure", asset.exposureTime.map { Self.seconds($0) }),
            ("keywords", names.isEmpty ? nil : names.joined(separator: ", ")),
            ("hierarchies", nested.isEmpty ? nil : nested.joined(separator: ", ")),
        ]
        return asset.textFacts.map { ($0, $1.printable) }
            + facts.compactMap { name, value in value.map { (name, $0.printable) } }
    }

    /// Formats a duration as players do: `0:02.6`, `1:02:03`.
    private static func length(_ seconds: Double) -> String {
        let tenths = Int((min(seconds, 1e9) * 10).rounded())
        let (hours, minutes, rest) = (tenths / 36000, tenths / 600 % 60, tenths % 600)
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let short = padded(rest / 10) + (hours > 0 || rest % 10 == 0 ? "" : ".\(rest % 10)")
        return hours > 0 ? "\(hours):\(padded(minutes)):\(short)" : "\(minutes):\(short)"
    }

    /// Formats an exposure time as cameras do: `1/60 s`, `2.5 s`.
    private static func seconds(_ time: Double) -> String {
        let parts = (1 / time).rounded()
        let isFraction = time < 0.5 && parts < 1e6 && abs(parts * time - 1) < 0.05
        return isFraction ? "1/\(Int(parts)) s" : "\((time * 1000).rounded() / 1000) s"
    }
}

extension VideoFacts {
    /// A description of the video such as `h264, 29.97 frames per second, 75 frames`.
    fileprivate var pictureWords: String {
        let rate = frameRate.map { min($0, 1e6) }.map { ($0 * 100).rounded() / 100 }
        let words = [
            codec,
            rate.map { rate in
                let number = rate == rate.rounded() ? "\(Int(rate))" : "\(rate)"
                return rate == 1 ? "1 frame per second" : "\(number) frames per second"
            },
            frameCount.map { $0.counted("frame") },
        ]
        return words.compactMap(\.self).joined(separator: ", ").printable
    }

    /// A description of the audio such as `aac`, or `aac, 3 tracks`.
    fileprivate var soundWords: String {
        guard let audioCodec else { return "none" }
        return (audioTracks > 1 ? "\(audioCodec), \(audioTracks) tracks" : audioCodec).printable
    }
}
