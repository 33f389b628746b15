// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

/// The work of moving photos to other states of their history, in one transaction.
struct HistoryMoveRun: Sendable {
    typealias Move =
        @Sendable (ExtensionHost, [String], PhotoLibrary, (String) -> Void) async throws
        -> [EditResult]

    /// The verb for progress messages, as a participle.
    let verb: String
    /// Returns whether an asset that is selected by a filter can be moved.
    let canMove: @Sendable (AssetHistory) -> Bool
    let move: Move
    let print: @Sendable (CommandOutput, EditResult) throws -> Void

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
        let moves = try await batch.run(on: identifiers.count) { host in
            try await move(host, identifiers, library) { output.progress.advance(past: $0) }
        }
        for move in moves { try print(output, move) }
        return moves.count
    }
}
