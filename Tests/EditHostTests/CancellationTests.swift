// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing

/// Cancellation of edits in flight.
@Suite("cancellation")
struct CancellationTests {
    @Test("C-09 C-17 a cancel at thirty moments commits all or nothing, and the next edit works")
    func randomMoments() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient(width: 400, height: 300)
        let asset = try await studio.add(picture)
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        for round in 0..<30 {
            let states = try studio.library.history(ofAsset: asset).states.count
            let cancellation = EditCancellation()
            // In every tenth round the plug-in waits to be cancelled.
            let waits = round % 10 == 0
            let mode = waits ? "wait" : ["plain", "later"].randomElement(using: &random) ?? "plain"
            let request = EditRequest(
                extensionName: "adder", values: ["amount": "\(round)", "mode": mode])
            let delay = Int.random(in: 0...60, using: &random)
            async let results = studio.host.edit(
                [asset], request, in: studio.library, cancellation: cancellation)
            try await Task.sleep(for: .milliseconds(delay))
            await cancellation.cancel()
            let isDone: Bool
            do {
                isDone = try await results[0].status == .committed
            } catch let error as HostError {
                #expect(error.code == .cancelled, "\(error), seed \(seed), round \(round)")
                isDone = false
            }
            #expect(!(waits && isDone), "seed \(seed), round \(round)")
            let now = try studio.library.history(ofAsset: asset).states.count
            #expect(now == states + (isDone ? 1 : 0), "seed \(seed), round \(round)")
        }
        try await studio.edit(asset, "adder", ["amount": "99", "mode": "plain"])
        #expect(try studio.current(asset) == picture.adding(99))
        await studio.host.shutDown()
    }

    @Test("C-17 a completion called after the cancel is discarded and logged")
    func completion() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let token = try studio.library.currentChangeToken
        let cancellation = EditCancellation()
        let edit = Task {
            // It makes its output, waits to be cancelled, and then completes.
            try await studio.host.edit(
                [asset], EditRequest(extensionName: "adder", values: ["mode": "wait-with-image"]),
                in: studio.library, cancellation: cancellation)
        }
        try await studio.log.wait { $0.hasSuffix("waits") }
        await cancellation.cancel()
        let error = await #expect(throws: HostError.self) { try await edit.value }
        #expect(error?.code == .cancelled)
        #expect(try studio.library.currentChangeToken == token)
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        #expect(
            studio.log.lines.contains {
                $0.contains("org.example.adder") && $0.contains("after cancel")
            }, "\(studio.log.lines)")
        try await studio.edit(asset, "adder", ["amount": "1", "mode": "plain"])
        #expect(try studio.current(asset) == picture.adding(1))
        await studio.host.shutDown()
    }

    @Test("an edit whose task is cancelled reports that and does not blame the extension")
    func task() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let task = Task {
            try await studio.host.edit(
                [asset], EditRequest(extensionName: "adder", values: ["mode": "wait"]),
                in: studio.library)
        }
        try await studio.log.wait { $0.hasSuffix("waits") }
        task.cancel()
        let error = await #expect(throws: HostError.self) { try await task.value }
        #expect(error?.code == .cancelled, "\(String(describing: error))")
        #expect(error?.extensionIdentifier == nil)
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        await studio.host.shutDown()
    }

    @Test("a cancel before the edit begins commits nothing")
    func before() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let cancellation = EditCancellation()
        await cancellation.cancel()
        let error = await #expect(throws: HostError.self) {
            try await studio.host.edit(
                [asset], EditRequest(extensionName: "adder"), in: studio.library,
                cancellation: cancellation)
        }
        #expect(error?.code == .cancelled)
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        await studio.host.shutDown()
    }
}
