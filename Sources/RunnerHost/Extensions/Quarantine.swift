// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Logging

/// The failures of extensions. After ``limit`` failures without a success an extension is quarantined: it is
/// not run until the user releases it or another build is installed.
///
/// A failure is a crash, a hang, a protocol violation, or output that does not match its announcement. An error
/// returned by the extension is not a failure.
///
/// Failures are counted separately for each library, because a library's recipes or pictures may have caused
/// them. An extension quarantined for ``libraryLimit`` libraries, or without a library, is not run for any. The
/// counts are stored in a file shared by all hosts of a user.
package final class Quarantine: Sendable {
    /// The failures of an extension for one library.
    package struct Entry: Codable, Hashable, Sendable {
        /// The identifier of the extension.
        package var identifier: String
        /// The digest of the failed build, ``ExtensionBinary/digest``.
        @HexDigest package var digest: SHA256Digest
        /// The SHA-256 of its library.
        @HexDigest package var libraryHash: SHA256Digest
        /// The folder of the library whose recipes and pictures it received; nil if it ran without a library.
        package var library: String?
        /// The number of failures since its last success.
        package var failures: Int
        /// The reason of the last failure, at most 500 characters.
        package var reason: String
        /// The date of the last failure, RFC 3339 in UTC.
        package var date: String
        /// True if the failures have reached the limit.
        package var isQuarantined: Bool { failures >= Quarantine.limit }

        var key: Key { Key(digest: digest, library: library) }
    }

    /// The key by which failures are counted.
    struct Key: Hashable, Sendable {
        let digest: SHA256Digest
        let library: String?
    }

    /// The number of failures in sequence that leads to quarantine.
    package static let limit = 3
    /// An extension that is quarantined for this many libraries is not run for any library.
    package static let libraryLimit = 2
    /// Takes the place of the library's folder in ``Entry/library`` for the temporary libraries of `apply`.
    package static let temporaryLibrary = "apply"

    /// The valid numbers of failures in the file. Entries with other numbers are ignored.
    static let validFailures = 1...1_000_000

    private let records: ExtensionRecords
    private let logger: Logger

    /// - Parameter folder: The configuration folder; if nil, the counts last as long as this object.
    package init(folder: String?, logger: Logger) {
        records = ExtensionRecords(folder: folder)
        self.logger = logger
    }

    /// All extensions with failures, sorted by identifier.
    package var entries: [Entry] {
        current.values.sorted {
            ($0.identifier, $0.digest.hex, $0.library ?? "")
                < ($1.identifier, $1.digest.hex, $1.library ?? "")
        }
    }

    /// Returns the entry of a digest with the most failures; nil if there have been none since the last
    /// success.
    package func entry(of digest: SHA256Digest) -> Entry? {
        entries(of: digest).max { $0.failures < $1.failures }
    }

    private func entries(of digest: SHA256Digest) -> [Entry] {
        current.values.filter { $0.digest == digest }
    }

    /// The failures, including those that other hosts have stored.
    private var current: [Key: Entry] {
        records.refresh()
        return records.content.failures
    }

    /// - Throws: `HostError` with `unusableExtension` if the extension is in quarantine for all libraries, or
    ///   for the one it is to be run for.
    func requireNotQuarantined(_ binary: ExtensionBinary) throws {
        let found = entries(of: binary.digest).filter(\.isQuarantined)
        guard !found.isEmpty else { return }
        let own = Self.folder(of: binary)
        let isForAll = found.count { $0.library != nil } >= Self.libraryLimit
        guard let entry = found.first(where: { $0.library == nil || $0.library == own || isForAll })
        else { return }
        let identifier = binary.manifest.identifier
        let place =
            entry.library == nil || isForAll
            ? "" : entry.library == Self.temporaryLibrary ? " for apply" : " for this library"
        throw HostError(
            .unusableExtension,
            "the extension \(identifier) is in quarantine\(place) after \(entry.failures) "
                + "failures, the last: \(entry.reason); to try it again, run \"edithost "
                + "extensions quarantine release \(identifier)\"", extension: identifier)
    }

    /// Records a failure for the library that the extension was run for.
    package func recordFailure(of binary: ExtensionBinary, _ reason: String) {
        recordFailure(
            of: binary.digest, library: binary.libraryHash, binary.manifest.identifier, reason,
            serving: Self.folder(of: binary))
    }

    /// - Parameters:
    ///   - library: The hash of the extension's shared library.
    ///   - folder: The folder of the photo library.
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
            entry.failures = min(entry.failures + 1, Self.validFailures.upperBound)
            entry.reason = String(reason.prefix(500))
            entry.date = Date().formatted(.iso8601)
            entries[key] = entry
            if entry.failures == Self.limit {
                logger.warning(
                    "\(identifier) failed too often, and is in quarantine: \(reason)")
            }
        }
    }

    /// Resets the failures for the library that the extension was run for, unless it is in quarantine.
    func recordSuccess(of binary: ExtensionBinary) {
        let known = entries(of: binary.digest)
        guard !known.isEmpty else { return }
        let own = Self.folder(of: binary)
        let forgotten = known.filter { !$0.isQuarantined && ($0.library ?? own) == own }.map(\.key)
        guard !forgotten.isEmpty else { return }
        change { entries in for key in forgotten { entries[key] = nil } }
    }

    /// Removes a failure that the extension did not cause.
    package func removeFailure(_ binary: ExtensionBinary) {
        let key = Key(digest: binary.digest, library: Self.folder(of: binary))
        guard entries(of: binary.digest).contains(where: { $0.key == key }) else { return }
        change { entries in
            entries[key]?.failures -= 1
            if entries[key]?.failures == 0 { entries[key] = nil }
        }
    }

    /// The folder of the library that an extension is run for, with links resolved. A copy of a library is a
    /// separate one. Temporary libraries are counted together, because each run creates new ones.
    private static func folder(of binary: ExtensionBinary) -> String? {
        binary.servedLibrary.map { library in
            PrivateFolder.contains(library)
                ? temporaryLibrary : URL(fileURLWithPath: library).resolvingSymlinksInPath().path
        }
    }

    /// Releases an extension from quarantine for all libraries.
    ///
    /// - Parameter name: Its identifier, or the unique last component of it.
    /// - Returns: The removed entries.
    /// - Throws: `HostError` with `noSuchExtension` if no such extension is in quarantine, or `fileFailed`.
    package func release(_ name: String) throws -> [Entry] {
        let extensionName = ExtensionName(name)
        let found = entries.filter { $0.isQuarantined && extensionName.matches($0.identifier) }
        guard !found.isEmpty else {
            throw HostError(.noSuchExtension, "no extension \"\(name)\" is in quarantine")
        }
        try records.change { content in for entry in found { content.failures[entry.key] = nil } }
        return found
    }

    /// Changes the counts. If the file cannot be written, the change applies to this host only.
    private func change(_ body: (inout [Key: Entry]) -> Void) {
        do {
            try records.change { body(&$0.failures) }
        } catch {
            logger.warning("cannot store the failures of extensions: \(error)")
            records.changeInMemory { body(&$0.failures) }
        }
    }
}
