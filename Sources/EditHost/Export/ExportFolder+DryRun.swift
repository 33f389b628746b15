// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Hashing
import RunnerHost

extension ExportFolder {
    /// Returns what ``write(_:of:_:_:prunes:)`` would return, and keeps it in mind for the following assets.
    ///
    /// - Parameter files: The files. Those that are not known until they are rendered are empty.
    mutating func foresee(
        _ files: [NewFile.Named], of subject: Subject, _ key: ExportRecord.Key,
        _ renderedVersion: ExportRecord.RenderedVersion?, prunes: Bool
    ) throws -> Written {
        let earlier = try EarlierExport(of: subject, in: self)
        var number = 0
        var names: [FileName] = []
        var found: Set<FileName> = []
        if let old = earlier.keptEntry(for: files, in: folder) {
            (number, names) = (old.number, old.files.map(\.name))
        } else {
            (number, names, found) = try foreseenNames(of: files, for: subject, earlier)
            give(number, to: files)
        }
        let unknown = SHA256Digest(bytes: SHA256.hash(data: Data()))
        let entry = earlier.entry(
            replacedBy: names.map {
                .init(
                    name: $0, hash: unknown, size: 0, modified: 0,
                    wasThere: found.contains($0) ? true : nil)
            }, number: number, of: subject, key, renderedVersion)
        dryRun?.written.formUnion(names)
        try take(entry)
        return try conclude(
            names, of: subject, earlier, wasThere: names.allSatisfy(found.contains),
            prunes: prunes)
    }

    /// Returns the first free names with the same number, and those among them of identical files.
    ///
    /// - Throws: `HostError` with `fileFailed` if the names are not numbered and one is taken.
    private func foreseenNames(
        of files: [NewFile.Named], for subject: Subject, _ earlier: EarlierExport
    ) throws -> (number: Int, names: [FileName], found: Set<FileName>) {
        let replaced = earlier.ownNames
        return try NewFile.firstFree(
            of: files, in: folder, at: path, from: firstNumber(for: files, earlier),
            advice: earlier.advice
        ) { names in
            var found: Set<FileName> = []
            for (index, name) in names.enumerated() where !replaced.contains(name) {
                let isTaken = try Self.failing("\(path)/\(name)") {
                    try dryRun?.exists(name) ?? false
                }
                guard isTaken else { continue }
                guard try isIdentical(files[index], name, for: subject) else {
                    return .taken(name)
                }
                found.insert(name)
            }
            return .free(found)
        }
    }

    /// Returns whether an existing file has the bytes of a new one, if those are known.
    private func isIdentical(
        _ file: NewFile.Named, _ name: FileName, for subject: Subject
    ) throws -> Bool {
        guard keepsIdenticalFiles, let place = try? folder.place(of: name),
            let status = try? place.status()
        else { return false }
        let size = try file.source.bytes.byteCount()
        guard size > 0, Int(status.st_size) == size else { return false }
        return find(name, try file.source.hash(), size, for: subject) != nil
    }
}
