// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Logging
import Synchronization

/// Extensions that fail again and again: after ``limit`` failures without a success between them
/// an extension is not run any more, until its user releases it or another build is installed.
///
/// A failure is a crash, a hang, a broken protocol, output that does not hold what it announced; an
/// error that the extension returns is none. The counts lie in a file that all hosts of a user
/// share.
package final class Quarantine: Sendable {
    /// An extension that failed.
    package struct Entry: Codable, Hashable, Sendable {
        /// The extension.
        package var identifier: String
        /// What failed, by its ``ExtensionBinary/digest``.
        package var digest: SHA256Digest
        /// The SHA-256 of its library.
        package var libraryHash: SHA256Digest
        /// How often it has failed since its last success.
        package var failures: Int
        /// What happened last.
        package var reason: String
        /// When that was, RFC 3339 in UTC.
        package var date: String
        /// Whether it is not run any more.
        package var isQuarantined: Bool { failures >= Quarantine.limit }
    }

    /// So many failures in a row end in quarantine.
    package static let limit = 3

    private struct State {
        var entries: [SHA256Digest: Entry] = [:]
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
                ($0.identifier, $0.digest.hex) < ($1.identifier, $1.digest.hex)
            }
        }
    }

    /// The entry of an extension's digest; nil where it has not failed since its last success.
    package func entry(of digest: SHA256Digest) -> Entry? {
        state.withLock { state in
            read(&state)
            return state.entries[digest]
        }
    }

    /// - Throws: `HostError` with `unusableExtension` where the extension is in quarantine.
    func requireNotQuarantined(_ binary: ExtensionBinary) throws {
        guard let entry = entry(of: binary.digest), entry.isQuarantined else { return }
        let identifier = binary.manifest.identifier
        throw HostError(
            .unusableExtension,
            "the extension \(identifier) is in quarantine after \(entry.failures) failures, the "
                + "last: \(entry.reason); \"edithost extensions quarantine release \(identifier)\" "
                + "tries it again", extension: identifier)
    }

    /// Counts a failure.
    func recordFailure(of binary: ExtensionBinary, _ reason: String) {
        recordFailure(
            of: binary.digest, library: binary.libraryHash, binary.manifest.identifier, reason)
    }

    func recordFailure(
        of digest: SHA256Digest, library: SHA256Digest, _ identifier: String, _ reason: String
    ) {
        change { entries in
            var entry =
                entries[digest]
                ?? Entry(
                    identifier: identifier, digest: digest, libraryHash: library, failures: 0,
                    reason: "", date: "")
            entry.failures += 1
            entry.reason = String(reason.prefix(500))
            entry.date = Date().formatted(.iso8601)
            entries[digest] = entry
            if entry.failures == Self.limit {
                logger.warning("\(identifier) has failed too often and is in quarantine: \(reason)")
            }
        }
    }

    /// Forgets the failures of an extension that was of use.
    func recordSuccess(of binary: ExtensionBinary) {
        guard let entry = entry(of: binary.digest), !entry.isQuarantined else { return }
        change { $0[binary.digest] = nil }
    }

    /// Takes back a failure that was somebody else's fault.
    func forgive(_ binary: ExtensionBinary) {
        guard entry(of: binary.digest) != nil else { return }
        change { entries in
            entries[binary.digest]?.failures -= 1
            if entries[binary.digest]?.failures == 0 { entries[binary.digest] = nil }
        }
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
        try write { entries in for entry in found { entries[entry.digest] = nil } }
        return found
    }

    // MARK: - The file

    /// Changes the counts; where the file cannot be written, this host alone remembers them.
    private func change(_ body: (inout [SHA256Digest: Entry]) -> Void) {
        do {
            try write(body)
        } catch {
            logger.warning("the failures of extensions cannot be stored: \(error)")
            state.withLock { body(&$0.entries) }
        }
    }

    private func write(_ body: (inout [SHA256Digest: Entry]) -> Void) throws {
        try state.withLock { state in
            guard let file else { return body(&state.entries) }
            var entries: [SHA256Digest: Entry] = [:]
            try SharedFile(path: file).replace { stored in
                entries = Self.parse(stored)
                body(&entries)
                let encoder = JSONEncoder()
                encoder.outputFormatting = [
                    .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
                ]
                let list = entries.values.sorted { $0.digest.hex < $1.digest.hex }
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
    private static func parse(_ stored: Data) -> [SHA256Digest: Entry] {
        let list = (try? JSONDecoder().decode([Entry].self, from: stored)) ?? []
        return Dictionary(list.map { ($0.digest, $0) }, uniquingKeysWith: { $1 })
    }

    private static func version(of path: String) -> FileVersion? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileVersion(
            inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }
}
