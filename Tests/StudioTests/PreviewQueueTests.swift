// SPDX-License-Identifier: Apache-2.0

import EditHost
import Synchronization
import TestSupport
import Testing

@testable import Studio

@Suite("the queue of previews")
struct PreviewQueueTests {
    /// What the bodies have done, and a gate that the first one waits for.
    private final class Record: Sendable {
        private let state = Mutex<(entered: [Int], isOpen: Bool)>(([], false))

        var entered: [Int] { state.withLock { $0.entered } }

        func enter(_ number: Int) { state.withLock { $0.entered.append(number) } }

        func open() { state.withLock { $0.isOpen = true } }

        func waitUntilOpen() async throws {
            try await waitUntil("the gate is open") { state.withLock { $0.isOpen } }
        }
    }

    private let previews = PreviewQueue()
    private let record = Record()

    /// Starts a preview, and returns the code of the error that it throws.
    private func start(
        _ revision: Int?, as number: Int, waits: Bool = false
    ) -> Task<String?, any Error> {
        Task { [previews, record] in
            do {
                try await previews.run(revision) {
                    record.enter(number)
                    if waits { try await record.waitUntilOpen() }
                }
                return nil
            } catch let error as StudioError {
                return error.code.rawValue
            } catch let error as HostError {
                return error.code.rawValue
            }
        }
    }

    @Test("with two in flight, an older revision is rejected at once and the newest is the last")
    func order() async throws {
        let first = start(1, as: 1, waits: true)
        try await waitUntil("the first is rendered") { record.entered == [1] }
        let second = start(2, as: 2)
        // The second waits until the third replaces it, or is older than that when it arrives.
        let third = start(3, as: 3)
        #expect(try await second.value == "superseded")
        #expect(try await start(2, as: 20).value == "superseded")
        record.open()
        #expect(try await first.value == nil)
        #expect(try await third.value == nil)
        #expect(record.entered == [1, 3])
        #expect(try await start(2, as: 21).value == "superseded")
        #expect(try await start(3, as: 30).value == nil)
        #expect(record.entered == [1, 3, 30])
    }

    @Test("thumbnails wait for numbered previews")
    func thumbnails() async throws {
        let thumbnail = start(nil, as: 1, waits: true)
        try await waitUntil("the first is rendered") { record.entered == [1] }
        let others = [start(nil, as: 2), start(nil, as: 2)]
        let preview = start(7, as: 7)
        // The preview may be the last to arrive, but not the last to be rendered.
        try await waitUntil("the preview has arrived") {
            previews.newestRevision == 7
        }
        record.open()
        #expect(try await thumbnail.value == nil)
        #expect(try await preview.value == nil)
        for other in others { #expect(try await other.value == nil) }
        #expect(Array(record.entered.prefix(2)) == [1, 7])
        #expect(record.entered.count == 4)
    }

    @Test("the end rejects waiting previews, and waits for the one that is rendered")
    func end() async throws {
        let first = start(1, as: 1, waits: true)
        try await waitUntil("the first is rendered") { record.entered == [1] }
        let second = start(2, as: 2)
        try await waitUntil("the second has arrived") { previews.newestRevision == 2 }
        let end = Task { [previews, record] in try await previews.runLast { record.enter(9) } }
        #expect(try await second.value == "sessionEnded")
        record.open()
        #expect(try await first.value == nil)
        try await end.value
        #expect(record.entered == [1, 9])
        #expect(try await start(3, as: 3).value == "sessionEnded")
        previews.reopen()
        #expect(try await start(3, as: 3).value == nil)
    }
}
