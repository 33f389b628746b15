// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import Library
import RunnerHost

/// Finds the inputs of jobs by their hashes, and copies and verifies each before anything reads it.
struct WorkInputs: Sendable {
    /// An input whose bytes have another hash, wherever it was found.
    struct Damage: Error {
        /// A list of the places where the input was found, for the user.
        let message: String
    }

    private let roots: [Folder]
    private let staging: StagingFolder

    /// - Parameter others: The paths of folders that are searched before those of the plan.
    /// - Throws: `HostError` if one of `others` cannot be opened.
    init(
        of plan: WorkPlan, in folder: WorkFolder, _ others: [String], staging: StagingFolder
    ) throws {
        let own = try folder.folder(WorkName.inputs)
        let given = try others.map { path in
            try folder.failing("cannot be opened", path) { try Folder(root: path) }
        }
        // Nodes need not see the folders of the library's machine.
        let planned = plan.inputs.compactMap { try? Folder(root: $0) }
        roots = (own.map { [$0] } ?? []) + given + planned
        self.staging = staging
    }

    /// Returns private copies of the inputs of a job, in their order; `nil` for inputs that were unavailable when the
    /// plan was made.
    ///
    /// - Throws: `Damage`; `HostError` with `noSuchFile` or `fileFailed`; `LibraryError`.
    func copies(for job: WorkJob) throws -> [OpenFile?] {
        var copies: [OpenFile?] = []
        for input in job.inputs {
            guard input.isUnavailable != true else {
                copies.append(nil)
                continue
            }
            guard let container = input.container else {
                copies.append(try copy(of: input))
                continue
            }
            guard copies.indices.contains(container.input), let outer = copies[container.input]
            else { throw missing(input) }
            let part = try outer.unnamedCopy(
                of: container.offset..<container.offset + input.size)
            guard let copy = try verified(part, input) else { throw damage(input, [outer.path]) }
            copies.append(copy)
        }
        return copies
    }

    private func copy(of input: WorkJob.Input) throws -> OpenFile {
        var damaged: [String] = []
        // Another place may have the input if one cannot be read.
        var failure: (any Error)?
        for root in roots {
            do {
                guard let file = try file(input.sha256.hex, in: root) else { continue }
                if let copy = try verified(file, input) { return copy }
                damaged.append(file.path)
            } catch {
                failure = failure ?? error
            }
        }
        if let path = input.path {
            let file = try OpenFile.readingRegularFile(path)
            if let copy = try verified(file, input) { return copy }
            damaged.append(path)
        }
        if let failure { throw failure }
        throw damaged.isEmpty ? missing(input) : damage(input, damaged)
    }

    /// Opens a file that is stored as in a library's `blobs`; `nil` if there is none. Links and pipes are ignored.
    private func file(_ name: String, in root: Folder) throws -> OpenFile? {
        do {
            return try root.folderIfPresent(String(name.prefix(2)))?.file(name, O_RDONLY)
        } catch {
            guard error.number != ENOENT, error.misplaced == nil else { return nil }
            throw HostError.file("cannot be opened", path: "\(root.path)/\(name)", error)
        }
    }

    /// Returns a copy that no other process can write to; `nil` if the bytes are not the planned ones. The file itself
    /// may be replaced or written to at any time.
    private func verified(_ file: OpenFile, _ input: WorkJob.Input) throws -> OpenFile? {
        let copy = try staging.makeTemporaryFile()
        guard try WorkFolder.copy(file, to: copy, atMost: input.size) == input.sha256.digest else {
            return nil
        }
        return copy
    }

    private func missing(_ input: WorkJob.Input) -> HostError {
        let places = roots.map(\.path) + (input.path.map { [$0] } ?? [])
        return HostError(
            .noSuchFile,
            "the input \(input.sha256) is in none of: \(places.joined(separator: ", ")); "
                + "name the folder that contains it with --inputs")
    }

    private func damage(_ input: WorkJob.Input, _ places: [String]) -> Damage {
        Damage(
            message: "the input \(input.sha256) does not match its hash in "
                + places.joined(separator: ", "))
    }
}
