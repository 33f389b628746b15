// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Library
import RunnerHost
import Synchronization

/// The files that imports into a library have rejected because of their contents.
///
/// An import does not decode such a file again, unless it is named by the user, all files are to be read again, or
/// another version of the program rejected it. Reads are immediate; changes are collected.
final class ImportRejections: Sendable {
    private struct Changes {
        var rejected: [RejectedFile] = []
        var accepted: Set<SHA256Digest> = []
        /// The hashes of all files that this import has rejected. They may be stored before it ends.
        var own: Set<SHA256Digest> = []
        /// The number of rejected files that the library does not remember because there are too many.
        var lostCount = 0
    }

    private let library: PhotoLibrary
    private let finder: ImportFileFinder
    private let triesAgain: Bool
    private let changes = Mutex(Changes())

    /// The number of changes that are stored in one transaction.
    private static let batchSize = 100

    /// - Parameter triesAgain: Whether no file counts as rejected before.
    init(in library: PhotoLibrary, of finder: ImportFileFinder, triesAgain: Bool = false) {
        (self.library, self.finder, self.triesAgain) = (library, finder, triesAgain)
    }

    /// Returns the result for a file that was rejected before; nil if it is to be read.
    ///
    /// The file is hashed only if a rejected file has its size.
    ///
    /// - Throws: `LibraryError`; `HostError` with `fileFailed`; `CancellationError`.
    func result(for path: String, _ file: OpenFile) throws -> ImportResult? {
        guard !triesAgain, !finder.isNamed(path),
            try library.hasRejectedFile(ofSize: file.byteCount())
        else { return nil }
        let hash = try OutgoingFile(file).hash()
        if changes.withLock({ $0.own.contains(hash) }) { return nil }
        let known = try library.rejectedFile(
            withHash: hash, filenameExtension: FileName(path).parts.ending)
        guard let known, known.version == HostVersion.current else { return nil }
        let code = HostError.Code(rawValue: known.code) ?? .badInput
        return ImportResult(
            path: path, status: .rejectedBefore, error: HostError(code, known.reason))
    }

    /// Records that a file was rejected because of its contents.
    func add(_ path: String, _ hash: SHA256Digest, byteCount: Int, _ error: HostError) {
        let file = RejectedFile(
            hash: hash, filenameExtension: FileName(path).parts.ending, byteCount: byteCount,
            path: finder.relativePath(of: path), code: error.code.rawValue, reason: error.message,
            date: Date(), version: HostVersion.current)
        changes.withLock { changes in
            changes.rejected.append(file)
            changes.own.insert(hash)
        }
    }

    /// Records that the library has a file, so that it does not count as rejected any more.
    func remove(_ file: Importer.StagedFile) throws {
        guard try library.hasRejectedFile(ofSize: file.source.byteCount) else { return }
        changes.withLock { _ = $0.accepted.insert(file.staged.hash) }
    }

    /// Stores the changes if there are many of them, or `all` is true.
    ///
    /// - Throws: `LibraryError`.
    func store(all: Bool) async throws {
        let made = changes.withLock { changes -> Changes? in
            let count = changes.rejected.count + changes.accepted.count
            guard count >= (all ? 1 : Self.batchSize) else { return nil }
            defer { (changes.rejected, changes.accepted) = ([], []) }
            return changes
        }
        guard let made else { return }
        // A cancelled import stores them too.
        let lost = try await Task { [library] in
            try await library.remember(rejected: made.rejected, forgetting: made.accepted)
        }.value
        changes.withLock { $0.lostCount += lost }
    }

    /// The number of rejected files that the library does not remember because there are too many.
    var lostCount: Int { changes.withLock(\.lostCount) }
}
