// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization

extension Schema {
    /// What each version of ``current`` makes, as far as that has been asked.
    private static let known = Mutex<[Int: SchemaSnapshot]>([:])

    /// Checks that a database has what the steps up to its version make: nothing less, and nothing
    /// more, such as a trigger or a view that would run where nobody called it.
    ///
    /// - Throws: `LibraryError` with `damaged`, which says what is different.
    func verify(_ database: Database) throws {
        let version = try database.value("PRAGMA user_version", as: Int.self) ?? 0
        guard (0...self.version).contains(version) else {
            throw LibraryError(.damaged, "the library's database has no version \(version)")
        }
        let found = try SchemaSnapshot(database)
        // Where the making of a library was interrupted there is nothing, or what keeps its versions.
        if version == 0, found.objects.isEmpty { return }
        if let difference = found.difference(from: try snapshot(ofVersion: version)) {
            throw LibraryError(
                .damaged, "the library's database is not as this program makes it: \(difference)")
        }
    }

    /// What the first steps make in an empty database.
    private func snapshot(ofVersion version: Int) throws -> SchemaSnapshot {
        let steps = Array(steps.prefix(version))
        guard steps.map(\.name) == Self.current.steps.prefix(version).map(\.name) else {
            return try Self.made(by: steps)
        }
        if let snapshot = Self.known.withLock({ $0[version] }) { return snapshot }
        let snapshot = try Self.made(by: steps)
        Self.known.withLock { $0[version] = snapshot }
        return snapshot
    }

    private static func made(by steps: [Step]) throws -> SchemaSnapshot {
        let queue = try DatabaseQueue()
        try Schema(steps: steps).migrator.migrate(queue)
        return try queue.read(SchemaSnapshot.init)
    }
}
