// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import Testing

@testable import Library

/// A library in a temporary folder that is removed with it.
final class TemporaryLibrary: Sendable {
    let folder: String
    let library: PhotoLibrary

    var path: String { folder + "/Test.editlibrary" }

    init(options: PhotoLibrary.Options = .init()) throws {
        folder = try Self.makeFolder()
        library = try PhotoLibrary.create(at: folder + "/Test.editlibrary", options: options)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Opens the same folder again.
    func reopen(_ options: PhotoLibrary.Options = .init()) throws -> PhotoLibrary {
        try PhotoLibrary.open(at: path, options: options)
    }

    static func makeFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "/library-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}

extension PhotoLibrary {
    /// Stages the UTF-8 bytes of a text.
    func stage(_ text: String) throws -> StagedBlob {
        try stage(bytes: Array(text.utf8))
    }

    func stage(bytes: [UInt8]) throws -> StagedBlob {
        let path = layout.root + "/../source-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try stage(path: path)
    }

    /// Imports a text as if it were a photo.
    @discardableResult
    func importAsset(
        _ text: String, width: Int = 40, height: Int = 30, date: CaptureDate? = nil,
        location: Location? = nil
    ) throws -> Asset {
        let blob = try stage(text)
        var request: AssetCreationRequest?
        try performChanges {
            request = try .photo(
                blob, .sample(width: width, height: height, date: date, location: location))
        }
        return try asset(
            withLocalIdentifier: #require(request).placeholderForCreatedAsset.localIdentifier)
    }

    /// Rendered content whose bytes are a text.
    func render(_ text: String, width: Int = 40, height: Int = 30) throws -> RenderedContent {
        RenderedContent(
            blob: try stage(text), key: .sample(text), ingredients: Data(), pixelWidth: width,
            pixelHeight: height,
            format: .jpeg)
    }

    /// Makes the output of an edit without committing it.
    func output(
        _ identifier: String, _ placement: ContentEditingInput.Placement = .appending,
        recipe: String, render text: String, width: Int = 40, height: Int = 30
    ) throws -> ContentEditingOutput {
        let input = try contentEditingInput(forAsset: identifier, placement: placement)
        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = try .sample(recipe)
        output.renderedContent = try render(text, width: width, height: height)
        output.editingExtension = .sample
        return output
    }

    /// Commits an edit and returns the edited asset.
    @discardableResult
    func edit(
        _ identifier: String, _ placement: ContentEditingInput.Placement = .appending,
        recipe: String, render text: String, width: Int = 40, height: Int = 30
    ) throws -> Asset {
        let output = try output(
            identifier, placement, recipe: recipe, render: text, width: width, height: height)
        try performChanges {
            try AssetChangeRequest(for: output.input.asset).contentEditingOutput = output
        }
        return try asset(withLocalIdentifier: identifier)
    }

    /// The bytes of a blob as text.
    func text(_ hash: SHA256Digest?) throws -> String {
        let file = try openBlob(#require(hash))
        var bytes = [UInt8](repeating: 0, count: try file.size())
        _ = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number of rows in a table.
    func count(_ table: String) throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }
}

extension String {
    /// The name of a session folder, or of a file in it, that no process uses.
    static let deadSession = "00000000-0000-4000-8000-00000000dead"
}

extension AssetCreationRequest {
    static func photo(_ blob: StagedBlob, _ facts: PhotoFacts) throws -> AssetCreationRequest {
        let request = try AssetCreationRequest(mediaType: .image)
        try request.addResource(.photo, blob: blob, filename: "picture.jpg", facts: facts)
        return request
    }
}

extension AdjustmentData {
    static func sample(_ text: String) throws -> AdjustmentData {
        AdjustmentData(
            formatIdentifier: "org.example.filter", formatVersion: "1.2", data: Data(text.utf8))
    }
}

extension EditingExtensionIdentity {
    static let sample = EditingExtensionIdentity(
        identifier: "org.example.filter", version: "3.1", binaryHash: .sample("binary"))
}

extension SHA256Digest {
    /// A digest that differs for different texts of up to 32 bytes. It is not their hash.
    static func sample(_ text: String) -> SHA256Digest {
        SHA256Digest(bytes: (Array(text.utf8) + Array(repeating: 0, count: 32)).prefix(32))
    }
}

extension PhotoFacts {
    static func sample(
        width: Int = 40, height: Int = 30, date: CaptureDate? = nil, location: Location? = nil
    ) -> PhotoFacts {
        PhotoFacts(
            format: .jpeg, pixelWidth: width, pixelHeight: height, orientation: 1,
            bitsPerSample: 8, hasAlpha: false, colorModel: .rgb, hasFullChroma: false,
            isLossy: true, frameCount: 1, mediaSubtypes: [.photoPanorama, .photoHDR],
            creationDate: date, location: location)
    }
}

/// Runs `body`, which must throw a `LibraryError`, and returns the error.
func libraryError(
    _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> LibraryError {
    try #require(throws: LibraryError.self, sourceLocation: sourceLocation, performing: body)
}
