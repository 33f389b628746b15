// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import RunnerHost

/// Imports files into a library.
struct Importer: Sendable {
    let library: PhotoLibrary
    let pool: RunnerPool
    let method: ImportMethod
    /// The files to import.
    let finder: ImportFileFinder
    /// Whether to read files again that the library already contains.
    let readsAgain: Bool
    /// Which value to use if a file and its sidecar differ.
    let precedence: MetadataPrecedence
    /// The sidecars that this import has read.
    let sidecars = ImportedSidecars()
    /// The files to move that several groups use.
    let sharedFiles = SharedImportFiles()
    /// The files that this import and earlier ones have rejected.
    let rejections: ImportRejections

    init(
        library: PhotoLibrary, pool: RunnerPool, method: ImportMethod = .copy,
        of finder: ImportFileFinder = ImportFileFinder([], excluding: []),
        readsAgain: Bool = false, precedence: MetadataPrecedence = .sidecar
    ) {
        (self.library, self.pool, self.method, self.finder) = (library, pool, method, finder)
        (self.readsAgain, self.precedence) = (readsAgain, precedence)
        rejections = ImportRejections(in: library, of: finder, triesAgain: readsAgain)
    }

    /// An open file with the library's copy of it.
    struct StagedFile: Sendable {
        let path: String
        let source: SourceFile
        let staged: StagedBlob
        let date: Date
        /// The role of the file in the asset.
        var type = AssetResourceType.photo
        /// The reference to store if the file stays in place.
        var reference: FileReference?
        /// The facts of a Live Photo's video, from decoding it.
        var facts: PhotoFacts?

        var filename: String { path.withoutTrailingSlashes.pathParts.name }
    }

    /// Imports groups of files concurrently, and reports each file in the order of the groups. Separate videos come
    /// last, because they may belong to pictures. A moved file that several groups use follows the last of them.
    /// Remembers the rejected files, including those before an error.
    ///
    /// - Parameter limit: The maximum number of groups that are read concurrently.
    /// - Throws: `HostError` with `runnerUnavailable`, `LibraryError` if the library itself is unusable; errors of
    ///   `report`; `CancellationError`.
    func importAll(
        _ groups: [ImportGroup], limit: Int, report: (ImportResult) async throws -> Void
    ) async throws {
        let videos = groups.filter { ImportFilenameExtension.isVideo($0.primary) }
        sharedFiles.begin(groups)
        do {
            for part in [groups.filter { !ImportFilenameExtension.isVideo($0.primary) }, videos] {
                try await forEachOrdered(
                    part, limit: limit, { group in (group, await prepare(group)) },
                    deliver: { group, store in
                        let results = try await store()
                        // An error of a report leaves no file that is no longer used.
                        let isImported = results.first?.isSafe == true
                        let shared = sharedFiles.end(group, isImported: isImported).map(removing)
                        for result in results + shared { try await report(result) }
                        try await rejections.store(all: false)
                    })
            }
        } catch {
            try? await rejections.store(all: true)
            for file in sharedFiles.rest() { try? await report(Self.leaving(file)) }
            throw error
        }
        try await rejections.store(all: true)
    }

    /// The second step of an import: stores what the first step has read, and returns the results of the files, that of
    /// the primary file first. Throws errors that concern the library or the runners as a whole.
    typealias Storing = @Sendable () async throws -> [ImportResult]

    /// Reads and decodes the files of a group, concurrently with other groups.
    ///
    /// - Returns: The second step. It is run in the order of the groups, so that new assets are added in that order.
    ///   Errors of single files are in its results.
    func prepare(_ group: ImportGroup) async -> Storing {
        let attempted: Result<Storing, any Error>
        do {
            attempted = .success(try await attempt(group))
        } catch {
            attempted = .failure(error)
        }
        return {
            do {
                return try await attempted.get()()
            } catch let error where error.concernsImportedFile || error.concernsOriginal {
                let primary = ImportResult(path: group.primary, status: .rejected, error: error)
                return [primary] + (try await alone(group))
            }
        }
    }

