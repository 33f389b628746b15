// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Logging
import Synchronization

/// The extensions that render identical output from their own recipes. This is tested at the first edit with
/// each build, and the result is stored for all hosts of a user.
package final class Reproducibility: Sendable {
    private let records: ExtensionRecords
    private let isAssumed: Bool
    private let logger: Logger
    /// The locks of the tests, by the digests of the builds.
    private let locks = Mutex<[SHA256Digest: AsyncLock]>([:])

    /// - Parameters:
    ///   - folder: The configuration folder; if nil, results last as long as this object.
    ///   - isAssumed: Whether to assume that all extensions are reproducible.
    package init(folder: String?, isAssumed: Bool, logger: Logger) {
        records = ExtensionRecords(folder: folder)
        self.isAssumed = isAssumed
        self.logger = logger
    }

    /// Returns whether an extension is reproducible; nil if it has not been tested. Shipped extensions always are.
    package func isReproducing(_ binary: ExtensionBinary) -> Bool? {
        if isAssumed || binary.trust == .shipped || records.contains(.reproducing, binary.digest) {
            return true
        }
        return records.contains(.notReproducing, binary.digest) ? false : nil
    }

    /// Tests an extension, unless the result is known or another task determines it first.
    ///
    /// - Parameter body: Runs the test, and calls ``remember(_:of:)``.
    /// - Returns: The result of `body`; nil if it was not needed.
    package func test<Value: Sendable>(
        _ binary: ExtensionBinary, _ body: @Sendable () async throws -> Value
    ) async rethrows -> Value? {
        guard isReproducing(binary) == nil else { return nil }
        let lock = locks.withLock { locks in
            let lock = locks[binary.digest] ?? AsyncLock()
            locks[binary.digest] = lock
            return lock
        }
        return try await lock.withLock {
            isReproducing(binary) == nil ? try await body() : nil
        }
    }

    /// Stores the result of a test.
    package func remember(_ isReproducing: Bool, of binary: ExtensionBinary) {
        do {
            try records.add(
                isReproducing ? .reproducing : .notReproducing, binary.digest,
                of: binary.manifest.identifier)
        } catch {
            logger.warning("cannot store whether an extension is reproducible: \(error)")
        }
    }
}
