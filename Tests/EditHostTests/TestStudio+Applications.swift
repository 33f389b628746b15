// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport

/// Edits by an application without an extension.
extension TestStudio {
    /// A recipe of an application's own.
    static func recipe(
        _ text: String = "x", format: String = "org.example.application"
    ) throws -> AdjustmentData {
        AdjustmentData(formatIdentifier: format, formatVersion: "1.0", data: Data(text.utf8))
    }

    func asset(_ identifier: String) throws -> Asset {
        try library.asset(withLocalIdentifier: identifier)
    }

    /// An input without a display image.
    func input(_ identifier: String, canHandle: Bool = false) async throws -> ContentEditingInput {
        var options = ContentEditingInputRequestOptions()
        options.skipsDisplaySizeImage = true
        options.canHandleAdjustmentData = { _ in canHandle }
        return try await host.requestContentEditingInput(
            for: asset(identifier), in: library, options: options)
    }

    /// An unprepared output whose file has been written.
    func output(
        _ identifier: String, _ file: Data, as type: MediaFormat, recipe: String = "x",
        canHandle: Bool = false
    ) async throws -> ContentEditingOutput {
        var output = ContentEditingOutput(
            contentEditingInput: try await input(identifier, canHandle: canHandle))
        output.adjustmentData = try Self.recipe(recipe)
        try file.write(to: output.renderedContentURL(for: type))
        return output
    }

    /// Commits a file as the result of an edit and returns the request.
    @discardableResult
    func apply(
        _ file: Data, as type: MediaFormat, to identifier: String, recipe: String = "x",
        canHandle: Bool = false
    ) async throws -> AssetChangeRequest {
        let output = try await output(
            identifier, file, as: type, recipe: recipe, canHandle: canHandle)
        return try commit(try await host.prepare(output, in: library))
    }

    @discardableResult
    func commit(_ output: ContentEditingOutput) throws -> AssetChangeRequest {
        let made = Mutex<AssetChangeRequest?>(nil)
        try library.performChanges {
            let request = try AssetChangeRequest(for: output.input.asset)
            request.contentEditingOutput = output
            made.withLock { $0 = request }
        }
        guard let request = made.withLock({ $0 }) else { throw CocoaError(.featureUnsupported) }
        return request
    }

    /// The pixels of the full-size file.
    func fullSize(_ input: ContentEditingInput) throws -> TestPicture {
        try TestPicture(decoding: Data(contentsOf: input.fullSizeImageURL.unwrapped()))
    }

    /// The content of a stored file.
    func bytes(_ hash: SHA256Digest?) throws -> Data {
        let file = try library.openBlob(hash.unwrapped())
        return try file.read(count: file.byteCount())
    }
}

extension Optional {
    func unwrapped() throws -> Wrapped {
        guard let self else { throw CocoaError(.coderValueNotFound) }
        return self
    }
}

/// The answers to requests, in order.
final class Answers: Sendable {
    struct Answer: Sendable {
        let input: ContentEditingInput?
        let info: ContentEditingInputInfo
    }

    private let answers = Mutex<[Answer]>([])

    var all: [Answer] { answers.withLock { $0 } }

    var handler: ContentEditingInputHandler {
        { [self] input, info in
            answers.withLock { $0.append(Answer(input: input, info: info)) }
        }
    }

    /// Waits for `count` answers.
    func wait(for count: Int = 1) async throws -> [Answer] {
        try await waitUntil("there are \(count) answers") { all.count >= count }
        return all
    }
}
