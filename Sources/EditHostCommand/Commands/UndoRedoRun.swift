// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

/// The work of moving photos to other states of their history, in one transaction.
struct UndoRedoRun: Sendable {
    /// Moves photos, with functions that are called for each prepared photo and for each result.
    typealias Move =
        @Sendable (
            ExtensionHost, [String], PhotoLibrary, (String) -> Void,
            @escaping @Sendable (EditResult) throws -> OutcomeLine
        ) async throws -> [OutcomeLine]

    /// The verb for progress messages, as a participle.
    let verb: String
    /// Returns whether an asset that is selected by a filter can be moved.
    let canMove: @Sendable (AssetHistory) -> Bool
    let move: Move
    /// Returns the line that is printed about a photo.
    let line: @Sendable (CommandOutput, EditResult) throws -> OutcomeLine

    func run(
        _ assets: AssetSelection, _ libraryOptions: LibraryOptions, _ general: GeneralOptions
    ) async throws {
        try await run(in: libraryOptions.open(for: .changing), general) { library in
            let identifiers = try await assets.identifiers(in: library)
            return try identifiers.filter {
                try assets.areNamed || canMove(library.history(ofAsset: $0))
            }
        }
    }

    /// Moves the photos that a closure selects.
    ///
    /// - Returns: The number of results.
    @discardableResult
    func run(
        in library: PhotoLibrary, _ general: GeneralOptions,
        _ selected: (PhotoLibrary) async throws -> [String]
    ) async throws -> Int {
        let batch = BatchRun(general, verb)
        let output = batch.output
        let identifiers = try await selected(library)
        guard !identifiers.isEmpty else {
            output.message("nothing to do")
            return 0
        }
        let lines = try await batch.run(on: identifiers.count) { host in
            try await move(host, identifiers, library, { output.progress.advance(past: $0) }) {
                try line(output, $0)
            }
        }
        for line in lines { try output.print(line) }
        return lines.count
    }
}
