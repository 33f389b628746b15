// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EditingModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Library

@Suite("observers")
struct ObserverTests {
    /// Records the changes that it is notified of.
    private final class Listener: ChangeObserver {
        let changes = Mutex<[Change]>([])
        let isOnMainThread = Mutex(false)
        private let told = DispatchSemaphore(value: 0)

        func photoLibraryDidChange(_ change: Change) {
            if Thread.isMainThread { isOnMainThread.withLock { $0 = true } }
            changes.withLock { $0.append(change) }
            told.signal()
        }

        /// Waits for one more change, for up to the promised ten seconds.
        func wait() -> Bool { told.wait(timeout: .now() + 10) == .success }

        var tokens: [ChangeToken] { changes.withLock { $0.map(\.token) } }
    }

    @Test(
        "O-01 O-03 O-05 M-05 an observer is notified of each commit once, in order"
    )
    func everyCommit() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("before")
        let listener = Listener()
        try library.register(listener)
        try library.register(listener)
        var tokens: [ChangeToken] = []
        for number in 0..<10 {
            tokens.append(
                try library.performChanges {
                    try AssetChangeRequest(for: asset).isFavorite = number % 2 == 0
                })
            // Empty and failing blocks are not reported as changes.
            try library.performChanges {}
            _ = try libraryError {
                try library.performChanges { try AssetChangeRequest(for: asset).undo() }
            }
        }
        for _ in 0..<10 { #expect(listener.wait()) }
        #expect(listener.tokens == tokens)
        let items = listener.changes.withLock { $0.flatMap(\.items) }
        #expect(items.allSatisfy { $0.identifier == asset.id && $0.kind == .updated })
        #expect(items.allSatisfy { $0.isMetadataChange && !$0.isContentChange })

        library.unregister(listener)
        try library.performChanges { try AssetChangeRequest(for: asset).isHidden = true }
        let other = Listener()
        try library.register(other)
        try library.performChanges { try AssetChangeRequest(for: asset).isHidden = false }
        #expect(other.wait())
        #expect(listener.tokens.count == 10 && other.tokens.count == 1)
    }

    @Test("O-03 an observer is held weakly, and its release is harmless")
    func weakness() throws {
        let temporary = try TemporaryLibrary()
        weak var gone: Listener?
        do {
            let listener = Listener()
            gone = listener
            try temporary.library.register(listener)
        }
        #expect(gone == nil)
        let stays = Listener()
        try temporary.library.register(stays)
        try temporary.library.importAsset("a")
        #expect(stays.wait())
    }

