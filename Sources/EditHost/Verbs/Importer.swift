// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import Library

/// Brings one file into a library.
struct Importer: Sendable {
    let renderer: Renderer
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
        let (source, status) = try open(path)
        let start = try source.read(count: MediaFormat.sniffLength)
        guard !start.isEmpty else {
            throw HostError(.badInput, "the file is empty")
        }
        let format = MediaFormat(firstBytes: start)
        if let refusal = refusal(of: format) {
            let isSkipped = format == .unknown
            return ImportResult(
                path: path, status: isSkipped ? .skipped : .rejected, error: refusal)
        }
        // A private copy: the file may change while it is decoded.
        let staged = try library.stage(descriptor: source.number)
        // An original whose file was lost gets it back.
        if let existing = try library.asset(withOriginalHash: staged.hash),
            library.containsBlob(staged.hash)
        {
            return ImportResult(
                path: path, assetIdentifier: existing.localIdentifier, status: .duplicate)
        }
        let copy = try staged.open()
        let report = try await renderer.decoded(
            OwnedDescriptor(duplicating: copy.descriptor), format)
        guard let facts = report.facts else {
            throw HostError(.runnerFailed, "the runner did not say what the picture is")
        }
        let fileDate = Date(
            timeIntervalSince1970: Double(status.st_mtim.tv_sec)
                + Double(status.st_mtim.tv_nsec) / 1e9)
        return try create(path, staged, facts, fileDate, report.warnings)
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

    private func create(
        _ path: String, _ staged: StagedBlob, _ facts: PhotoFacts, _ fileDate: Date,
        _ warnings: [String]
    ) throws -> ImportResult {
        var created: AssetCreationRequest?
        try library.performChanges {
            let request = try AssetCreationRequest(mediaType: .image)
            try request.addResource(
                .photo, blob: staged, filename: (path as NSString).lastPathComponent,
                facts: facts)
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

extension HostError {
    /// Whether it is the fault of one file and not of the host as a whole.
    fileprivate var concernsFile: Bool {
        switch code {
        case .badInput, .blockedFormat, .noSuchFile, .fileFailed, .runnerFailed: true
        default: false
        }
    }
}
