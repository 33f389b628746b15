// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import Testing

@testable import Library

/// The states of an asset: undo, redo, replacing, reopening, conflicts.
@Suite struct StateTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary
    private let asset: Asset

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
        asset = try library.importAsset("original")
    }

    private func history() throws -> AssetHistory { try library.history(ofAsset: asset.id) }

    private func recipes() throws -> [String] {
        try history().chain.map { String(decoding: $0.adjustmentData.data, as: UTF8.self) }
    }

    private func change(_ body: (AssetChangeRequest) throws -> Void) throws {
        let now = try library.asset(withLocalIdentifier: asset.id)
        try library.performChanges { try body(AssetChangeRequest(for: now)) }
    }

    @Test("undo and redo move through the states")
    func undoAndRedoMoveThePointer() throws {
        #expect(try libraryError { try change { try $0.undo() } }.code == .nothingToUndo)
        for name in ["a", "b", "c"] {
            try library.edit(asset.id, recipe: name, render: "after \(name)")
        }
        #expect(try recipes() == ["a", "b", "c"])
        try change { try $0.undo() }
        #expect(try recipes() == ["a", "b"])
        try change {
            try $0.undo()
            try $0.undo()
        }
        #expect(try recipes() == [])
        #expect(try library.asset(withLocalIdentifier: asset.id).hasAdjustments == false)
        try change { try $0.redo() }
        #expect(try recipes() == ["a"])
        try change { try $0.revertAssetContentToOriginal() }
        for expected in [["a"], ["a", "b"], ["a", "b", "c"]] {
            try change { try $0.redo() }
            #expect(try recipes() == expected)
        }
        #expect(try libraryError { try change { try $0.redo() } }.code == .nothingToRedo)
        #expect(try recipes() == ["a", "b", "c"])
    }

    @Test("an undo after a revert restores the state that it left")
    func undoingARevert() throws {
        for name in ["a", "b", "c"] {
            try library.edit(asset.id, recipe: name, render: "after \(name)")
        }
        try change { try $0.undo() }
        try change { try $0.revertAssetContentToOriginal() }
        #expect(try recipes() == [])
        #expect(try history().revertedPosition == 2 && history().undoPosition == 2)
        // A second revert changes nothing.
        try change { try $0.revertAssetContentToOriginal() }
        #expect(try library.identifiersOfAssetsToUndo() == [asset.id])
        try change { try $0.undo() }
        #expect(try recipes() == ["a", "b"])
        #expect(try history().revertedPosition == nil)
        try change { try $0.redo() }
        #expect(try recipes() == ["a", "b", "c"])
        // Any other change forgets the state that the revert left.
        try change { try $0.revertAssetContentToOriginal() }
        try change { try $0.redo() }
        try change { try $0.undo() }
        #expect(try recipes() == [])
        #expect(try !history().canUndo)
        #expect(try libraryError { try change { try $0.undo() } }.code == .nothingToUndo)
        #expect(try library.identifiersOfAssetsToUndo().isEmpty)
        #expect(try library.check().severity == .clean)
    }

    @Test("an edit after an undo discards redo")
    func editingAfterUndoDiscardsRedo() throws {
        for name in ["a", "b", "c"] {
            try library.edit(asset.id, recipe: name, render: "after \(name)")
        }
        try change {
            try $0.undo()
            try $0.undo()
        }
        try library.edit(asset.id, recipe: "d", render: "after d")
        #expect(try recipes() == ["a", "d"])
        #expect(try history().states.count == 2)
        #expect(try !history().canRedo)
        // The discarded edits are deleted; their files remain until pruned.
        #expect(try library.count("edit") == 2)
        #expect(try library.check().unusedCount == 2)
    }

    @Test("an edit after a revert discards redo")
    func editingAfterRevertDiscardsRedo() throws {
        try library.edit(asset.id, recipe: "a", render: "after a")
        try change { try $0.revertAssetContentToOriginal() }
        try library.edit(asset.id, recipe: "b", render: "after b")
        #expect(try recipes() == ["b"])
        #expect(try history().states.count == 1)
    }

    @Test("replacing the last edit is one step that can be undone")
    func replacingTheLastEditIsOneStepThatCanBeUndone() throws {
        try library.edit(asset.id, recipe: "a", render: "after a")
        try library.edit(asset.id, recipe: "b", render: "after b")
        let input = try library.contentEditingInput(
            forAsset: asset.id, placement: .replacingLast)
        #expect(input.adjustmentData == (try .sample("b")))
        #expect(input.below.map(\.adjustmentData) == [try .sample("a")])
        try library.edit(asset.id, .replacingLast, recipe: "B", render: "after B")
        #expect(try recipes() == ["a", "B"])
        #expect(try history().states.count == 3)
        try change { try $0.undo() }
        #expect(try recipes() == ["a", "b"])
        try change { try $0.redo() }
        #expect(try recipes() == ["a", "B"])
    }

    @Test("reopening a step keeps the edits above and is one step")
    func reopeningAStepKeepsThoseAboveAndIsOneStep() throws {
        for name in ["a", "b", "c", "d"] {
            try library.edit(asset.id, recipe: name, render: "after \(name)")
        }
        let before = try history()
        var output = try library.output(
            asset.id, .reopening(step: 2), recipe: "B", render: "after aBcd")
        output.baseRenditions[3] = try library.render("lossless c")
        try change { $0.contentEditingOutput = output }
        #expect(try recipes() == ["a", "B", "c", "d"])
        let after = try history()
        #expect(after.states.count == 5)
        #expect(after.chain[0] == before.chain[0])
        #expect(after.chain[2].identifier != before.chain[2].identifier)
        #expect(try library.text(after.chain[2].base?.blob) == "lossless c")
        #expect(after.chain[1].current == nil && after.chain[2].current == nil)
        #expect(try library.text(after.chain[3].current?.blob) == "after aBcd")
        try change { try $0.undo() }
        #expect(try history().chain == before.chain)
        for step in [0, 5, -1] {
            let error = try libraryError {
                _ = try library.contentEditingInput(
                    forAsset: asset.id, placement: .reopening(step: step))
            }
            #expect(error.code == .noSuchEdit)
        }
    }

    @Test("undo to a pruned state needs its rendition")
    func undoToAPrunedStateNeedsItsRendition() throws {
        try library.edit(asset.id, recipe: "a", render: "after a")
        let last = try library.edit(asset.id, recipe: "b", render: "after b")
        #expect(try library.prune().renditionCount == 1)
        let error = try libraryError { try change { try $0.undo() } }
        #expect(error.code == .renditionMissing && error.assetIdentifier == asset.id)
        #expect(try library.asset(withLocalIdentifier: asset.id) == last)
        let rendered = try library.render("after a, again", width: 7, height: 5)
        try change { try $0.undo(rendered: rendered) }
        #expect(try recipes() == ["a"])
        #expect(try library.text(history().chain.last?.current?.blob) == "after a, again")
        #expect(try library.asset(withLocalIdentifier: asset.id).pixelWidth == 7)
    }

    @Test("assets with undone edits are found")
    func assetsToRedo() throws {
        let other = try library.importAsset("other")
        for identifier in [asset.localIdentifier, other.localIdentifier] {
            try library.edit(identifier, recipe: "a", render: "after a of \(identifier)")
        }
        #expect(try library.identifiersOfAssetsToRedo() == [])
        try change { try $0.undo() }
        #expect(try library.identifiersOfAssetsToRedo() == [asset.localIdentifier])
        try change { try $0.redo() }
        #expect(try library.identifiersOfAssetsToRedo() == [])
    }

    @Test("a move by several states needs only the rendition of its target")
    func moveBySeveralStates() throws {
        for name in ["a", "b", "c"] {
            try library.edit(asset.id, recipe: name, render: "after \(name)")
        }
        #expect(try library.prune().renditionCount == 2)
        try change { try $0.move(by: -3, rendered: nil) }
        #expect(try recipes() == [])
        try change { try $0.move(by: 3, rendered: nil) }
        #expect(try recipes() == ["a", "b", "c"])
        for (steps, code) in [(1, LibraryError.Code.nothingToRedo), (-4, .nothingToUndo)] {
            let error = try libraryError { try change { try $0.move(by: steps, rendered: nil) } }
            #expect(error.code == code)
        }
    }

    @Test("re-rendering is not a step and keeps the date for equal bytes")
    func renderingAgainIsNoStepAndKeepsTheDateOfEqualBytes() throws {
        let edited = try library.edit(asset.id, recipe: "a", render: "after a")
        let edit = try #require(try history().chain.first)
        let token = try library.currentChangeToken
        var same = try library.render("after a")
        same = RenderedContent(
            blob: same.blob, key: .sample("new key"), ingredients: Data(), pixelWidth: 40,
            pixelHeight: 30,
            format: .jpeg)
        try change { try $0.replaceRendition(same, kind: .current, ofEdit: edit.identifier) }
        #expect(try library.asset(withLocalIdentifier: asset.id) == edited)
        #expect(try history().chain.first?.current?.key == .sample("new key"))
        #expect(try library.currentChangeToken == token)

        let other = try library.render("after a, better", width: 41, height: 31)
        try change { try $0.replaceRendition(other, kind: .current, ofEdit: edit.identifier) }
        let rerendered = try library.asset(withLocalIdentifier: asset.id)
        #expect(rerendered.modificationDate > edited.modificationDate)
        #expect(rerendered.pixelWidth == 41 && rerendered.generation == edited.generation)
        #expect(try history().states.count == 1)
        let error = try libraryError {
            try change { try $0.replaceRendition(other, kind: .current, ofEdit: "nonsense") }
        }
        #expect(error.code == .noSuchEdit)
    }

    @Test("a rendition whose size or duration could not be read back is rejected")
    func outOfRangeRendition() throws {
        try library.edit(asset.id, recipe: "a", render: "after a")
        let edit = try #require(try history().chain.first)
        let before = try history()
        let values: [(width: Int, height: Int, duration: Double?)] = [
            (-1, 30, nil), (40, .max, nil), (40, 30, -1), (40, 30, .nan), (40, 30, .infinity),
            (40, 30, 1e300),
        ]
        for (width, height, duration) in values {
            let content = RenderedContent(
                blob: try library.render("after a, again").blob, key: .sample("new key"),
                ingredients: Data(), pixelWidth: width, pixelHeight: height, duration: duration,
                format: .jpeg)
            let error = try libraryError {
                try change {
                    try $0.replaceRendition(content, kind: .current, ofEdit: edit.identifier)
                }
            }
            #expect(error.code == .invalidRequest && error.message.contains("out-of-range"))
        }
        #expect(try history() == before)
    }

    @Test("a conflicting edit leaves no file")
    func anEditThatConflictsLeavesNoFile() async throws {
        let first = try library.output(asset.id, recipe: "a", render: "after a")
        let second = try library.output(asset.id, recipe: "b", render: "after b")
        try change { $0.contentEditingOutput = first }
        let error = try libraryError { try change { $0.contentEditingOutput = second } }
        #expect(error.code == .conflict)
        let chain = NewEditChain(
            history: second.input.history, keptCount: 0,
            steps: [NewEditChain.Step(.sample, try .sample("c"))],
            renderedContent: try library.render("after c"))
        let batch = ContentChangeBatch<BatchedItem, AssetHistory> { $1 }
        batch.append(BatchedItem(contentChange: AssetContentChange(replacingEditsWith: chain)))
        let replacing = try await #require(throws: LibraryError.self) {
            try await batch.commit(in: library)
        }
        #expect(replacing.code == .conflict)
        #expect(try library.check().severity == .clean)
    }

    @Test("an edit of an old generation conflicts")
    func anEditOfAnOldGenerationConflicts() throws {
        let first = try library.output(asset.id, recipe: "a", render: "after a")
        let second = try library.output(asset.id, recipe: "b", render: "after b")
        try change { $0.contentEditingOutput = first }
        let error = try libraryError { try change { $0.contentEditingOutput = second } }
        #expect(error.code == .conflict && error.assetIdentifier == asset.id)
        #expect(try recipes() == ["a"])
        // Two edits of one input in one block would lose one of the edits.
        let third = try library.output(asset.id, recipe: "c", render: "after c")
        let both = try libraryError {
            try library.performChanges {
                try AssetChangeRequest(for: third.input.asset).contentEditingOutput = third
                try AssetChangeRequest(for: third.input.asset).contentEditingOutput = third
            }
        }
        #expect(both.code == .conflict)
        #expect(try recipes() == ["a"])
        // An undo for the older generation conflicts too; metadata never does.
        let undo = try libraryError {
            try library.performChanges { try AssetChangeRequest(for: asset).undo() }
        }
        #expect(undo.code == .conflict)
        try library.performChanges { try AssetChangeRequest(for: asset).isFavorite = true }
        #expect(try library.asset(withLocalIdentifier: asset.id).isFavorite)
    }

    @Test("of 8 concurrent edits exactly one wins per generation, through two openings")
    func concurrentEdits() async throws {
        let openings = [library, try temporary.reopen()]
        let id = asset.id
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let library = openings[number % 2]
                group.addTask {
                    while true {
                        do {
                            _ = try library.edit(
                                id, recipe: "edit \(number)", render: "after \(number)")
                            return
                        } catch let error as LibraryError where error.code == .conflict {
                            continue
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let history = try history()
        #expect(history.asset.generation == 8)
        #expect(history.states.count == 8)
        #expect(Set(try recipes()) == Set((0..<8).map { "edit \($0)" }))
        for edit in history.chain {
            let number = String(decoding: edit.adjustmentData.data, as: UTF8.self).last
            #expect(try library.text(edit.current?.blob).last == number)
        }
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("deleting an asset removes all its rows but not its files")
    func deletingForgetsEverythingButTheFiles() throws {
        try library.edit(asset.id, recipe: "a", render: "after a")
        let now = try library.asset(withLocalIdentifier: asset.id)
        try library.performChanges { try AssetChangeRequest.removeAssets([now]) }
        for table in ["asset", "resource", "edit", "state", "rendition"] {
            #expect(try library.count(table) == 0)
        }
        #expect(try library.check().severity == .clean)
        #expect(try library.check().unusedCount == 2)
        #expect(try library.prune().trashedCount == 2)
        #expect(try library.check().unusedCount == 0)
        let error = try libraryError {
            try library.performChanges { try AssetChangeRequest.removeAssets([now]) }
        }
        #expect(error.code == .noSuchAsset)
    }
}
