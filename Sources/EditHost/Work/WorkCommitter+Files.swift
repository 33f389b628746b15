// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost

extension WorkCommitter {
    /// The defect of a file.
    struct Defect: Error {
        let reason: String
    }

    /// Stages the file of an output in the library and checks it.
    ///
    /// - Throws: `LibraryError` if the library cannot be written.
    func staged(
        _ output: WorkVerification.Output, _ shard: Int
    ) throws -> Swift.Result<Content, Defect> {
        let made = output.made
        do {
            let blob = try blob(of: output, shard)
            guard blob.hash == made.sha256.digest else {
                return .failure(Defect(reason: "\(made.sha256) has other content"))
            }
            let start = try blob.open().read(count: MediaFormat.sniffLength)
            guard MediaFormat(firstBytes: start) == output.target.settings.format else {
                let format = output.target.settings.format.displayName
                return .failure(Defect(reason: "\(made.sha256) is not a \(format) file"))
            }
            let rendered = RenderedContent(
                blob: blob, key: made.key.digest, ingredients: try output.ingredients.encoded,
                pixelWidth: made.width, pixelHeight: made.height, duration: made.duration,
                format: output.target.settings.format, omissions: made.omissions)
            return .success(Content(rendered: rendered, kind: made.kind, edit: made.edit))
        } catch let defect as Defect {
            return .failure(defect)
        } catch let error as LibraryError
            where error.code == .sizeMismatch || error.code == .cannotRead
        {
            return .failure(Defect(reason: "\(made.sha256): \(error.message)"))
        }
    }

    /// Stages the file of an output. If rendering gave the stored bytes again, the stored file is hashed instead: other
    /// stored files must not be reachable by their hash alone.
    private func blob(of output: WorkVerification.Output, _ shard: Int) throws -> StagedBlob {
        let (hash, size) = (output.made.sha256.digest, output.made.size)
        if output.target.stored?.blob == hash,
            let blob = try library.stageStored(hash, size: size)
        {
            return blob
        }
        let file = try opened(output.made, shard)
        return try library.stage(file, expectedSize: size, synchronizing: false)
    }

    private func opened(_ made: WorkOutcome.Output, _ shard: Int) throws -> OpenFile {
        let name = made.sha256.hex
        do {
            let files = try folder.folder(WorkName.results, WorkName.shard(shard), WorkName.files)
            guard let files, let file = try folder.open(name, in: files) else {
                throw Defect(reason: "\(name) is missing or is not a regular file")
            }
            let size = try file.byteCount()
            guard size == made.size else {
                throw Defect(reason: "\(name) has \(size) bytes, not \(made.size)")
            }
            return file
        } catch let error as HostError {
            throw Defect(reason: error.message)
        }
    }

    /// Removes the files of a finished job from the work folder, unless other jobs refer to them.
    mutating func removeFiles(_ names: [WorkHash], of place: Place) {
        let folder = try? folder.folder(
            WorkName.results, WorkName.shard(place.shard), WorkName.files)
        for name in Set(names) {
            shards[place.shard]?.uses[name]?.remove(place.job)
            guard shards[place.shard]?.uses[name]?.isEmpty ?? true else { continue }
            shards[place.shard]?.uses[name] = nil
            // Best effort. A remaining file takes up space, but is never committed twice.
            if !options.keepsFiles { try? folder?.removeFile(name.hex) }
        }
    }

    /// Records the outcomes of a shard's results, for workers and `work status`.
    mutating func record(_ lines: [WorkCommitment], _ number: Int) throws {
        let recorded = shards[number]?.recorded ?? []
        let new = lines.filter { $0.status == .refused || !recorded.contains($0.job) }
        if new.isEmpty { return }
        let folder = try self.folder.makeFolder(
            WorkName.results, WorkName.shard(number), WorkName.committed)
        let names = try self.folder.entries(of: folder).map(\.name)
        let numbers = Set(names.compactMap(WorkName.number(ofLineFile:)))
        // Commits leave no gaps, so a file with a higher number was not written by one.
        let free = (0...numbers.count).first { !numbers.contains($0) } ?? numbers.count
        try self.folder.write(lines: new, from: free, in: folder)
        for line in new where line.status != .refused {
            shards[number]?.recorded.insert(line.job)
        }
    }
}
