// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ExtensionHost {
    /// Checks a library without changing it.
    ///
    /// A missing rendition is not reported as damage if it is not the current one and can be re-rendered with
    /// the installed extensions.
    ///
    /// - Parameters:
    ///   - percent: The percentage of files to read, and to decode if they are videos, 0...100.
    ///   - progress: Called after each file or video with its number and the total. An error that it throws
    ///     ends the check.
    /// - Throws: `LibraryError` if the check itself fails; `HostError` if videos are to be decoded and no
    ///   runner can be started.
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
        // Unreadable rows have been reported already.
        guard percent > 0, !report.findings.contains(where: { $0.kind == .databaseDamaged }) else {
            return
        }
        try await VideoCheck(library: library, pool: pool).run(
            ofPercent: percent, adding: &report
        ) { try progress(.videos, $0, $1) }
    }

    /// Checks the library in a folder without changing it, even if it is too damaged to be opened.
    ///
    /// - Parameters:
    ///   - percent: The percentage of files to read, 0...100.
    ///   - decodesVideos: Whether to decode the videos among those files.
    ///   - progress: Called after each file or video with its number and the total. An error that it throws
    ///     ends the check.
    /// - Throws: `LibraryError` if there is no library or the check itself fails; `HostError` if videos are to
    ///   be decoded and no runner can be started.
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
        // The report contains the reason if the library cannot be opened.
        guard decodesVideos, percent > 0,
            let library = try? PhotoLibrary.open(at: path, options: options)
        else { return report }
        defer { try? library.close() }
        try await decodeVideos(of: library, percent, adding: &report, progress: progress)
        return report
    }

    /// Checks a library, repairs it and checks it again.
    ///
    /// Missing and damaged renditions are re-rendered from original and recipes. An original is never changed.
    /// A damaged one is moved aside.
    ///
    /// - Parameters:
    ///   - percent: The percentage of files to read, 0...100.
    ///   - backupPath: The folder of a backup from which files are restored; `nil` for none.
    ///   - progress: Called after each file or video of the first check. An error that it throws ends the
    ///     repair.
    /// - Throws: `LibraryError` with `busy` if another process changes the library, or `damaged` if its
    ///   database is damaged. In that case, nothing has been changed.
    package func repair(
        _ library: PhotoLibrary, readingDataOf percent: Double = 0,
        fromBackupAt backupPath: String? = nil,
        progress: @escaping (CheckPhase, Int, Int) throws -> Void = { _, _, _ in }
    ) async throws -> RepairResult {
        let report = try await check(library, readingDataOf: percent, progress: progress)
        var actions = try library.repair(report, fromBackupAt: backupPath)
        var waiting = report.findings.indices.filter { index in
            let finding = report.findings[index]
            return [.renditionMissing, .renditionDamaged].contains(finding.kind)
                && finding.isRepairable && actions[index] != .restored
        }
        var failures: [any Error] = []
        // A failed rendition may depend on one that has been re-rendered since.
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

    /// Re-renders the renditions that were stored in a missing file.
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
