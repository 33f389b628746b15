// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import Library

@Suite("persistent changes")
struct PersistentChangeTests {
    @Test("K-12 a saved token later yields exactly the changes since")
    func later() throws {
        let temporary = try TemporaryLibrary()
        let ids = try ["1", "2", "3", "4"].map { try temporary.library.importAsset($0).id }
        let text = "\(try temporary.library.currentChangeToken)"
        try temporary.library.close()

        let library = try temporary.reopen()
        let assets = try ids.map { try library.asset(withLocalIdentifier: $0) }
        try library.performChanges { try AssetChangeRequest(for: assets[0]).isHidden = true }
        try library.edit(ids[1], recipe: "r", render: "r")
        try library.performChanges { try AssetChangeRequest.removeAssets([assets[2]]) }
        let new = try library.importAsset("5")
        try library.close()

        let later = try temporary.reopen()
        let token = try #require(ChangeToken(text))
        let changes = try later.fetchPersistentChanges(since: token)
        let details = changes.map { $0.changeDetails(for: .asset) }
        #expect(details.map(\.updatedLocalIdentifiers) == [[ids[0]], [ids[1]], [], []])
        #expect(details.map(\.deletedLocalIdentifiers) == [[], [], [ids[2]], []])
        #expect(details.map(\.insertedLocalIdentifiers) == [[], [], [], [new.id]])
        #expect(
            changes.allSatisfy { $0.changeDetails(for: .collection).updatedLocalIdentifiers == [] })
        #expect(changes.map(\.token) == changes.map(\.token).sorted())
        #expect(try changes.last?.token == later.currentChangeToken)
        #expect(try later.fetchPersistentChanges(since: later.currentChangeToken) == [])
        #expect(changes.allSatisfy { token < $0.token })
    }

    @Test("K-12 assets that are trashed and restored are listed as updated, with their albums")
    func trash() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("1")
        let album = try library.makeAlbum("Album", [asset])
        let token = try library.currentChangeToken
        try library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
        try library.performChanges { try AssetChangeRequest.restoreAssets([asset]) }
        // Neither changes anything a second time.
        try library.performChanges { try AssetChangeRequest.restoreAssets([asset]) }
        try library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        let changes = try library.fetchPersistentChanges(since: token)
        let details = changes.map { $0.changeDetails(for: .asset) }
        #expect(details.map(\.updatedLocalIdentifiers) == [[asset.id], [asset.id], []])
        #expect(details.map(\.deletedLocalIdentifiers) == [[], [], [asset.id]])
        #expect(
            changes.allSatisfy {
                $0.changeDetails(for: .collection).updatedLocalIdentifiers == [album.id]
            })
    }

    @Test("K-13 a token from before a compaction has expired; later ones have not")
    func expiry() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let first = try library.oldestChangeToken
        try library.importAsset("1")
        let middle = try library.currentChangeToken
        try library.importAsset("2")
        #expect(try library.fetchPersistentChanges(since: first).count == 2)
        #expect(try library.forgetChanges(before: .distantPast) == 0)
        let assets = try Asset.fetchAssets(in: library).count
        #expect(try library.forgetChanges(before: .distantFuture) == 2)
        for token in [first, middle] {
            let error = try libraryError { _ = try library.fetchPersistentChanges(since: token) }
            #expect(error.code == .changeTokenExpired)
        }
        let last = try library.currentChangeToken
        #expect(try library.oldestChangeToken == last && middle < last)
        #expect(try library.fetchPersistentChanges(since: last) == [])
        try library.importAsset("3")
        #expect(try library.fetchPersistentChanges(since: last).count == 1)
        #expect(try Asset.fetchAssets(in: library).count == assets + 1)
    }

    @Test("tokens of another library or of the future are rejected")
    func foreign() throws {
        let temporary = try TemporaryLibrary()
        let other = try TemporaryLibrary()
        try temporary.library.importAsset("1")
        let token = try temporary.library.currentChangeToken
        let error = try libraryError { _ = try other.library.fetchPersistentChanges(since: token) }
        #expect(error.code == .invalidChangeToken)
        let future = ChangeToken(number: token.number + 1, library: token.library)
        let second = try libraryError {
            _ = try temporary.library.fetchPersistentChanges(since: future)
        }
        #expect(second.code == .invalidChangeToken)
        for text in ["", "7", "@", "x@\(token.library)", "-1@\(token.library)", "1@nonsense!"] {
            #expect(ChangeToken(text) == nil, "\(text)")
        }
        #expect(ChangeToken("\(token)") == token)
    }
}
