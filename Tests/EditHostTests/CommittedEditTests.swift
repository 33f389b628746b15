// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// The results that commits return.
@Suite("committed edits")
struct CommittedEditTests {
    @Test("concurrent edits that are committed each return their own identifier")
    func concurrent() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let other = try studio.otherHost()
        let results = await withTaskGroup(of: Result<EditResult?, any Error>.self) { group in
            for number in 1...12 {
                let host = number % 2 == 0 ? studio.host : other
                group.addTask {
                    let request = EditRequest(
                        extensionName: "adder", values: ["amount": "\(number)"])
                    do {
                        return .success(
                            try await host.edit([asset], request, in: studio.library).first)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: [Result<EditResult?, any Error>]()) { $0.append($1) }
        }
        var (committed, failures): ([EditResult], [any Error]) = ([], [])
        for result in results {
            switch result {
            case .success(let edit): committed.append(try #require(edit))
            case .failure(let error): failures.append(error)
            }
        }
        // The first commit always succeeds; others may conflict with it.
        #expect(failures.allSatisfy { ($0 as? LibraryError)?.code == .conflict }, "\(failures)")
        #expect(committed.allSatisfy { $0.status == .committed })
        let identifiers = committed.compactMap(\.editIdentifier)
        #expect(!identifiers.isEmpty && Set(identifiers).count == committed.count)
        let last = try #require(try studio.library.history(ofAsset: asset).chain.last)
        let result = try #require(committed.first { $0.editIdentifier == last.identifier })
        #expect(result.rendition == last.current?.blob)
        await other.shutDown()
        await studio.host.shutDown()
    }

    @Test(
        "a request returns its edit if appended, reopened or unchanged, and none if it failed"
    )
    func request() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let file = try TestPicture.gradient(seed: 3).encoded("jpeg")
        let first = try await studio.apply(file, as: .jpeg, to: asset)
        let chain = try studio.library.history(ofAsset: asset).chain
        #expect(first.committedEditIdentifier == chain.last?.identifier)
        let same = try await studio.apply(file, as: .jpeg, to: asset, canHandle: true)
        #expect(same.isUnchanged && same.committedEditIdentifier == chain.last?.identifier)
        let stale = try await studio.host.prepare(
            studio.output(asset, file, as: .jpeg), in: studio.library)
        let second = try await studio.apply(file, as: .jpeg, to: asset, recipe: "y")
        let made = Mutex<AssetChangeRequest?>(nil)
        #expect(throws: LibraryError.self) {
            try studio.library.performChanges {
                let request = try AssetChangeRequest(for: stale.input.asset)
                request.contentEditingOutput = stale
                made.withLock { $0 = request }
            }
        }
        #expect(made.withLock { $0?.committedEditIdentifier } == nil)
        let now = try studio.library.history(ofAsset: asset).chain
        #expect(second.committedEditIdentifier == now.last?.identifier)
        #expect(first.committedEditIdentifier == now.first?.identifier)
        await studio.host.shutDown()
    }

    @Test("undo, redo and revert return the resulting position of the photo")
    func moves() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let edit = try await studio.edit(asset).editIdentifier
        let undone = try await studio.host.undo(asset, in: studio.library)
        #expect(undone.history.position == 0 && undone.history.chain.isEmpty)
        let redone = try await studio.host.redo(asset, in: studio.library)
        #expect(redone.history.chain.map(\.identifier) == [edit])
        #expect(redone.history == (try studio.library.history(ofAsset: asset)))
        let reverted = try await studio.host.revert([asset], in: studio.library)
        #expect(reverted.map(\.history) == [try studio.library.history(ofAsset: asset)])
        await studio.host.shutDown()
    }
}
