// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Library

extension Importer {
    /// The outcome of comparing a sidecar with those that are stored.
    enum SidecarFinding: Sendable {
        /// The sidecar is stored already.
        case unchanged(name: String)
        /// The sidecar is new, or differs from the stored one of its name.
        case new(NewSidecar)
        /// The sidecar is not used, and the stored one is kept.
        case unused(ImportResult.Status, HostError)
    }

    /// A sidecar to store.
    struct NewSidecar: Sendable {
        let path: String
        let blob: StagedBlob
        /// The filename in the library.
        let name: String
        let facts: SidecarFacts
        /// Whether it replaces a stored sidecar.
        let isReplacement: Bool
    }

    /// Compares a sidecar with those of a stored asset, and reads it if it differs.
    ///
    /// - Parameter picture: The file beside which the sidecar was found.
    /// - Throws: `HostError` if no runner can be started.
    func examine(
        _ file: StagedFile, beside picture: StagedFile, of history: AssetHistory
    ) async throws -> SidecarFinding {
        let name = SidecarOrder(history)
            .libraryName(of: file.filename, beside: picture.filename)
        let asset = history.asset.localIdentifier
        if let other = sidecars.other(than: file, named: name, ofAsset: asset) {
            return .unused(.skipped, Self.otherSidecar(at: other))
        }
        let stored = history.sidecars.last { FileName($0.originalFilename) == FileName(name) }
        if let stored, stored.contentHash == file.staged.hash, library.isLocallyAvailable(stored) {
            sidecars.add(file, named: name, ofAsset: asset)
            return .unchanged(name: name)
        }
        if let known = try rejections.result(for: file.path, file.staged.open()),
            let error = known.error as? HostError
        {
            return .unused(known.status, error)
        }
        let facts = try await facts(of: file)
        if let problem = facts.problem {
            let error = HostError(
                .badInput, "the sidecar cannot be used, and nothing was changed: \(problem)")
            if !facts.isUnread {
                rejections.add(
                    file.path, file.staged.hash, byteCount: file.source.byteCount, error)
            }
            return .unused(.rejected, error)
        }
        sidecars.add(file, named: name, ofAsset: asset)
        return .new(
            NewSidecar(
                path: file.path, blob: file.staged, name: name, facts: facts,
                isReplacement: stored != nil))
    }

    /// The reason why a sidecar is skipped whose name another one has in the library.
    static func otherSidecar(at path: String) -> HostError {
        HostError(.badInput, "\(path) is a sidecar of the same photo, and was read first")
    }

    /// Reads a sidecar that is not stored yet.
    private func facts(of file: StagedFile) async throws -> SidecarFacts {
        var facts = try await pool.readSidecar(try file.staged.open())
        facts.changeDate = facts.changeDate ?? file.date
        return facts
    }

    /// Adds the values of sidecars, which are in order of precedence, to the facts of a file.
    ///
    /// - Parameter date: The date of the file's last change; nil if it is unknown.
    func add(_ sidecars: [SidecarFacts], to facts: inout PhotoFacts, changed date: Date?) {
        switch precedence {
        case .sidecar: facts.add(sidecars)
        case .file: facts.add([], older: sidecars)
        case .newest:
            let isOlder = { (sidecar: SidecarFacts) in
                (sidecar.changeDate ?? .distantFuture) < date ?? .distantPast
            }
            facts.add(sidecars.filter { !isOlder($0) }, older: sidecars.filter(isOlder))
        }
    }

    /// Adds the values of the sidecars beside a new file to its facts.
    ///
    /// - Returns: Warnings about sidecars that cannot be read completely, and whether the photo is a favourite.
    func addSidecars(
        _ companions: [StagedFile], of file: StagedFile, _ picture: FactsOutput.Picture,
        to facts: inout PhotoFacts
    ) async throws -> (warnings: [String], isFavorite: Bool) {
        let raws = companions.filter { $0.type == .alternatePhoto }.map(\.filename)
        let order = SidecarOrder(original: file.filename, raws: raws)
        let files = companions.filter { $0.type == .metadataSidecar }
            .sorted { order.precedes(FileName($0.filename), FileName($1.filename)) }
        var read: [SidecarFacts] = []
        var warnings: [String] = []
        for sidecar in files {
            let facts = try await self.facts(of: sidecar)
            read.append(facts)
            if let problem = facts.problem {
                warnings.append(
                    "its sidecar \(sidecar.filename) cannot be read completely: \(problem)")
            }
        }
        add(read, to: &facts, changed: picture.changeDate ?? file.date)
        return (warnings, read.isFavorite ?? false)
    }
}

extension Importer {
    /// Reads the stored sidecars of an asset.
    ///
    /// - Parameters:
    ///   - news: The sidecars that will be stored. They replace those of the same names.
    ///   - dates: The modification times of unchanged sidecars, by their names in the library.
    /// - Throws: `HostError` if no runner can be started.
    func read(
        _ history: AssetHistory, with news: [NewSidecar], dates: [FileName: Date]
    ) async throws -> SidecarMetadata {
        var stated = SidecarMetadata()
        var current: [FileName: SidecarFacts] = [:]
        var unreadable: [FileName: any Error] = [:]
        for sidecar in history.sidecars {
            let name = FileName(sidecar.originalFilename)
            do {
                var facts = try await pool.readSidecar(try library.openOriginal(sidecar))
                // A runner that failed must not make the values of the sidecar disappear.
                if let problem = facts.problem { throw HostError(.badInput, problem) }
                facts.changeDate = facts.changeDate ?? dates[name]
                stated.before.append(facts)
                // The last one of a name is the newest.
                current[name] = facts
                unreadable[name] = nil
            } catch let error where error.concernsImportedFile || error.concernsOriginal {
                unreadable[name] = error
            }
        }
        let stored = current
        for new in news {
            current[FileName(new.name)] = new.facts
            unreadable[FileName(new.name)] = nil
        }
        stated.problems = unreadable.sorted { $0.key < $1.key }.map { name, error in
            "its stored sidecar \(name) cannot be read, so that no rating, keyword or text was "
                + "updated; import the sidecar again: \(error)"
        }
        // A sidecar that is beside the picture takes precedence over one that is no longer there.
        let present = Set(dates.keys).union(news.map { FileName($0.name) })
        let order = SidecarOrder(history)
        let ordered = current.sorted { order.precedes($0.key, $1.key) }
        stated.current =
            (ordered.filter { present.contains($0.key) }
            + ordered.filter { !present.contains($0.key) }).map(\.value)
        // A copy of the picture in another folder may have a JSON file of another name.
        let found = present.union(sidecars.names(ofAsset: history.asset.localIdentifier))
        stated.isFavorite = current.isFavorite(in: found)
        // A JSON file of a new name replaces the one that was added last.
        stated.wasFavorite =
            stored.isFavorite(in: found)
            ?? stated.before.last { $0.isFavorite != nil }?.isFavorite
        return stated
    }
}

extension [FileName: SidecarFacts] {
    /// Whether one of the sidecars of these names states that the photo is a favourite; nil if none of them states whether
    /// it is one.
    fileprivate func isFavorite(in names: Set<FileName>) -> Bool? {
        filter { names.contains($0.key) }.values.isFavorite
    }
}

extension Sequence<SidecarFacts> {
    /// Whether one of the sidecars states that the photo is a favourite; nil if none states whether it is one.
    fileprivate var isFavorite: Bool? {
        let stated = compactMap(\.isFavorite)
        return stated.isEmpty ? nil : stated.contains(true)
    }
}