    @Test(
        "O-02 K-14 a commit of another process is notified in time and can be fetched by token"
    )
    func otherProcess() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let listener = Listener()
        try library.register(listener)
        let before = try library.currentChangeToken
        let file = temporary.folder + "/picture.jpg"
        try Data("a photo".utf8).write(to: URL(fileURLWithPath: file))
        let result = try runProgram(DriverStage.driver, [temporary.path, "import", file])
        #expect(result.status == 0, "\(result)")
        #expect(listener.wait())
        let asset = try #require(try Asset.fetchAssets(in: library).first)
        let fetched = try library.fetchPersistentChanges(since: before)
        #expect(fetched.map(\.token) == listener.tokens)
        #expect(
            fetched.first?.changeDetails(for: .asset).insertedLocalIdentifiers == [asset.id])
    }

    @Test("O-02 a change whose writer died before the wake is still notified")
    func noWakeByte() throws {
        let temporary = try TemporaryLibrary()
        let writer = try temporary.reopen()
        // A folder in its place makes writing the byte impossible.
        try? FileManager.default.removeItem(atPath: temporary.library.layout.wake)
        try FileManager.default.createDirectory(
            atPath: temporary.library.layout.wake, withIntermediateDirectories: false)
        let listener = Listener()
        try temporary.library.register(listener)
        try writer.importAsset("a")
        #expect(listener.wait())
        #expect(listener.tokens.count == 1)
    }

    @Test("O-06 observers are called off the main thread and concurrently")
    func threads() throws {
        /// Returns only after the other observer has been called too.
        final class Partner: ChangeObserver {
            let mine = DispatchSemaphore(value: 0)
            let met = DispatchSemaphore(value: 0)
            let others: DispatchSemaphore
            let isOnMainThread = Mutex(false)
            init(_ others: DispatchSemaphore) { self.others = others }
            func photoLibraryDidChange(_ change: Change) {
                isOnMainThread.withLock { $0 = Thread.isMainThread }
                mine.signal()
                if others.wait(timeout: .now() + 60) == .success { met.signal() }
            }
        }
        let temporary = try TemporaryLibrary()
        let gate = DispatchSemaphore(value: 0)
        let first = Partner(gate)
        let second = Partner(first.mine)
        try temporary.library.register(first)
        try temporary.library.register(second)
        try temporary.library.importAsset("a")
        #expect(second.met.wait(timeout: .now() + 60) == .success)
        // The first observer is still in its call, waiting for this one.
        gate.signal()
        #expect(first.met.wait(timeout: .now() + 60) == .success)
        #expect(!first.isOnMainThread.withLock { $0 } && !second.isOnMainThread.withLock { $0 })
    }

    @Test("O-03 an observer can unregister itself during a call")
    func unregisteringInside() throws {
        final class Once: ChangeObserver {
            let calls = Mutex(0)
            let told = DispatchSemaphore(value: 0)
            func photoLibraryDidChange(_ change: Change) {
                change.library.unregister(self)
                calls.withLock { $0 += 1 }
                told.signal()
            }
        }
        let temporary = try TemporaryLibrary()
        let once = Once()
        let other = Listener()
        try temporary.library.register(once)
        try temporary.library.register(other)
        for text in ["a", "b", "c"] { try temporary.library.importAsset(text) }
        for _ in 0..<3 { #expect(other.wait()) }
        #expect(once.told.wait(timeout: .now() + 60) == .success)
        #expect(once.calls.withLock { $0 } == 1)
    }

    @Test("O-03 observers can unregister each other during their calls")
    func unregisteringEachOther() throws {
        final class Rival: ChangeObserver {
            let isTold = DispatchSemaphore(value: 0)
            let isDone = DispatchSemaphore(value: 0)
            let calls = Mutex(0)
            let other = Mutex<Rival?>(nil)
            func photoLibraryDidChange(_ change: Change) {
                calls.withLock { $0 += 1 }
                guard let other = other.withLock({ $0 }) else { return }
                other.isTold.signal()
                guard isTold.wait(timeout: .now() + 60) == .success else { return }
                change.library.unregister(other)
                isDone.signal()
            }
        }
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let (first, second) = (Rival(), Rival())
        first.other.withLock { $0 = second }
        second.other.withLock { $0 = first }
        defer { first.other.withLock { $0 = nil } }
        try library.register(first)
        try library.register(second)
        try library.importAsset("a")
        #expect(first.isDone.wait(timeout: .now() + 60) == .success)
        #expect(second.isDone.wait(timeout: .now() + 60) == .success)
        let listener = Listener()
        try library.register(listener)
        try library.importAsset("b")
        #expect(listener.wait())
        #expect(first.calls.withLock { $0 } == 1 && second.calls.withLock { $0 } == 1)
    }

    /// Returns whether a sequence ends within a minute.
    private static func ends(_ changes: AsyncStream<Change>) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in changes {}
                return !Task.isCancelled
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(60))
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    @Test("sequences of changes end when the library is closed or released")
    func endOfSequence() async throws {
        let temporary = try TemporaryLibrary()
        let library = try temporary.reopen()
        let waiting = try library.changes()
        let untouched = try library.changes()
        try library.importAsset("a")
        for await _ in waiting { break }
        async let isEnded = Self.ends(waiting)
        try library.close()
        #expect(await isEnded)
        #expect(await Self.ends(untouched))
        #expect(throws: LibraryError.self) { _ = try library.changes() }
        let abandoned = try temporary.reopen().changes()
        #expect(await Self.ends(abandoned))
    }

    @Test("O-01 changes are also an async sequence")
    func sequence() async throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let changes = try library.changes()
        let ids = try ["a", "b", "c"].map { try library.importAsset($0).id }
        var seen: [String] = []
        for await change in changes {
            seen += change.items.map(\.identifier)
            if seen.count == 3 { break }
        }
        #expect(seen == ids)
    }

    @Test("O-04 O-07 O-08 details of fetched objects equal a fresh fetch, and are nil for others")
    func objectDetails() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let (edited, favorite, gone, still) = (
            try library.importAsset("1"), try library.importAsset("2"),
            try library.importAsset("3"), try library.importAsset("4")
        )
        let listener = Listener()
        try library.register(listener)
        let output = try library.output(edited.id, recipe: "r", render: "r", width: 7, height: 5)
        try library.performChanges {
            try AssetChangeRequest(for: edited).contentEditingOutput = output
            try AssetChangeRequest(for: favorite).isFavorite = true
            try AssetChangeRequest.removeAssets([gone])
        }
        #expect(listener.wait())
        let change = try #require(listener.changes.withLock { $0.first })
        let content = try #require(try change.changeDetails(for: edited))
        #expect(content.objectBeforeChanges == edited && content.assetContentChanged)
        #expect(content.objectAfterChanges == (try library.asset(withLocalIdentifier: edited.id)))
        #expect(content.objectAfterChanges?.pixelWidth == 7 && !content.objectWasDeleted)
        let metadata = try #require(try change.changeDetails(for: favorite))
        #expect(metadata.objectAfterChanges?.isFavorite == true && !metadata.assetContentChanged)
        let removal = try #require(try change.changeDetails(for: gone))
        #expect(removal.objectWasDeleted && removal.objectAfterChanges == nil)
        #expect(try change.changeDetails(for: still) == nil)
    }
}
