// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Logging
import Synchronization

/// Extensions that fail again and again: after ``limit`` failures without a success between them
/// an extension is not run any more, until its user releases it or another build is installed.
///
/// A failure is a crash, a hang, a broken protocol, output that does not hold what it announced; an
/// error that the extension returns is none. Failures are counted for each library by itself: its recipes and
/// pictures may be what the extension failed of. One that is in quarantine for ``libraryLimit`` libraries, or failed
/// without any, is not run for others either. The counts lie in a file that all hosts of a user share.
package final class Quarantine: Sendable {
    /// An extension that failed.
    package struct Entry: Codable, Hashable, Sendable {
        /// The extension.
        package var identifier: String
        /// What failed, by its ``ExtensionBinary/digest``.
        package var digest: SHA256Digest
        /// The SHA-256 of its library.
        package var libraryHash: SHA256Digest
        /// The folder of the library whose recipes and pictures it was given; nil: of none.
        package var library: String?
        /// How often it has failed since its last success.
        package var failures: Int
        /// What happened last.
        package var reason: String
        /// When that was, RFC 3339 in UTC.
        package var date: String
        /// Whether it is not run any more.
        package var isQuarantined: Bool { failures >= Quarantine.limit }

        fileprivate var key: Key { Key(digest: digest, library: library) }
    }

    /// What failures are counted for.
    fileprivate struct Key: Hashable {
        let digest: SHA256Digest
        let library: String?
    }

    /// So many failures in a row end in quarantine.
    package static let limit = 3
    /// An extension that is in quarantine for so many libraries is not run for any.
    package static let libraryLimit = 2

    private struct State {
        var entries: [Key: Entry] = [:]
        var version: FileVersion?
    }

    /// What tells one content of the file from another, without reading it.
    private struct FileVersion: Equatable {
        let inode: UInt64
        let seconds: Int
        let nanoseconds: Int
    }

    private let file: String?
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameter file: Where the counts are; nil: they are forgotten with this object.
    init(file: String?, logger: Logger) {
        self.file = file
        self.logger = logger
    }

    /// Those that failed, by identifier.
    package var entries: [Entry] {
        state.withLock { state in
            read(&state)
            return state.entries.values.sorted {
                ($0.identifier, $0.digest.hex, $0.library ?? "")
                    < ($1.identifier, $1.digest.hex, $1.library ?? "")
            }
        }
    }

    /// The entry of an extension's digest; of several, the one with the most failures. Nil: it has not failed since its
    /// last success.
    package func entry(of digest: SHA256Digest) -> Entry? {
        entries(of: digest).max { $0.failures < $1.failures }
    }

    private func entries(of digest: SHA256Digest) -> [Entry] {
        state.withLock { state in
            read(&state)
            return state.entries.values.filter { $0.digest == digest }
        }
    }

    /// - Throws: `HostError` with `unusableExtension` where the extension is in quarantine for the library that it
    ///   is to be run for, or for all.
    func requireNotQuarantined(_ binary: ExtensionBinary) throws {
        let found = entries(of: binary.digest).filter(\.isQuarantined)
        guard !found.isEmpty else { return }
        let own = Self.folder(of: binary)
        let isForAll = found.count { $0.library != nil } >= Self.libraryLimit
        guard let entry = found.first(where: { $0.library == nil || $0.library == own || isForAll })
        else { return }
        let identifier = binary.manifest.identifier
        let place = entry.library == nil || isForAll ? "" : " for this library"
        throw HostError(
            .unusableExtension,
            "the extension \(identifier) is in quarantine\(place) after \(entry.failures) "
                + "failures, the last: \(entry.reason); to try it again, run \"edithost "
                + "extensions quarantine release \(identifier)\"", extension: identifier)
    }

    /// Counts a failure, for the library that the extension was run for.
    func recordFailure(of binary: ExtensionBinary, _ reason: String) {
        recordFailure(
            of: binary.digest, library: binary.libraryHash, binary.manifest.identifier, reason,
            serving: Self.folder(of: binary))
    }

    /// - Parameters:
    ///   - library: the hash of the extension's library.
    ///   - folder: the photo library's.
    func recordFailure(
        of digest: SHA256Digest, library: SHA256Digest, _ identifier: String, _ reason: String,
        serving folder: String? = nil
    ) {
        change { entries in
            let key = Key(digest: digest, library: folder)
            var entry =
                entries[key]
                ?? Entry(
                    identifier: identifier, digest: digest, libraryHash: library, library: folder,
                    failures: 0, reason: "", date: "")
            entry.failures += 1
            entry.reason = String(reason.prefix(500))
            entry.date = Date().formatted(.iso8601)
            entries[key] = entry
            if entry.failures == Self.limit {
                logger.warning(
                    "\(identifier) failed too often, and is in quarantine: \(reason)")
            }
        }
    }

    /// Forgets the failures of an extension that was of use, for the library that it was run for.
    func recordSuccess(of binary: ExtensionBinary) {
        let known = entries(of: binary.digest)
        guard !known.isEmpty else { return }
        let own = Self.folder(of: binary)
        let forgotten = known.filter { !$0.isQuarantined && ($0.library ?? own) == own }.map(\.key)
        guard !forgotten.isEmpty else { return }
        change { entries in for key in forgotten { entries[key] = nil } }
    }

    /// Takes back a failure that was not the extension's.
    func forgive(_ binary: ExtensionBinary) {
        let key = Key(digest: binary.digest, library: Self.folder(of: binary))
        guard entries(of: binary.digest).contains(where: { $0.key == key }) else { return }
        change { entries in
            entries[key]?.failures -= 1
            if entries[key]?.failures == 0 { entries[key] = nil }
        }
    }

    /// The folder of the library that an extension is run for, links followed: a copy of a library is another one.
    private static func folder(of binary: ExtensionBinary) -> String? {
        binary.servedLibrary.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    }

    /// Releases an extension.
    ///
    /// - Parameter name: its identifier, or the unique last part of one.
    /// - Returns: what was known of it.
    /// - Throws: `HostError` with `noSuchExtension` where none such is in quarantine, or
    ///   `fileFailed`.
    package func release(_ name: String) throws -> [Entry] {
        let wanted = ExtensionName(name)
        let found = entries.filter { $0.isQuarantined && wanted.means($0.identifier) }
        guard !found.isEmpty else {
            throw HostError(.noSuchExtension, "no extension \"\(name)\" is in quarantine")
        }
        try write { entries in for entry in found { entries[entry.key] = nil } }
        return found
    }

    // MARK: - The file

    /// Changes the counts; where the file cannot be written, this host alone remembers them.
    private func change(_ body: (inout [Key: Entry]) -> Void) {
        do {
            try write(body)
        } catch {
            logger.warning("cannot store the failures of extensions: \(error)")
            state.withLock { body(&$0.entries) }
        }
    }

    private func write(_ body: (inout [Key: Entry]) -> Void) throws {
        try state.withLock { state in
            guard let file else { return body(&state.entries) }
            var entries: [Key: Entry] = [:]
            try SharedFile(path: file).replace { stored in
                entries = Self.parse(stored)
                body(&entries)
                let encoder = JSONEncoder()
                encoder.outputFormatting = [
                    .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
                ]
                let list = entries.values.sorted {
                    ($0.digest.hex, $0.library ?? "") < ($1.digest.hex, $1.library ?? "")
                }
                return try encoder.encode(list)
            }
            state.entries = entries
            state.version = Self.version(of: file)
        }
    }

    private func read(_ state: inout State) {
        guard let file, let version = Self.version(of: file), version != state.version,
            let stored = try? SharedFile(path: file).content()
        else { return }
        state.entries = Self.parse(stored)
        state.version = version
    }

    /// Those of an earlier version, which knows libraries alone, are forgotten.
    private static func parse(_ stored: Data) -> [Key: Entry] {
        let list = (try? JSONDecoder().decode([Entry].self, from: stored)) ?? []
        return Dictionary(list.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    private static func version(of path: String) -> FileVersion? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileVersion(
            inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }
}
