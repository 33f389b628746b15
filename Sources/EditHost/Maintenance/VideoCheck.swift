// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// Decodes the videos of a library completely and discards the frames.
struct VideoCheck {
    let library: PhotoLibrary
    let pool: RunnerPool

    /// The number of frames decoded between checks for cancellation.
    private static let frameLimit = 64

    /// Checks the videos in a sample of the files, except for those already reported.
    ///
    /// - Throws: `LibraryError`; `HostError` if no runner can be started; errors of `progress`.
    func run(
        ofPercent percent: Double, adding report: inout CheckReport,
        progress: (Int, Int) throws -> Void
    ) async throws {
        let bad = Set(report.findings.compactMap(\.path))
        let videos = try StoredVideo.all(in: library, ofPercent: percent).filter { video in
            video.path(in: library).map { !bad.contains($0) } ?? false
        }
        guard !videos.isEmpty else { return }
        guard let media = pool.media else {
            return report.noteUndecoded(videos.count, because: RunnerPool.lacksVideos)
        }
        // Originals come first, because a rendition cut from a damaged original without re-encoding inherits
        // the damage.
        var faults: [SHA256Digest: String?] = [:]
        let inOrder = videos.filter(\.isOriginal) + videos.filter { !$0.isOriginal }
        for (index, video) in inOrder.enumerated() {
            // A missing file has been pruned since.
            if let file = try? video.open(in: library) {
                let fault = try await fault(of: file, decodedBy: media)
                faults[video.hash] = .some(fault)
                var isInherited = false
                if fault != nil, !video.isOriginal {
                    isInherited = try await hasFaultyOriginal(video, &faults, decodedBy: media)
                }
                report.note(video, fault: fault, isInherited: isInherited, in: library)
            }
            try progress(index + 1, videos.count)
        }
    }

    /// Whether an original of a rendition is damaged, even if it is not in the sample.
    private func hasFaultyOriginal(
        _ rendition: StoredVideo, _ faults: inout [SHA256Digest: String?],
        decodedBy media: RunnerPool
    ) async throws -> Bool {
        // The asset may have been deleted since.
        let originals = (try? rendition.originals(in: library)) ?? []
        for original in originals where original.hash != rendition.hash {
            if faults[original.hash] == nil, let file = try? original.open(in: library) {
                faults[original.hash] = .some(try await fault(of: file, decodedBy: media))
            }
            if faults[original.hash]?.flatMap({ $0 }) != nil { return true }
        }
        return false
    }

    /// Decodes a video and describes its damage; nil if there is none.
    private func fault(of file: OpenFile, decodedBy media: RunnerPool) async throws -> String? {
        do {
            return try await media.withRunner { runner in
                let reader = VideoFrameReader(runner: runner, buffers: media.buffers)
                _ = try await reader.open(file, height: nil)
                var total = 0
                while true {
                    try Task.checkCancellation()
                    let decoded = try await reader.decode(Self.frameLimit)
                    total += decoded.count
                    if decoded.count < Self.frameLimit { return decoded.fault(of: total) }
                }
            }
        } catch let error as HostError
            where [.badInput, .blockedFormat, .runnerFailed].contains(error.code)
        {
            try Task.checkCancellation()
            return "the video cannot be decoded to its end: \(error.message)"
        }
    }
}
