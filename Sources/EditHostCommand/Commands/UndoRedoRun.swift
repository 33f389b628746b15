// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

/// The work of moving photographs to other states of their history, in one transaction.
struct UndoRedoRun: Sendable {
    typealias Move =
        @Sendable (ExtensionHost, [String], PhotoLibrary, (String) -> Void) async throws
        -> [HistoryMove]

    /// The verb for progress messages, as a participle.
    let verb: String
    /// The message for a photograph that is not moved.
    let unmoved: String
    let canMove: @Sendable (AssetHistory) -> Bool
    let move: Move

    func run(
        _ assets: AssetSelection, _ libraryOptions: LibraryOptions, _ general: GeneralOptions
    ) async throws {
        let output = general.output
        let library = try libraryOptions.open(for: .changing)
        var identifiers = try assets.identifiers(in: library)
        // A filter selects only photographs that can be moved.
        if !assets.areNamed {
            identifiers = try identifiers.filter { canMove(try library.history(ofAsset: $0)) }
        }
        let wanted = identifiers
        output.progress.begin(verb, of: wanted.count)
        defer { output.progress.end() }
        let moves = try await general.withHost(jobs: GeneralOptions.jobs(nil, for: wanted.count)) {
            host in
            try await Interruption().run {
                try await move(host, wanted, library) { _ in output.progress.advance() }
            }
        }
        output.progress.end()
        for move in moves { try output.print(move, unmoved: unmoved) }
        if moves.isEmpty { output.message("nothing to do") }
    }
}
