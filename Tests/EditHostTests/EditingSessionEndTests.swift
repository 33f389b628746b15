// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Glibc
import Library
import TestSupport
import Testing

/// The end of editing sessions, and concurrent work.
@Suite("ends of editing sessions")
struct EditingSessionEndTests {
    /// The code of the error that a call throws.
    private func code(
        of call: @Sendable () async throws -> Void
    ) async throws -> HostError.Code? {
        do {
            try await call()
            return nil
        } catch let error as HostError {
            return error.code
        }
    }

    @Test("C-08 calls after the end report it; of two concurrent finishes, one succeeds")
    func afterTheEnd() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let session = try await studio.open(asset, ["amount": "4"])
        async let first = code { _ = try await session.finish() }
        async let second = code { _ = try await session.finish() }
        let codes = try await [first, second]
        #expect(codes.contains(nil) && codes.contains(.sessionEnded), "\(codes)")
        #expect(try studio.current(asset) == picture.adding(4))
        #expect(try studio.library.history(ofAsset: asset).states.count == 1)
        #expect(studio.host.openEditingSessions == 0)
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await session.preview() },
            { _ = try await session.setParameters(["amount": .number(1)]) },
            { _ = try await session.encodedPreview(as: .jpeg) },
            { _ = try await session.finish() },
        ]
        for call in calls { #expect(try await code(of: call) == .sessionEnded) }
        #expect(await !session.shouldShowCancelConfirmation())
        await session.cancel()
        #expect(session.parameters["amount"]?.asDouble == 4)
        #expect(try studio.current(asset) == picture.adding(4))
        await studio.host.shutDown()
    }

    @Test("an invalid value changes nothing, and the session continues")
    func badValue() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let session = try await studio.open(asset, ["amount": "4"])
        for values: [String: ParameterValue] in [
            ["amount": .number(1000)], ["amount": .string("much")], ["nothing": .number(1)],
        ] {
            #expect(
                try await code { _ = try await session.setParameters(values) } == .badParameter)
        }
        #expect(try await session.preview().picture == picture.adding(4))
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("calls from many threads run in sequence", arguments: [true, false])
    func threads(isTrusted: Bool) async throws {
        let studio = try TestStudio(trusted: isTrusted)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let session = try await studio.open(asset, ["amount": "0"])
        let possible = (0..<10).map { picture.adding($0) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for turn in 0..<30 {
                group.addTask {
                    if turn % 3 == 0 {
                        try await session.setParameters(["amount": .number(Double(turn / 3))])
                        return true
                    }
                    let found =
                        turn % 3 == 1
                        ? try await session.preview().picture
                        : try TestPicture(decoding: try await session.encodedPreview(as: .png))
                    return possible.contains(found)
                }
            }
            for try await isFine in group { #expect(isFine) }
        }
        _ = try await session.finish()
        #expect(possible.contains(try studio.current(asset)))
        await studio.host.shutDown()
    }

    @Test("a change by another process is a conflict, and nothing is committed")
    func conflict() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let session = try await studio.open(asset, ["amount": "4"])
        _ = try await session.preview()
        let other = try PhotoLibrary.open(at: studio.library.path)
        let host = try studio.otherHost()
        _ = try await host.edit(
            [asset], EditRequest(extensionName: "adder", values: ["amount": "50"]), in: other)
        let error = await #expect(throws: LibraryError.self) { try await session.finish() }
        #expect(error?.code == .conflict)
        #expect(try studio.current(asset) == picture.adding(50))
        #expect(try studio.library.history(ofAsset: asset).states.count == 1)
        #expect(try await code { _ = try await session.preview() } == .sessionEnded)
        // A new session starts from the current state and accepts the old values.
        let again = try await studio.open(asset)
        try await again.setParameters(session.parameters)
        _ = try await again.finish()
        #expect(try studio.current(asset) == picture.adding(4))
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("a referenced original that was modified is detected", arguments: [true, false])
    func referenced(isTrusted: Bool) async throws {
        let studio = try TestStudio(trusted: isTrusted)
        let path = try studio.folder.write(TestPicture.gradient().encoded(), to: "away.png")
        var imported: String?
        try await studio.host.importPhotos(at: [path], into: studio.library, by: .reference) {
            imported = $0.assetIdentifier
        }
        let asset = try #require(imported)
        let session = try await studio.open(asset)
        _ = try await session.preview()
        try TestPicture.gradient(seed: 3).encoded().write(to: URL(fileURLWithPath: path))
        let error = await #expect(throws: LibraryError.self) { try await session.finish() }
        #expect(error?.code == .referencedFileChanged)
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        await studio.host.shutDown()
    }

    @Test(
        "C-17 a cancel stops work in flight, and nothing is committed",
        arguments: ["wait-preview", "wait", "wait-with-image"], [true, false])
    func cancel(mode: String, isTrusted: Bool) async throws {
        let studio = try TestStudio(trusted: isTrusted)
        let asset = try await studio.add(.gradient())
        let session = try await studio.open(asset, ["mode": mode])
        let call = Task {
            try await code {
                if mode == "wait-preview" {
                    _ = try await session.preview()
                } else {
                    _ = try await session.finish()
                }
            }
        }
        try await studio.log.wait { $0.hasSuffix("waits") }
        let waiting = Task { try await code { _ = try await session.preview() } }
        await session.cancel()
        #expect(try await call.value == .cancelled)
        #expect([.cancelled, .sessionEnded].contains(try await waiting.value))
        #expect(try await code { _ = try await session.finish() } != nil)
        #expect(studio.host.openEditingSessions == 0)
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        await studio.host.shutDown()
    }

    @Test("C-18 the cancel confirmation is queried while the session continues")
    func confirmation() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        for (mode, isAsking) in [("plain", false), ("asking", true)] {
            let session = try await studio.open(asset, ["mode": mode])
            #expect(await session.shouldShowCancelConfirmation() == isAsking, "\(mode)")
            #expect(try await session.preview().picture == TestPicture.gradient().adding(10))
            await session.cancel()
            #expect(await !session.shouldShowCancelConfirmation(), "\(mode)")
        }
        await studio.host.shutDown()
    }

    @Test(
        "a killed runner ends only its own session, with an error",
        arguments: [true, false])
    func killed(isTrusted: Bool) async throws {
        let studio = try TestStudio(trusted: isTrusted)
        let asset = try await studio.add(.gradient())
        let other = try await studio.open(asset)
        let session = try await studio.open(asset)
        try await session.setParameters(["mode": .string("crash-preview")])
        #expect(try await code { _ = try await session.preview() } == .extensionFailed)
        #expect(try await code { _ = try await session.preview() } == .sessionEnded)
        #expect(try await code { _ = try await session.finish() } == .sessionEnded)
        #expect(studio.host.openEditingSessions == 1)
        #expect(try await other.preview().picture == TestPicture.gradient().adding(10))
        // Killed from outside, between requests.
        for runner in studio.log.startedRunners { kill(runner, SIGKILL) }
        let found = try await code { _ = try await other.preview() }
        #expect(found == .runnerFailed || found == .extensionFailed, "\(String(describing: found))")
        #expect(studio.host.openEditingSessions == 0)
        await studio.host.shutDown()
    }

    @Test("a released session returns its runner")
    func dropped() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        for _ in 0..<3 { _ = try await studio.open(asset) }
        try await waitUntil("no session is open") { studio.host.openEditingSessions == 0 }
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        await studio.host.shutDown()
    }

    @Test("open sessions do not block edits, and their number is bounded")
    func limit() async throws {
        let studio = try TestStudio(configure: {
            $0.runnerLimit = 1
            $0.editingSessionLimit = 3
        })
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let edited = try await studio.add(.gradient(seed: 5))
        var sessions: [EditingSession] = []
        for _ in 0..<3 { sessions.append(try await studio.open(asset)) }
        #expect(try await code { _ = try await studio.open(asset) } == .tooManySessions)
        try await studio.edit(edited, "adder", ["amount": "3"])
        #expect(try studio.current(edited) == TestPicture.gradient(seed: 5).adding(3))
        for session in sessions {
            #expect(try await session.preview().picture == picture.adding(10))
        }
        let last = sessions.removeLast()
        await last.cancel()
        // A missing asset does not count towards the limit.
        await #expect(throws: LibraryError.self) { try await studio.open("nobody") }
        sessions.append(try await studio.open(asset))
        #expect(studio.host.openEditingSessions == 3)
        // Shutting down the host ends its sessions.
        await studio.host.shutDown()
        #expect(studio.host.openEditingSessions == 0)
        let first = sessions[0]
        #expect(try await code { _ = try await first.preview() } == .cancelled)
    }

    @Test("a preview whose task is cancelled does not end the session")
    func cancelledTask() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let session = try await studio.open(asset, ["mode": "slow-preview"])
        let preview = Task { _ = try await session.preview() }
        try await studio.log.wait { $0.hasSuffix("takes its time") }
        preview.cancel()
        _ = await preview.result
        try await session.setParameters(["mode": .string("plain")])
        #expect(try await session.preview().picture == TestPicture.gradient().adding(10))
        _ = try await session.finish()
        #expect(try studio.current(asset) == TestPicture.gradient().adding(10))
        await studio.host.shutDown()
    }

    @Test("finishing in a cancelled task discards the edit and ends the session")
    func finishInCancelledTask() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let session = try await studio.open(asset, ["amount": "4"])
        let finish = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await code { _ = try await session.finish() }
        }
        #expect(try await finish.value == .cancelled)
        #expect(studio.host.openEditingSessions == 0)
        #expect(try await code { _ = try await session.preview() } == .sessionEnded)
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        await studio.host.shutDown()
    }

    @Test("repeated previews do not increase memory", arguments: [true, false])
    func memory(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            trusted: isTrusted, configure: { $0.budgets.standard.memory = 384 << 20 })
        let size = 1200 * 900 * 3
        let picture = TestPicture(
            width: 1200, height: 900, bands: 3, samples: [UInt8](repeating: 100, count: size))
        let session = try await studio.open(try await studio.add(picture))
        let expected = Data(repeating: 110, count: size)
        // Together, the previews exceed the extension's memory budget.
        for _ in 0..<(420 << 20) / size { #expect(try await session.preview().data == expected) }
        _ = try await session.finish()
        await studio.host.shutDown()
    }

    @Test("C-19 cropping asks for cancel confirmation, and sepia does not")
    func cancelConfirmation() async throws {
        let studio = try TestStudio {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("CropRotate", in: $0)
        }
        let asset = try await studio.add(.gradient())
        for (name, asks) in [("sepia", false), ("croprotate", true)] {
            let session = try await studio.open(asset, name, [:])
            #expect(await session.shouldShowCancelConfirmation() == asks, "\(name)")
            await session.cancel()
            #expect(await session.shouldShowCancelConfirmation() == false, "\(name)")
        }
        await studio.host.shutDown()
    }
}
