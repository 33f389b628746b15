// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Edits of an asset are reordered, removed, or copied to other assets.
@Suite("changes to edit chains")
struct EditChainTests {
    private let studio: TestStudio
    private let picture = TestPicture.gradient(width: 64, height: 48)
        .mapped { 100 + $0 / 8 }

    init() throws {
        studio = try TestStudio(extensions: {
            try TestExtension.buildAdder(in: $0)
            try ThirdPartyTests.buildInvert($0)
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("CropRotate", in: $0)
        })
    }

    /// An asset with three edits: add 20, invert, add 3.
    private func edited() async throws -> String {
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "20"])
        try await studio.edit(asset, "invert")
        try await studio.edit(asset, "adder", ["amount": "3"])
        #expect(try studio.current(asset) == picture.adding(20).inverted.adding(3))
        return asset
    }

    private func authors(_ asset: String) throws -> [String] {
        try studio.library.history(ofAsset: asset).chain.map {
            $0.editingExtension?.identifier.split(separator: ".").last.map(String.init) ?? "-"
        }
    }

    @Test("a moved edit gives the same result as fresh steps; undo restores the order")
    func moved() async throws {
        let asset = try await edited()
        let before = try studio.library.history(ofAsset: asset)
        let result = try await studio.host.moveEdit(at: 2, to: 1, of: asset, in: studio.library)
        #expect(result.hasChanged && result.history.position == before.position + 1)
        #expect(try authors(asset) == ["invert", "adder", "adder"])
        #expect(try studio.current(asset) == picture.inverted.adding(20).adding(3))
        let other = try await studio.add(picture.mapped { $0 })
        #expect(other == asset)
        _ = try await studio.host.undo(asset, in: studio.library)
        #expect(try studio.library.history(ofAsset: asset).chain == before.chain)
        #expect(try studio.current(asset) == picture.adding(20).inverted.adding(3))
        _ = try await studio.host.redo(asset, in: studio.library)
        #expect(try studio.current(asset) == picture.inverted.adding(20).adding(3))
        let same = try await studio.host.moveEdit(at: 2, to: 2, of: asset, in: studio.library)
        #expect(!same.hasChanged && same.history.position == result.history.position)
        try await studio.host.rerender([asset], in: studio.library, jobs: 1) {
            #expect($0.status == .upToDate, "\($0)")
        }
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("removing edits re-applies the remaining ones")
    func removed() async throws {
        let asset = try await edited()
        let second = try studio.library.history(ofAsset: asset).chain[1]
        // The rendition of the remaining edits already exists.
        let last = try await studio.host.removeEdits(at: [3], of: asset, in: studio.library)
        #expect(last.history.chain.last?.identifier == second.identifier)
        #expect(try studio.current(asset) == picture.adding(20).inverted)
        _ = try await studio.host.removeEdits(at: [1], of: asset, in: studio.library)
        #expect(try authors(asset) == ["invert"])
        #expect(try studio.current(asset) == picture.inverted)
        for places: Set<Int> in [[1], [0], [2], [1, 7]] {
            await #expect(throws: HostError.self) {
                try await studio.host.removeEdits(at: places, of: asset, in: studio.library)
            }
        }
        #expect(try studio.library.history(ofAsset: asset).position == 5)
        // After a prune, earlier states are re-rendered.
        _ = try await studio.host.undo(asset, in: studio.library)
        _ = try studio.host.prune(studio.library, keep: 0)
        _ = try await studio.host.undo(asset, in: studio.library)
        #expect(try studio.current(asset) == picture.adding(20).inverted.adding(3))
        _ = try await studio.host.redo(asset, in: studio.library)
        #expect(try studio.current(asset) == picture.adding(20).inverted)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("edits are copied on top of others, or instead of them, as one change")
    func copied() async throws {
        let source = try await edited()
        let others = [picture.mapped { $0 - 7 }, picture.mapped { $0 - 9 }]
        var targets: [String] = []
        for other in others { targets.append(try await studio.add(other)) }
        try await studio.edit(targets[1], "adder", ["amount": "5"])
        let token = try studio.library.currentChangeToken
        let results = try await studio.host.applyEdits(
            of: .asset(source), to: targets + [source], in: studio.library)
        #expect(results.map(\.history.asset.localIdentifier) == targets)
        #expect(results.allSatisfy { $0.hasChanged && $0.warnings.isEmpty })
        #expect(try studio.library.fetchPersistentChanges(since: token).count == 1)
        #expect(try studio.current(targets[0]) == others[0].adding(20).inverted.adding(3))
        #expect(
            try studio.current(targets[1]) == others[1].adding(5).adding(20).inverted.adding(3))

        var options = EditCopyOptions()
        options.replacesEdits = true
        options.extensionNames = ["invert"]
        let replaced = try await studio.host.applyEdits(
            of: .asset(source), to: targets, options, in: studio.library)
        #expect(replaced.allSatisfy { $0.hasChanged && $0.history.chain.count == 1 })
        #expect(try studio.current(targets[1]) == others[1].inverted)
        let again = try await studio.host.applyEdits(
            of: .asset(source), to: targets, options, in: studio.library)
        #expect(again.allSatisfy { !$0.hasChanged })
        // Each copy is one step of the history.
        _ = try await studio.host.undo(targets, in: studio.library)
        #expect(try studio.current(targets[0]) == others[0].adding(20).inverted.adding(3))
        _ = try await studio.host.undo(targets, in: studio.library)
        #expect(try studio.current(targets[1]) == others[1].adding(5))
        #expect(try studio.library.history(ofAsset: targets[0]).position == 0)
        await studio.host.shutDown()
    }

    @Test("edits that cannot be copied are reported and nothing changes")
    func refused() async throws {
        let source = try await edited()
        let target = try await studio.add(picture.mapped { $0 - 7 })
        let plain = try await studio.add(picture.mapped { $0 - 8 })
        await #expect(throws: HostError.self) {
            try await studio.host.applyEdits(of: .asset(plain), to: [target], in: studio.library)
        }
        var options = EditCopyOptions()
        options.extensionNames = ["sepia"]
        let none = await #expect(throws: HostError.self) {
            try await studio.host.applyEdits(
                of: .asset(source), to: [target], options, in: studio.library)
        }
        #expect(none?.message.contains("no edit with sepia") == true)
        let missing = "ffffffff-0000-0000-0000-000000000000"
        await #expect(throws: (any Error).self) {
            try await studio.host.applyEdits(
                of: .asset(source), to: [target, missing], in: studio.library)
        }
        // The extension of an edit is missing.
        try FileManager.default.removeItem(
            atPath: "\(studio.extensions)/Invert.editingextension")
        let host = try studio.otherHost(trusted: true)
        let error = await #expect(throws: HostError.self) {
            try await host.applyEdits(of: .asset(source), to: [target], in: studio.library)
        }
        #expect(error?.description.contains("invert") == true, "\(error as Any)")
        #expect(try studio.library.history(ofAsset: target).states.isEmpty)
        // Its edit cannot be moved, but it can be removed.
        await #expect(throws: HostError.self) {
            try await host.moveEdit(at: 2, to: 3, of: source, in: studio.library)
        }
        let removed = try await host.removeEdits(at: [2], of: source, in: studio.library)
        #expect(removed.history.chain.count == 2)
        #expect(try studio.current(source) == picture.adding(23))
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("a Live Photo gets copied edits in still and motion, or in the still alone")
    func live() async throws {
        let (still, motion) = (studio.folder.file("a.jpg"), studio.folder.file("a.mov"))
        let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892E"
        try TestLivePhoto.makeStill(still, identifier)
        try TestLivePhoto.makeVideo(motion, identifier)
        var found: String?
        try await studio.host.importPhotos(at: [still, motion], into: studio.library) {
            found = $0.assetIdentifier
        }
        let live = try #require(found)
        let source = try await studio.add(picture)
        try await studio.edit(source, "sepia")
        let result = try await studio.host.applyEdits(
            of: .asset(source), to: [live], in: studio.library)
        #expect(result[0].history.hasMotion && result[0].history.chain.count == 1)
        let resources = try AssetResource.assetResources(
            for: result[0].history.asset, in: studio.library)
        let video = try #require(resources.first { $0.type == .fullSizePairedVideo }?.blob)
        #expect(try TestVideo.times(studio.blobPath(video)) == TestVideo.times(motion))
        // The same edits of the still alone are a change.
        for stillOnly in [true, false] {
            var replacing = EditCopyOptions()
            replacing.replacesEdits = true
            replacing.stillOnly = stillOnly
            for isNew in [true, false] {
                let replaced = try await studio.host.applyEdits(
                    of: .asset(source), to: [live], replacing, in: studio.library)
                #expect(replaced[0].hasChanged == isNew)
                #expect(replaced[0].history.hasMotion == !stillOnly)
            }
        }
        // Edits that are already there are not added again, unless they have another extent.
        for (stillOnly, isNew) in [(false, false), (true, true), (true, false)] {
            var options = EditCopyOptions()
            options.stillOnly = stillOnly
            let added = try await studio.host.applyEdits(
                of: .asset(source), to: [live], options, in: studio.library)
            #expect(added[0].hasChanged == isNew)
        }
        let back = try await studio.host.undo(live, in: studio.library)
        #expect(back.history.hasMotion && back.history.chain.count == 1)
        // If only the motion has to be re-rendered, the asset has the size of its still.
        try await studio.edit(live, "croprotate", ["turns": "1"])
        #expect(unlink(studio.blobPath(video)) == 0)
        let removed = try await studio.host.removeEdits(at: [2], of: live, in: studio.library)
        #expect(removed.history.chain.count == 1 && removed.history.hasMotion)
        #expect(removed.history.asset.pixelWidth == 160)
        #expect(removed.history.asset.pixelHeight == 120)
        #expect(FileManager.default.fileExists(atPath: studio.blobPath(video)))
        // An extension without video support requires the `stillOnly` option.
        try await studio.edit(source, "adder", ["amount": "3"])
        let error = await #expect(throws: HostError.self) {
            try await studio.host.applyEdits(of: .asset(source), to: [live], in: studio.library)
        }
        #expect(error?.code == .unsupportedMediaType)
        var options = EditCopyOptions()
        options.stillOnly = true
        let alone = try await studio.host.applyEdits(
            of: .asset(source), to: [live], options, in: studio.library)
        #expect(!alone[0].history.hasMotion && alone[0].history.chain.count == 3)
        _ = try await studio.host.undo(live, in: studio.library)
        #expect(try studio.library.history(ofAsset: live).hasMotion)
        await studio.host.shutDown()
    }
}

extension TestPicture {
    fileprivate var inverted: TestPicture { mapped { 255 - $0 } }
}
