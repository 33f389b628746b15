// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library

/// Removes moved files after they have been imported.
extension Importer {
    /// Removes the files of a group that the library has, except those that stay in place or that other groups use.
    ///
    /// - Returns: The results, without those of the files that other groups use.
    func removingMoved(_ files: [StagedFile], _ results: [ImportResult]) -> [ImportResult] {
        guard method == .move else { return results }
        return results.compactMap { result in
            let path = FileName(result.path)
            guard result.isSafe,
                let moved = files.first(where: { FileName($0.path) == path })
            else { return result }
            let shared = SharedImportFiles.Kept(
                hash: moved.staged.hash, size: moved.staged.size, result: result)
            if sharedFiles.keep(shared) { return nil }
            var result = result
            remove(moved, &result)
            return result
        }
    }

    /// Removes a moved file. A failure is a warning only, because the file has been imported.
    private func remove(_ file: StagedFile, _ result: inout ImportResult) {
        do {
            try library.remove(file.source, storedAs: file.staged.hash)
        } catch {
            result.warnings.append("\(error)")
        }
    }

    /// Removes a moved file that several groups have used, and returns its result.
    func removing(_ file: SharedImportFiles.Kept) -> ImportResult {
        if file.isNeeded { return Self.leavingNeeded(file.result) }
        var result = file.result
        do {
            let source = try SourceFile(path: result.path)
            guard try source.hasContent(file.hash, size: file.size) else {
                throw LibraryError(
                    .cannotRead, "the file changed after it was read, so it was not removed",
                    path: result.path)
            }
            try library.remove(source, storedAs: file.hash)
        } catch {
            result.warnings.append("\(error)")
        }
        return result
    }

    /// Marks the JSON files of a group to stay if a video that they describe was not imported.
    ///
    /// - Parameter others: The results of the files that do not belong to the group's picture.
    func leavingNeeded(
        _ results: [ImportResult], by others: [ImportResult]
    ) -> [ImportResult] {
        let hasFailed = others.contains {
            ImportFilenameExtension.isVideo($0.path) && !$0.isSafe
        }
        guard hasFailed, method == .move else { return results }
        return results.map { result in
            let isNeeded = result.isSafe && ImportFilenameExtension.isJSON(result.path)
            return isNeeded ? Self.leavingNeeded(result) : result
        }
    }

    private static func leavingNeeded(_ result: ImportResult) -> ImportResult {
        var result = result
        result.staysInPlace = true
        result.warnings.append(
            "not removed, because another picture or video that uses it was not imported")
        return result
    }

    /// The result of a moved file that stays, because an error has ended the import.
    static func leaving(_ file: SharedImportFiles.Kept) -> ImportResult {
        var result = file.result
        result.warnings.append(
            "not removed, because the import ended before all files that use it were imported")
        return result
    }
}
