// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import Library

/// Brings one file into a library.
struct Importer: Sendable {
    let renderer: Renderer
    let method: ImportMethod
    private var library: PhotoLibrary { renderer.library }

    /// Imports a file, or says why not.
    ///
    /// - Throws: only what concerns the library or the runners as a whole.
    func importFile(_ path: String) async throws -> ImportResult {
        do {
            return try await attempt(path)
        } catch let error as HostError where error.concernsFile {
            return ImportResult(path: path, status: .rejected, error: error)
        } catch let error as LibraryError where error.code == .cannotRead {
            return ImportResult(path: path, status: .rejected, error: error)
        }
    }

    private func attempt(_ path: String) async throws -> ImportResult {
        let (descriptor, status) = try open(path)
        let start = try descriptor.read(count: MediaFormat.sniffLength)
        guard !start.isEmpty else {
            throw HostError(.badInput, "the file is empty")
        }
        let format = MediaFormat(firstBytes: start)
        if let refusal = refusal(of: format) {
            let isSkipped = format == .unknown
            return ImportResult(
                path: path, status: isSkipped ? .skipped : .rejected, error: refusal)
        }
        let source = try SourceFile(descriptor: descriptor.number, path: path)
        try refuseOwnFile(source)
        // A private copy: the file may change while it is decoded.
        let staged = try library.stage(source)
        var result = try await create(path, source, staged, format, status.modificationDate)
        if method == .move { removeMoved(source, staged, &result) }
        return result
    }

    /// What the library itself keeps is not its to be given.
    private func refuseOwnFile(_ source: SourceFile) throws {
        guard method != .copy, library.contains(source) else { return }
        throw HostError(
            .badInput, "the file lies in the library's own folder, so it can only be copied")
    }

    private func create(
        _ path: String, _ source: SourceFile, _ staged: StagedBlob, _ format: MediaFormat,
        _ fileDate: Date
    ) async throws -> ImportResult {
        // An original whose file was lost gets it back.
        if let existing = try library.asset(withOriginalHash: staged.hash),
            try library.isLocallyAvailable(existing)
        {
            return ImportResult(
                path: path, assetIdentifier: existing.localIdentifier, status: .duplicate)
        }
        let copy = try staged.open()
        let report = try await renderer.decoded(
            OwnedDescriptor(copy), format)
        guard let facts = report.facts else {
            throw HostError(.runnerFailed, "the runner did not say what the picture is")
        }
        return try commit(path, source, staged, facts, fileDate, report.warnings)
    }

    /// A file that cannot be removed has been imported all the same.
    private func removeMoved(
        _ source: SourceFile, _ staged: StagedBlob, _ result: inout ImportResult
    ) {
        do {
            try library.remove(source, storedAs: staged.hash)
        } catch {
            result.warnings.append("\(error)")
        }
    }

    private func open(_ path: String) throws -> (OwnedDescriptor, stat) {
        let source = try OwnedDescriptor(readingFile: path, flags: O_NONBLOCK)
        var status = stat()
        guard fstat(source.number, &status) == 0 else {
            throw OwnedDescriptor.failure("cannot be examined", path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw HostError(.badInput, "\(path) is not a plain file")
        }
        return (source, status)
    }

    private func refusal(of format: MediaFormat) -> HostError? {
        if format.isOpened { return nil }
        switch format {
        case .unknown:
            return HostError(.blockedFormat, "this is not a photograph")
        case .mp4, .quickTime, .audio:
            return HostError(
                .blockedFormat,
                "\(format.displayName) files are not imported by this version; "
                    + "photographs are")
        default:
            return HostError(
                .blockedFormat,
                "\(format.displayName) pictures are not opened; "
                    + "JPEG, PNG, TIFF, WebP, HEIC, AVIF, GIF and JPEG XL are")
        }
    }

    private func commit(
        _ path: String, _ source: SourceFile, _ staged: StagedBlob, _ facts: PhotoFacts,
        _ fileDate: Date, _ warnings: [String]
    ) throws -> ImportResult {
        var created: AssetCreationRequest?
        let reference = method == .reference ? try source.reference(staged) : nil
        let filename = (path as NSString).lastPathComponent
        try library.performChanges {
            let request = try AssetCreationRequest(mediaType: .image)
            if let reference {
                try request.addResource(
                    .photo, reference: reference, filename: filename, facts: facts)
            } else {
                try request.addResource(.photo, blob: staged, filename: filename, facts: facts)
            }
            request.fileDate = fileDate
            created = request
        }
        switch created?.result {
        case .duplicate(let existing):
            return ImportResult(path: path, assetIdentifier: existing, status: .duplicate)
        case .created, nil:
            return ImportResult(
                path: path,
                assetIdentifier: created?.placeholderForCreatedAsset.localIdentifier,
                status: .imported, warnings: warnings)
        }
    }
}

extension stat {
    fileprivate var modificationDate: Date {
        Date(
            timeIntervalSince1970: Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1e9)
    }
}

extension HostError {
    /// Whether it is the fault of one file and not of the host as a whole.
    fileprivate var concernsFile: Bool {
        switch code {
        case .badInput, .blockedFormat, .noSuchFile, .fileFailed, .runnerFailed: true
        default: false
        }
    }
}
