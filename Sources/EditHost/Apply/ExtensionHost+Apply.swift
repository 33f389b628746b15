// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Library
import RunnerHost

extension ExtensionHost {
    /// Renders photos and videos with edits into a folder, without a library. The files have the same bytes as
    /// after an import, an edit and an export.
    ///
    /// Files are found and grouped as by an import: RAW and XMP files beside a picture belong to it. No existing file
    /// is replaced. If a name is taken by another file, the new one is numbered; if it is taken by an identical file,
    /// nothing is written.
    ///
    /// The temporary folder contains the pictures of a few files at a time. Videos are rendered last, except for those
    /// of Live Photos.
    ///
    /// - Parameters:
    ///   - edits: New edits or a preset.
    ///   - paths: Files and folders. Folders are searched recursively, as by an import.
    ///   - folder: The output folder, created if it is missing. It must not be in a folder that is searched.
    ///   - options: The options of the written files. Those of the record and of versions are ignored.
    ///   - patterns: Glob patterns of files and folders to leave out, as for an import.
    ///   - cancellation: Cancels the edits from another task. Written files stay.
    ///   - unused: Called with the patterns that match nothing, if there are any.
    ///   - found: Called with the number of groups of files before the first one is read.
    ///   - report: Called for each file as soon as it is done. Companions are reported only if they have failed.
    /// - Throws: `HostError` with `badRequest` for an unsuitable folder or options, or if an extension or a parameter
    ///   is unusable; errors of `report`; `CancellationError`.
    public func apply(
        _ edits: EditSource, toFilesAt paths: [String], writingTo folder: String,
        _ options: ExportOptions = ExportOptions(), excluding patterns: [String] = [],
        cancellation: EditCancellation = EditCancellation(),
        progressHandler: EditProgressHandler? = nil, unused: ([String]) -> Void = { _ in },
        found: (Int) -> Void = { _ in }, report: (AppliedFile) async throws -> Void
    ) async throws {
        try requireApplicable(edits, paths, folder, options, patterns)
        // A bad folder would fail every file with the same message.
        _ = try NewFile.folder(folder)
        let finder = ImportFileFinder(paths, excluding: patterns)
        let application = FileApplication(
            host: self, edits: edits, options: options, folder: folder, finder: finder,
            cancellation: cancellation, progressHandler: progressHandler, isDryRun: false)
        try await run(application, unused: unused, found: found, report: report)
    }

    /// Reports which files ``apply(_:toFilesAt:writingTo:_:excluding:cancellation:progressHandler:unused:found:report:)``
    /// would render. The files are read as by an import, so damaged files and the videos of Live Photos are found. No
    /// edit is applied, and nothing is written to the output folder.
    ///
    /// - Throws: The same errors.
    public func previewApply(
        _ edits: EditSource, toFilesAt paths: [String], writingTo folder: String,
        _ options: ExportOptions = ExportOptions(), excluding patterns: [String] = [],
        unused: ([String]) -> Void = { _ in }, found: (Int) -> Void = { _ in },
        report: (AppliedFile) async throws -> Void
    ) async throws {
        try requireApplicable(edits, paths, folder, options, patterns)
        _ = try ExportDryRun(folder)
        let finder = ImportFileFinder(paths, excluding: patterns)
        let application = FileApplication(
            host: self, edits: edits, options: options, folder: folder, finder: finder,
            cancellation: EditCancellation(), progressHandler: nil, isDryRun: true)
        try await run(application, unused: unused, found: found, report: report)
    }

    private func run(
        _ application: FileApplication, unused: ([String]) -> Void, found: (Int) -> Void,
        report: (AppliedFile) async throws -> Void
    ) async throws {
        let finder = application.finder
        if !finder.unusedPatterns.isEmpty { unused(finder.unusedPatterns.map(\.text)) }
        let groups = finder.groups
        var application = application
        application.options.version = .current
        application.options.keepsRecord = false
        application.options.keepsIdenticalFiles = true
        application.options.prunes = false
        // As in an export, options for photos are an error only for a video that is named.
        application.options.leavesVideos =
            groups.count != 1 || !finder.isNamed(groups[0].primary)
        found(groups.count + finder.skipped.count)
        for result in finder.skipped { try await report(AppliedFile(skipped: result)) }
        try await application.run(groups, report: report)
    }

    /// Reports errors that would concern every file.
    private func requireApplicable(
        _ edits: EditSource, _ paths: [String], _ folder: String, _ options: ExportOptions,
        _ patterns: [String]
    ) throws {
        try options.validate()
        guard options.name?.namesIdentifier != true else {
            throw HostError(
                .badRequest,
                "files outside a library have no identifiers; leave {id} out of the name template")
        }
        switch edits {
        case .preset(let preset):
            for step in preset.steps {
                _ = try extensions.binary(identifier: step.extensionIdentifier)
            }
        case .requests(let requests):
            for request in requests {
                let installed = try extensions.catalogue.installed(named: request.extensionName)
                _ = try extensions.binary(of: installed).manifest.values(for: request)
            }
        case .asset, .edits:
            throw HostError(
                .badRequest, "the edits of assets are in a library; use new edits or a preset")
        }
        try PhotoLibrary.requireOutsideLibraries(folder)
        for path in paths where ImportFileFinder.searches(path, at: folder, excluding: patterns) {
            throw HostError(
                .badRequest,
                "\(folder) is inside \(path), so that the next run would render its own files; "
                    + "choose another folder, or leave it out with --exclude")
        }
    }
}
