// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What a library needs of a host to take files that nobody has looked at yet. It has no decoder of
/// its own.
package protocol ContentVerifier: Sendable {
    /// Decodes a whole picture, and says what it is.
    func photoFacts(of file: StagedBlob, named filename: String) async throws -> PhotoFacts

    /// Checks what an application wrote as the result of an edit, and makes it ready to be
    /// committed.
    func prepare(
        _ output: ContentEditingOutput, in library: PhotoLibrary
    ) async throws -> ContentEditingOutput

    /// Makes a private place for the result of an edit.
    func makeFiles() throws -> ContentEditingFiles
}

extension PhotoLibrary {
    /// Who checks files for this library; nil where no host has been attached.
    package var contentVerifier: (any ContentVerifier)? { verifier.withLock { $0 } }

    /// Has files of change blocks checked from now on.
    package func setContentVerifier(_ new: any ContentVerifier) { verifier.withLock { $0 = new } }
}

/// The files of a change block that nobody has looked at: they are checked after the block has run,
/// before anybody is asked and before the transaction begins.
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

    /// Whether anything is to be decoded.
    var isNeeded: Bool {
        creations.contains(where: \.lacksFacts)
            || library.contentVerifier != nil && creations.contains(where: \.lacksMotionFacts)
            || edits.contains { $0.output?.isUnprepared == true }
    }

    /// Decodes all that is new. The outputs for assets that the block makes learn what those are.
    ///
    /// - Throws: what the host finds wrong with a file; `LibraryError` with `invalidRequest` where
    ///   there is no host, but for outputs, which then fail as incomplete.
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

    /// The output, knowing the asset that it is for.
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

/// A request that can have the result of an edit.
protocol ContentEditingRequest: AnyObject, Sendable {
    var output: ContentEditingOutput? { get }
    /// Takes the checked output in the place of the one that was set; the block has ended.
    func replaceOutput(_ output: ContentEditingOutput)
}

extension AssetChangeRequest: ContentEditingRequest {
    var output: ContentEditingOutput? { state.withLock { $0.output } }
    func replaceOutput(_ output: ContentEditingOutput) { state.withLock { $0.output = output } }
}

extension AssetCreationRequest: ContentEditingRequest {
    var output: ContentEditingOutput? { state.withLock { $0.output } }
    func replaceOutput(_ output: ContentEditingOutput) { state.withLock { $0.output = output } }
}

extension ContentEditingOutput {
    /// Whether it has a place where an application may have written, and nobody has looked there.
    var isUnprepared: Bool { renderedContent == nil && input.files != nil }
}
