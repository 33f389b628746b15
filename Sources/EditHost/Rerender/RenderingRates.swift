// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol
import Synchronization

/// The rates at which renditions of each kind were last rendered, stored in the library's `cache/rates.json`.
///
/// Rates only affect how plans are divided into shards. The file may therefore be deleted at any time, a damaged one is
/// ignored, and if two processes write it, the last one wins.
final class RenderingRates: Sendable {
    /// The properties that determine the rate of a rendition.
    struct Kind: Codable, Hashable, Sendable {
        /// Whether it is a photo or a video.
        let part: Rendition.Part
        /// The format of a photo's original, or the codec of a video.
        let format: String
        /// The identifiers of the extensions, lowest first. Their builds are not included, because a plan is made for
        /// new ones.
        let extensions: [String]

        init(_ plan: StatePlan, _ settings: EncodeSettings) {
            part = settings.video == nil ? .photo : .video
            format = settings.video?.codec.rawValue ?? plan.originalResource.format.rawValue
            extensions = plan.steps.map(\.binary.manifest.identifier)
        }
    }

    /// An entry of the file, the most recent ones first.
    private struct Entry: Codable {
        let kind: Kind
        /// The seconds per unit of work; see ``PhotoFacts/photoUnits(steps:)`` and ``PhotoFacts/videoUnits``.
        let seconds: Double
    }

    private struct Content: Codable {
        let rates: [Entry]
    }

    static let filename = "rates.json"
    static let limits = JSONLimits(bytes: 1 << 20, values: 50_000, depth: 8)
    private static let maximumCount = 1000
    private static let range = 1e-9...1e3

    private let library: PhotoLibrary
    private let new = Mutex<[Kind: Double]>([:])

    init(_ library: PhotoLibrary) { self.library = library }

    /// The stored rates.
    func stored() -> [Kind: Double] {
        Dictionary(
            entries().map { ($0.kind, $0.seconds) }, uniquingKeysWith: { first, _ in first })
    }

    private func entries() -> [Entry] {
        guard let file = library.openCachedFile(Self.filename),
            let data = (try? Self.limits.content(of: file)) ?? nil,
            Self.limits.excess(of: data) == nil,
            let content = try? JSONDecoder().decode(Content.self, from: data)
        else { return [] }
        return content.rates.filter { Self.range.contains($0.seconds) }
    }

    /// Records how long renditions took together. A job with both photos and videos is ignored, because its time
    /// cannot be attributed to either.
    func note(_ seconds: Double, of renditions: [(plan: StatePlan, settings: EncodeSettings)]) {
        let parts = Set(renditions.map { $0.settings.video == nil })
        let units = renditions.map { plan, settings in
            settings.video == nil
                ? plan.originalFacts.photoUnits(steps: plan.steps.count)
                : plan.originalFacts.videoUnits
        }.reduce(0, +)
        let rate = seconds / units
        guard parts.count == 1, units > 0, Self.range.contains(rate) else { return }
        new.withLock { new in
            for (plan, settings) in renditions { new[Kind(plan, settings)] = rate }
        }
    }

    /// Writes the recorded rates to the library.
    func save() {
        let new = new.withLock { $0 }
        if new.isEmpty { return }
        let recent = new.map { Entry(kind: $0.key, seconds: $0.value) }
        let older = entries().filter { new[$0.kind] == nil }
        let content = Content(rates: Array((recent + older).prefix(Self.maximumCount)))
        guard let data = try? JSONEncoder().encode(content) else { return }
        library.writeCachedFile(data, as: Self.filename)
    }
}
