// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Writes the library's metadata to XMP files beside referenced originals, such as `a.jpg.xmp`.
    ///
    /// Other properties of an existing sidecar are kept. It is replaced only if it is the one that the library read last.
    /// The library then stores the new one, so that the next import finds nothing new.
    ///
    /// - Parameters:
    ///   - identifiers: The assets. Those without a referenced original are skipped.
    ///   - library: The library, opened for changes unless it is a dry run.
    ///   - force: Whether to replace sidecars that the library has not read.
    ///   - dryRun: Whether to report what would be done, without doing it.
    ///   - report: Called for each asset in order.
    /// - Throws: `HostError` with `runnerUnavailable`; errors of `report`; `CancellationError`.
    public func writeSidecars(
        of identifiers: [String], in library: PhotoLibrary, force: Bool = false,
        dryRun: Bool = false, report: (SidecarResult) async throws -> Void
    ) async throws {
        let writer = SidecarWriter(
            library: library, pool: pool, replacesUnread: force, isDryRun: dryRun)
        for identifier in identifiers {
            try Task.checkCancellation()
            do {
                try await report(writer.write(identifier))
            } catch let error where error.concernsImportedFile || error.concernsOriginal {
                try await report(SidecarResult(identifier, nil, .failed, error: error))
            }
        }
    }
}
