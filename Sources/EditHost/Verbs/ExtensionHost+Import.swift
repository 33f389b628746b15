// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

/// What became of one file that was to be imported.
public struct ImportResult: Sendable {
    /// How it ended.
    public enum Status: String, Sendable {
        /// It is a new asset.
        case imported
        /// The library has it already.
        case duplicate
        /// It is not a photograph.
        case skipped
        /// It looks like one, but cannot be used.
        case rejected
    }

    /// The path as it was found.
    public let path: String
    /// The asset, new or existing.
    public var assetIdentifier: String?
    /// How it ended.
    public let status: Status
    /// Why it was skipped or rejected.
    public var error: (any Error)?
    /// Things worth telling, for example that only the first frame is used.
    public var warnings: [String] = []
}

extension ExtensionHost {
    /// Imports files, and what lies in folders, and tells of each in the order found.
    ///
    /// - Parameters:
    ///   - paths: files and folders; folders are searched recursively, without hidden files.
    ///   - library: where they go.
    ///   - report: told of every file as soon as it is done.
    /// - Throws: `HostError` with `runnerUnavailable`, `LibraryError` where the library itself
    ///   cannot be used; what was imported before stays.
    public func importPhotos(
        at paths: [String], into library: PhotoLibrary,
        report: (ImportResult) async throws -> Void
    ) async throws {
        let importer = Importer(renderer: Renderer(pool: pool, library: library))
        try await forEachOrdered(
            paths.flatMap(FoundFiles.search), limit: configuration.runnerLimit,
            { path in await Self.result { try await importer.importFile(path) } },
            deliver: { result in try await report(try result.get()) })
    }

    private static func result<Value: Sendable>(
        _ body: () async throws -> Value
    ) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
