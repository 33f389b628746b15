// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Writes the library's metadata to XMP files beside referenced originals, such as `a.jpg.xmp`.
    ///
    /// If an import would read another sidecar first, such as `a.xmp`, that file is updated. Other properties
    /// of a sidecar are kept. A sidecar is replaced only if it is the one that the library read last, also if another
    /// program changes it during the call. The library then stores the new one, so that the next import finds nothing
    /// new.
    ///
    /// - Parameters:
    ///   - identifiers: The assets. Those without a referenced original are skipped.
    ///   - library: The library, opened for changes unless it is a dry run.
    ///   - dryRun: Whether to report what would be done, without doing it.
    ///   - report: Called for each asset in order.
    /// - Throws: `HostError` with `runnerUnavailable`; errors of `report`; `CancellationError`.
    public func writeSidecars(
        of identifiers: [String], in library: PhotoLibrary, dryRun: Bool = false,
        report: (SidecarResult) async throws -> Void
    ) async throws {
        let writer = SidecarWriter(library: library, pool: pool, isDryRun: dryRun)
        try await forEachOrdered(
            identifiers, limit: configuration.runnerLimit,
            { identifier in
                do {
                    return .success(try await writer.write(identifier))
                } catch {
                    return .failure(error)
                }
            },
            deliver: { (result: Result<SidecarResult, any Error>) in
                try await report(result.get())
            })
    }
}
