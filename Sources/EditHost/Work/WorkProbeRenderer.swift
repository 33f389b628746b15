// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Hashing
import Library

/// Renders probes on the machine that plans.
struct WorkProbeRenderer {
    /// A renderer of the library with the purpose of rendering.
    let renderer: Renderer

    /// The time in seconds above which a probe is rendered only once, without a test whether the bytes are
    /// reproducible.
    private static let longTime = 5.0

    /// Renders the photo of an asset.
    ///
    /// - Parameter job: The job of the same renditions.
    /// - Returns: The probe; `nil` if a second rendering gives other bytes.
    /// - Throws: `HostError`; `LibraryError`.
    func probe(_ job: WorkJob, _ renditions: [StaleRendition]) async throws -> WorkProbe? {
        var (hashes, seconds) = try await render(renditions)
        // The first rendering includes starting a runner and loading extensions.
        if seconds < Self.longTime {
            let second = try await render(renditions)
            guard second.hashes == hashes else { return nil }
            seconds = second.seconds
        }
        guard let last = hashes.popLast() else { return nil }
        return WorkProbe(job: job, sha256: last, bases: hashes, seconds: seconds)
    }

    private func render(
        _ renditions: [StaleRendition]
    ) async throws -> (hashes: [WorkHash], seconds: Double) {
        let start = ContinuousClock.now
        var files: [(bytes: OpenFile, format: MediaFormat)] = []
        var hashes: [WorkHash] = []
        for rendition in renditions {
            let picture: EncodedOutput.Picture
            if let lower = rendition.lower {
                picture = try await renderer.run(
                    rendition.plan.steps,
                    over: Renderer.Base(
                        bytes: files[lower].bytes, kind: .encoded(files[lower].format)),
                    of: rendition.plan, EncodedOutput(rendition.settings))
            } else {
                picture = try await renderer.picture(of: rendition.plan, rendition.settings)
            }
            files.append((picture.bytes, rendition.settings.format))
            hashes.append(WorkHash(try Self.hash(of: picture.bytes)))
        }
        return (hashes, start.duration(to: .now) / .seconds(1))
    }

    private static func hash(of file: OpenFile) throws -> SHA256Digest {
        var (hasher, offset) = (SHA256(), 0)
        while true {
            let part = try file.read(count: 1 << 20, at: offset)
            if part.isEmpty { return SHA256Digest(bytes: hasher.finalize()) }
            hasher.update(data: part)
            offset += part.count
        }
    }
}