    /// Imports the companions of a picture that is not imported.
    private func alone(_ group: ImportGroup) async throws -> [ImportResult] {
        var results: [ImportResult] = []
        for part in group.parts { results += try await prepare(part)() }
        return results
    }

    private func attempt(_ group: ImportGroup) async throws -> Storing {
        let (descriptor, status) = try Self.open(group.primary)
        let known = try rejections.result(for: group.primary, descriptor)
        if let refused = try known ?? refusal(of: group.primary, descriptor) {
            return { [refused] + (try await alone(group)) }
        }
        let format = try Self.format(of: descriptor, at: group.primary)
        var file = try await stage(group.primary, descriptor, status)
        if format.mediaType == .video { file.type = .video }
        if method == .reference { file.reference = try file.source.reference(file.staged) }
        var (found, others) = try await companions(group.companions)
        let unusable = Self.videos(among: others.map(\.path))
        found.removeAll { ImportGroup.isSidecar($0.path, of: unusable) }
        // The other group reports errors of these files.
        found += try await companions(group.borrowed).0
        let create: @Sendable () async throws -> Created
        do {
            create = try await self.create(file, found, format)
        } catch let error as HostError where error.isAboutContents {
            if try !isKnown(file, format) {
                rejections.add(
                    file.path, file.staged.hash, byteCount: file.source.byteCount, error)
            }
            throw error
        }
        return { [file, found, others] in
            let created = try await create()
            let results = created.results.filter { result in
                !group.borrowed.contains { FileName($0) == FileName(result.path) }
            }
            for stored in [file] + found where results.contain(stored) {
                try rejections.remove(stored)
            }
            // These files may use the same JSON, so they are imported before it is moved.
            let rest = try await importing(alone: created.alone, others, of: group)
            return removingMoved([file] + found, leavingNeeded(results, by: rest)) + rest
        }
    }

    /// Returns the result for a file that cannot be imported, whatever its pixels are; nil if it is to be decoded.
    private func refusal(of path: String, _ file: OpenFile) throws -> ImportResult? {
        let result: ImportResult
        var isSound = false
        do {
            let format = try Self.format(of: file, at: path)
            guard let refusal = try Self.refusal(of: format, file) else { return nil }
            if let preview = try Self.storedPreview(path, file, format, in: library) {
                return preview
            }
            isSound = format == .audio && !ImportFilenameExtension.isOnlyMedia(path)
            result = Self.rejection(of: path, format, refusal, isNamed: finder.isNamed(path))
        } catch let error as HostError where error.code == .badInput {
            // The file is empty.
            result = ImportResult(path: path, status: .rejected, error: error)
        }
        // Sounds are rejected only because the user named them.
        if result.status == .rejected, !isSound, let error = result.error as? HostError {
            rejections.add(
                path, try OutgoingFile(file).hash(), byteCount: try file.byteCount(), error)
        }
        return result
    }

    private static func videos(among paths: [String]) -> Set<FileName> {
        Set(paths.filter(ImportFilenameExtension.isMotion).map(FileName.init))
    }

    /// Imports the files of a group that do not belong to its picture.
    private func importing(
        alone videos: [StagedFile], _ others: [(path: String, error: (any Error)?)],
        of group: ImportGroup
    ) async throws -> [ImportResult] {
        var results: [ImportResult] = []
        for video in videos { results += try await prepare(group.part(video.path))() }
        // The sidecars of these videos are in their groups.
        let apart = Self.videos(among: videos.map(\.path) + others.map(\.path))
        for (path, error) in others where !ImportGroup.isSidecar(path, of: apart) {
            let part = group.part(path)
            if let error {
                results.append(ImportResult(path: path, status: .rejected, error: error))
                results += try await alone(part)
            } else {
                results += try await prepare(part)()
            }
        }
        return results
    }

    static func format(of file: OpenFile, at path: String) throws -> MediaFormat {
        guard try file.byteCount() > 0 else { throw HostError(.badInput, "the file is empty") }
        let format = try MediaFormat { try [UInt8](file.read(count: $1, at: $0)) }
        // A TIFF reader would decode the preview of a RAW file.
        return format == .tiff && ImportFilenameExtension.isRaw(path) ? .raw : format
    }

