// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// What a repair found, did and left.
package struct RepairResult: Sendable {
    /// What was found first.
    package let findings: [CheckReport.Finding]
    /// What was done about each finding.
    package let actions: [RepairAction]
    /// Why pictures could not be rendered again.
    package let failures: [any Error]
    /// What a second check has found.
    package let remaining: CheckReport
}

/// What a check does, one after the other.
package enum CheckPhase: Hashable, Sendable {
    /// Looks after every file, and reads some.
    case files
    /// Decodes the videos among those that it has read.
    case videos
}

extension ExtensionHost {
    /// Checks a library; nothing is changed. What the installed extensions can render again, and
    /// nobody sees now, is no damage.
    ///
    /// - Parameters:
    ///   - percent: how many of the files to read as well, and to decode where they are videos, 0...100.
    ///   - progress: told after each file, or video, how many of how many there are; what it throws ends the
    ///     check.
    /// - Throws: `LibraryError` where the check itself cannot be done; `HostError` where videos are to be decoded, and
    ///   no runner can be started.
    package func check(
        _ library: PhotoLibrary, readingDataOf percent: Double = 0,
        progress: @escaping (CheckPhase, Int, Int) throws -> Void = { _, _, _ in }
    ) async throws -> CheckReport {
        var report = try library.check(readingDataOf: percent, canRender: planner.canRender) {
            try progress(.files, $0, $1)
        }
        try await decodeVideos(of: library, percent, adding: &report, progress: progress)
        return report
    }

    private func decodeVideos(
        of library: PhotoLibrary, _ percent: Double, adding report: inout CheckReport,
        progress: (CheckPhase, Int, Int) throws -> Void
    ) async throws {
        // Rows that cannot be read have been reported.
        guard percent > 0, !report.findings.contains(where: { $0.kind == .databaseDamaged }) else {
            return
        }
        try await VideoCheck(library: library, pool: pool).run(
            ofPercent: percent, adding: &report
        ) { try progress(.videos, $0, $1) }
    }

    /// Checks the library in a folder, however damaged it is; nothing is changed.
    ///
    /// - Parameters:
    ///   - percent: how many of the files to read as well, 0...100.
    ///   - decodesVideos: whether the videos among those are decoded, too.
    ///   - progress: told after each file, or video, how many of how many there are; what it throws ends the
    ///     check.
    /// - Throws: `LibraryError` where there is no library, or the check itself cannot be done; `HostError` where
    ///   videos are to be decoded, and no runner can be started.
    package func check(
        libraryAt path: String, readingDataOf percent: Double = 0, decodesVideos: Bool = true,
        progress: @escaping (CheckPhase, Int, Int) throws -> Void = { _, _, _ in }
    ) async throws -> CheckReport {
        var report = try PhotoLibrary.check(
            at: path, readingDataOf: percent, canRender: planner.canRender
        ) { try progress(.files, $0, $1) }
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        options.checksAfterUncleanClose = false
        // What keeps it from being opened is in the report.
        guard decodesVideos, percent > 0,
            let library = try? PhotoLibrary.open(at: path, options: options)
        else { return report }
        defer { try? library.close() }
        try await decodeVideos(of: library, percent, adding: &report, progress: progress)
        return report
    }

    /// Checks a library, repairs what can be repaired, and checks it again.
    ///
    /// Missing and damaged renditions are rendered again from original and recipes. An original
    /// is never changed: a damaged one is set aside.
    ///
    /// - Parameters:
    ///   - percent: how many of the files to read as well, 0...100.
    ///   - progress: told after each file, or video, that the first check has seen; what it throws ends it.
    /// - Throws: `LibraryError`: `busy` while others change the library, `damaged` where its
    ///   database is; nothing has been changed then.
    package func repair(
        _ library: PhotoLibrary, readingDataOf percent: Double = 0,
        progress: @escaping (CheckPhase, Int, Int) throws -> Void = { _, _, _ in }
    ) async throws -> RepairResult {
        let report = try await check(library, readingDataOf: percent, progress: progress)
        var actions = try library.repair(report)
        var waiting = report.findings.indices.filter { index in
            let finding = report.findings[index]
            return [.renditionMissing, .renditionDamaged].contains(finding.kind)
                && finding.isRepairable && actions[index] != .restored
        }
        var failures: [any Error] = []
        // What failed may have needed another that has been rendered since.
        repeat {
            failures = []
            var failed: [Int] = []
            for index in waiting {
                do {
                    try await renderAgain(report.findings[index], in: library)
                    actions[index] = .rendered
                } catch {
                    try Task.checkCancellation()
                    failures.append(error)
                    failed.append(index)
                }
            }
            if failed.count == waiting.count { break }
            waiting = failed
        } while !waiting.isEmpty
        return RepairResult(
            findings: report.findings, actions: actions, failures: failures,
            remaining: try await check(library, readingDataOf: percent))
    }

    /// Renders the pictures again that were in a file.
    private func renderAgain(
        _ finding: CheckReport.Finding, in library: PhotoLibrary
    ) async throws {
        let name = finding.path?.split(separator: "/").last.map(String.init) ?? ""
        guard let hash = SHA256Digest(hex: name) else { return }
        for use in try library.renditions(inBlob: hash) where !library.containsBlob(hash) {
            let history = try library.history(ofAsset: use.assetIdentifier).history(of: use.part)
            let content = try await content(use, of: history, in: library)
            try await library.performChanges {
                try AssetChangeRequest(for: history.asset).replaceRendition(
                    content, kind: use.kind, ofEdit: use.editIdentifier)
            }
        }
    }

    private func content(
        _ use: RenditionUse, of history: AssetHistory, in library: PhotoLibrary
    ) async throws -> RenderedContent {
        guard let chain = history.chain(upToEdit: use.editIdentifier) else {
            throw HostError(
                .cannotRender, "the edit no longer exists", asset: use.assetIdentifier)
        }
        let renderer = renderer(of: library)
        return use.kind == .base
            ? try await renderer.base(of: chain, in: history)
            : try await renderer.rendition(of: chain, in: history)
    }
}
