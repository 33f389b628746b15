// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Verification of a change block's unverified files. It runs after the block, before the
/// authorisation hook is called and the transaction begins.
/// See docs/design/decisions/0020-decoding-before-a-transaction.md.
struct BlockVerification: Sendable {
    private let creations: [AssetCreationRequest]
    private let edits: [any ContentEditingRequest]
    private let library: PhotoLibrary

    init(_ requests: [any ChangeRequest], in library: PhotoLibrary) {
        creations = requests.compactMap { $0 as? AssetCreationRequest }
        edits = requests.compactMap { $0 as? any ContentEditingRequest }
        self.library = library
    }

    /// Whether any file has to be decoded.
    var isNeeded: Bool {
        creations.contains(where: \.lacksFacts)
            || library.contentVerifier != nil && creations.contains(where: \.lacksMotionFacts)
            || edits.contains { $0.output?.isUnprepared == true }
    }

    /// Decodes all unverified files. Outputs for assets that the block creates are updated with the
    /// facts found.
    ///
    /// - Throws: The host's decoding errors. `LibraryError` with `invalidRequest` if a new asset
    ///   has to be decoded and there is no host. Outputs are skipped without a host; they later
    ///   fail as incomplete.
    func run() async throws {
        let verifier = library.contentVerifier
        for creation in creations where creation.lacksFacts {
            guard let verifier else { throw Self.noHost(creation.filename) }
            try await creation.findFacts(with: verifier)
        }
        guard let verifier else { return }
        for creation in creations where creation.lacksMotionFacts {
            try await creation.findMotionFacts(with: verifier)
        }
        for edit in edits {
            guard let output = edit.output, output.isUnprepared else { continue }
            edit.replaceOutput(try await verifier.prepare(try located(output), in: library))
        }
    }

    /// Returns the output with the facts of the asset that the block creates.
    private func located(_ output: ContentEditingOutput) throws -> ContentEditingOutput {
        guard output.input.isForCreatedAsset else { return output }
        let identifier = output.input.asset.localIdentifier
        let creation = creations.first {
            $0.placeholderForCreatedAsset.localIdentifier == identifier
        }
        guard let creation else {
            throw LibraryError(
                .invalidRequest,
                "an output for a placeholder must be set in the change block that creates the "
                    + "asset",
                asset: identifier)
        }
        var output = output
        output.input = try ContentEditingInput(creation, files: output.input.files)
        return output
    }

    private static func noHost(_ filename: String) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "\(filename) has to be decoded, which needs a host; attach one, or give the facts "
                + "with addResource")
    }
}