    /// Copies the file before decoding it, because it may change while it is decoded.
    private func stage(
        _ path: String, _ descriptor: OpenFile, _ status: stat
    ) async throws -> StagedFile {
        let source = try SourceFile(descriptor: descriptor.descriptor, path: path)
        // Files that belong to a library must not be moved or referenced.
        if method != .copy, library.isKeptByLibrary(source) {
            throw HostError(
                .badInput,
                "the file is inside a library and cannot be moved or referenced; import it "
                    + "without --move and --reference")
        }
        return StagedFile(
            path: path, source: source, staged: try await library.stage(source),
            date: status.modificationDate)
    }

    /// Copies the companions whose content matches their extension.
    ///
    /// - Returns: The copies; and the other paths, with the error of those that cannot be read.
    private func companions(
        _ paths: [String]
    ) async throws -> ([StagedFile], others: [(path: String, error: (any Error)?)]) {
        var files: [StagedFile] = []
        var others: [(path: String, error: (any Error)?)] = []
        for path in paths {
            do {
                let (descriptor, status) = try Self.open(path)
                guard
                    let type = try Self.type(
                        of: path, Self.format(of: descriptor, at: path), descriptor)
                else {
                    others.append((path, nil))
                    continue
                }
                var file = try await stage(path, descriptor, status)
                file.type = type
                // Sidecars are always copied, because they are small and other programs modify them.
                if method == .reference, type == .alternatePhoto || type == .pairedVideo {
                    file.reference = try file.source.reference(file.staged)
                }
                files.append(file)
            } catch let error where error.concernsImportedFile {
                others.append((path, error))
            }
        }
        return (files, others)
    }

    /// Returns the role of a companion; nil if its content does not match its extension.
    static func type(
        of path: String, _ format: MediaFormat, _ file: OpenFile
    ) throws -> AssetResourceType? {
        if ImportFilenameExtension.isRaw(path) {
            return [.dng, .raw].contains(format) ? .alternatePhoto : nil
        }
        if format.mediaType == .video { return .pairedVideo }
        // The first bytes of UTF-16 text resemble those of audio.
        guard format.mediaType != .image, !ImportFilenameExtension.isVideo(path) else { return nil }
        if ImportFilenameExtension.isJSON(path), try !file.hasTakeoutMetadata() { return nil }
        return ImportFilenameExtension.isAdjustment(path) ? .adjustmentData : .metadataSidecar
    }

    /// The results of a file and its companions, and the videos that do not belong to the picture.
    typealias Created = (results: [ImportResult], alone: [StagedFile])

    /// Creates the asset of a file and its companions, or adds them to an existing one.
    ///
    /// - Returns: The step that stores them.
    private func create(
        _ file: StagedFile, _ companions: [StagedFile], _ format: MediaFormat
    ) async throws -> @Sendable () async throws -> Created {
        if try isKnown(file, format) {
            let picture =
                try mustRead(file, companions)
                ? try await read(file, companions, format) : nil
            return {
                let merged = try await mergeWithDuplicate(file, companions, format, picture)
                if let merged { return merged }
                // The asset was deleted in the meantime.
                return try await createNew(file, companions, format)()
            }
        }
        return try await createNew(file, companions, format)
    }

    private func read(
        _ file: StagedFile, _ companions: [StagedFile], _ format: MediaFormat
    ) async throws -> FactsOutput.Picture? {
        let marks = companions.filter { $0.type == .adjustmentData }
        var picture = try await pool.read(
            file.staged.open(), format, marks: marks.map { try $0.staged.open() })
        if file.reference != nil { try picture?.hashImageData(of: file.staged.open()) }
        return picture
    }

