// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import Library

/// The operations that assets of each kind allow, and their outcome.
@Suite("edit operations")
struct EditOperationTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
    }

    @Test("E-03 operations have PhotoKit's raw values")
    func numbers() {
        #expect(AssetEditOperation.allCases.map(\.rawValue) == [1, 2, 3])
        #expect(AssetEditOperation.delete.rawValue == 1)
        #expect(AssetEditOperation.content.rawValue == 2)
        #expect(AssetEditOperation.properties.rawValue == 3)
    }

    @Test("E-04 properties is not treated as delete and content")
    func noBits() throws {
        let asset = try make(.audio)
        #expect(try asset.canPerform(.properties, in: library))
        #expect(try !asset.canPerform(.content, in: library))
        try perform(.properties, on: asset, in: library)
        #expect(try library.asset(withLocalIdentifier: asset.id).isFavorite)
    }

    /// A kind of asset, with the operations that it allows.
    private enum Kind: CaseIterable {
        case ordinary, edited, video, audio, lost, away, replaced, awayWithBase, awayByApplication
        case remote, deleted

        var operations: Set<AssetEditOperation> {
            switch self {
            case .ordinary, .edited, .video, .awayWithBase, .awayByApplication:
                [.delete, .content, .properties]
            case .audio, .lost, .away, .replaced, .remote: [.delete, .properties]
            case .deleted: []
            }
        }
    }

    private func make(_ kind: Kind) throws -> Asset {
        let text = UUID().uuidString
        switch kind {
        case .ordinary: return try library.importAsset(text)
        case .edited:
            let asset = try library.importAsset(text)
            return try library.edit(asset.id, recipe: "one", render: text + " edited")
        case .video, .audio:
            let blob = try library.stage(text)
            var request: AssetCreationRequest?
            try library.performChanges {
                let new = try AssetCreationRequest(mediaType: kind == .video ? .video : .audio)
                try new.addResource(
                    kind == .video ? .video : .audio, blob: blob, filename: "1.mov",
                    facts: .sample())
                request = new
            }
            return try library.asset(
                withLocalIdentifier: #require(request).placeholderForCreatedAsset.localIdentifier)
        case .lost:
            let asset = try library.importAsset(text)
            let hash = try #require(library.history(ofAsset: asset.id).original?.blob)
            try Folders.removeFile(library.layout.blob(hash))
            return asset
        case .away, .replaced, .awayWithBase, .awayByApplication:
            let path = temporary.folder + "/" + text
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            var asset = try library.reference(path)
            if kind == .awayWithBase || kind == .awayByApplication {
                asset = try editWithBase(asset, isStored: kind == .awayWithBase)
            }
            try Folders.removeFile(path)
            if kind == .replaced { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }
            return asset
        case .remote: return try makeRemote(text)
        case .deleted:
            let asset = try library.importAsset(text)
            try library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
            return asset
        }
    }

    /// An asset whose bytes are only on a server.
    private func makeRemote(_ text: String) throws -> Asset {
        var request: AssetCreationRequest?
        try library.performChanges {
            let new = try AssetCreationRequest(mediaType: .image)
            try new.addResource(
                .photo, url: "https://example.org/\(text)", filename: "1.jpg", facts: .sample())
            request = new
        }
        return try library.asset(
            withLocalIdentifier: #require(request).placeholderForCreatedAsset.localIdentifier)
    }

    /// An edit with a stored lossless base, or one without an extension.
    private func editWithBase(_ asset: Asset, isStored: Bool) throws -> Asset {
        var output = try library.output(asset.id, recipe: "one", render: asset.id + " edited")
        if isStored {
            output.baseRenditions = [1: try library.render(asset.id + " base")]
        } else {
            output.editingExtension = nil
        }
        try library.performChanges {
            try AssetChangeRequest(for: asset).contentEditingOutput = output
        }
        return try library.asset(withLocalIdentifier: asset.id)
    }

    private func perform(
        _ operation: AssetEditOperation, on asset: Asset, in library: PhotoLibrary
    ) throws {
        let output =
            operation == .content
            ? try self.library.output(asset.id, recipe: "new", render: UUID().uuidString) : nil
        try library.performChanges {
            switch operation {
            case .delete: try AssetChangeRequest.removeAssets([asset])
            case .content: try AssetChangeRequest(for: asset).contentEditingOutput = output
            case .properties: try AssetChangeRequest(for: asset).isFavorite = true
            }
        }
    }

    @Test("E-01 E-02 canPerform predicts the outcome for every kind of asset and operation")
    func prediction() throws {
        for kind in Kind.allCases {
            for operation in AssetEditOperation.allCases {
                let asset = try make(kind)
                let answer = try asset.canPerform(operation, in: library)
                #expect(answer == kind.operations.contains(operation), "\(kind) \(operation)")
                if answer {
                    try perform(operation, on: asset, in: library)
                } else {
                    let before = try? library.history(ofAsset: asset.id)
                    #expect(throws: LibraryError.self, "\(kind) \(operation)") {
                        try perform(operation, on: asset, in: library)
                    }
                    #expect(before == (try? library.history(ofAsset: asset.id)))
                }
            }
        }
    }

    @Test("E-01 E-02 in a read-only library no operation is possible")
    func readOnly() throws {
        let asset = try library.importAsset("text")
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        let reading = try temporary.reopen(options)
        for operation in AssetEditOperation.allCases {
            #expect(try asset.canPerform(operation, in: library))
            #expect(try !asset.canPerform(operation, in: reading))
            let error = try libraryError { try perform(operation, on: asset, in: reading) }
            #expect(error.code == .readOnly)
        }
    }

    @Test("E-05 deletion removes rows, and prune removes the unreferenced files")
    func deletion() throws {
        let asset = try make(.edited)
        let kept = try make(.ordinary)
        let path = temporary.folder + "/referenced"
        try Data("referenced".utf8).write(to: URL(fileURLWithPath: path))
        let referenced = try library.reference(path)
        let history = try library.history(ofAsset: asset.id)
        let blobs = [history.original?.blob, history.chain.last?.current?.blob]
        let before = try library.currentChangeToken
        try library.performChanges { try AssetChangeRequest.removeAssets([asset, referenced]) }
        let items = try library.fetchPersistentChanges(since: before).flatMap(\.items)
        #expect(items.map(\.kind) == [.removed, .removed])
        #expect(Set(items.map(\.identifier)) == [asset.id, referenced.id])
        #expect(try Asset.fetchAssets(in: library).map(\.localIdentifier) == [kept.id])
        for table in ["resource", "asset"] { #expect(try library.count(table) == 1) }
        for table in ["edit", "state", "rendition"] { #expect(try library.count(table) == 0) }
        _ = try library.prune(emptyingTrash: true)
        #expect(blobs.allSatisfy { $0.map(library.containsBlob) == false })
        #expect(try library.isLocallyAvailable(kept))
        // The library does not remove referenced files.
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