    private func createNew(
        _ file: StagedFile, _ companions: [StagedFile], _ format: MediaFormat
    ) async throws -> @Sendable () async throws -> Created {
        guard let picture = try await read(file, companions, format) else {
            let warning =
                "imported without its size, length and date, because "
                + "\(RunnerPool.lacksVideos); install it and run edithost import --again"
            return {
                if let merged = try await mergeWithDuplicate(file, companions, format, nil) {
                    return merged
                }
                return (try await commit(file, companions, format, nil, nil, [warning]), [])
            }
        }
        var facts = picture.facts
        let identifier = facts.metadata?.contentIdentifier
        let (joined, alone) = try await joined(companions, toStillOf: identifier, with: nil)
        let (warnings, isFavorite) = try await addSidecars(joined, of: file, picture, to: &facts)
        return { [facts] in
            // An earlier file of this import may have the same bytes.
            let merged = try await mergeWithDuplicate(file, companions, format, picture)
            if let merged { return merged }
            if let identifier, format.mediaType == .video {
                var video = file
                video.facts = facts
                if let results = try await join(video, joined, toStillWith: identifier) {
                    return (results, alone)
                }
            }
            var results = try await commit(
                file, joined, format, picture, facts, picture.warnings + warnings,
                isFavorite: isFavorite)
            if identifier == nil || format.mediaType == .image {
                results = try await absorb(joined, results)
            }
            if let identifier, format.mediaType == .image {
                results = try await join(storedVideoWith: identifier, to: results)
            }
            return (results, alone)
        }
    }

    static func open(_ path: String) throws -> (OpenFile, stat) {
        let source = try OpenFile.reading(path, flags: O_NONBLOCK)
        let status = try source.hostStatus()
        guard status.isPlainFile else {
            throw HostError(
                .badInput,
                status.isFolder && ((try? PhotoLibrary.isWithinLibrary(path)) ?? true)
                    ? "\(path) is, or is inside, a library or a backup, whose files are not "
                        + "imported; use edithost export or restore"
                    : "\(path) is not a regular file")
        }
        return (source, status)
    }

    /// Returns the result for a file that is not imported. Unrelated files are skipped. A file with the
    /// extension of a picture or video but other content is rejected as damaged.
    ///
    /// - Parameter isNamed: Whether the user has passed the path, as opposed to that of its folder.
    static func rejection(
        of path: String, _ format: MediaFormat, _ refusal: HostError, isNamed: Bool
    ) -> ImportResult {
        if [.unknown, .audio].contains(format), ImportFilenameExtension.isOnlyMedia(path) {
            return ImportResult(
                path: path, status: .rejected,
                error: HostError(
                    .badInput,
                    "the name is that of a picture or video, but not the content; the file may "
                        + "be damaged"
                ))
        }
        if format == .unknown, ImportFilenameExtension.isSidecar(path) {
            return ImportResult(
                path: path, status: .skipped,
                error: HostError(.blockedFormat, "the picture of this sidecar was not imported"))
        }
        // Audio files found in folders are skipped. Those passed by the user are rejected.
        let isSound = format.mediaType == .audio && !isNamed
        return ImportResult(
            path: path, status: format == .unknown || isSound ? .skipped : .rejected,
            error: refusal)
    }

    static func refusal(of format: MediaFormat, _ file: OpenFile) throws -> HostError? {
        if format.isOpened || format.mediaType == .video && format != .video { return nil }
        switch format {
        case .video:
            let start = try file.read(count: MediaFormat.sniffLength)
            let name = MediaFormat.otherVideoName(firstBytes: start) ?? format.displayName
            return HostError(
                .blockedFormat,
                "\(name) files are not supported (supported: MP4, MOV, Matroska, WebM, AVI, MPEG, "
                    + "AVCHD, WMV)"
            )
        case .unknown:
            return HostError(.blockedFormat, "not a photo or video")
        case .audio:
            return HostError(
                .blockedFormat, "sounds cannot be imported")
        case .dng, .raw:
            return HostError(
                .blockedFormat,
                "RAW files are imported only together with a JPEG or HEIC of the same name")
        default:
            return HostError(
                .blockedFormat,
                "\(format.displayName) files are not supported (supported: JPEG, PNG, TIFF, "
                    + "WebP, HEIC, AVIF, GIF, JPEG XL)")
        }
    }
}

extension stat {
    fileprivate var modificationDate: Date {
        Date(
            timeIntervalSince1970: Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1e9)
    }
}
