// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Extensions that crash, hang or violate their contract fail only their own edit.
@Suite("misbehaving extensions")
struct MisbehaviourTests {
    /// Runs an edit that must fail, and then one that must work.
    ///
    /// - Parameter timeout: Applies to the failing edit only, because others can be slow on a busy
    ///   machine.
    private func failure(
        mode: String, studio: TestStudio, within timeout: Duration? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> HostError {
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let token = try studio.library.currentChangeToken
        let failing = try studio.otherHost { configuration in
            if let timeout { configuration.timeouts.render = timeout }
        }
        let error = await #expect(throws: HostError.self, sourceLocation: sourceLocation) {
            let request = EditRequest(extensionName: "adder", values: ["mode": mode])
            _ = try await failing.edit([asset], request, in: studio.library)
        }
        await failing.shutDown()
        #expect(try studio.library.currentChangeToken == token, sourceLocation: sourceLocation)
        #expect(error?.assetIdentifier == asset, sourceLocation: sourceLocation)
        let next = try await studio.edit(asset, "adder", ["amount": "5"])
        #expect(next.status == .committed, sourceLocation: sourceLocation)
        #expect(try studio.current(asset) == picture.adding(5), sourceLocation: sourceLocation)
        await studio.host.shutDown()
        return try #require(error, sourceLocation: sourceLocation)
    }

    @Test(
        "a crash fails that edit and names plug-in, asset and signal; the next edit works",
        arguments: ["crash-finish", "crash-pixels"])
    func crash(mode: String) async throws {
        let error = try await failure(mode: mode, studio: TestStudio())
        #expect(error.code == .extensionFailed)
        #expect(error.description.contains("org.example.adder"))
        #expect(error.description.contains("SIGSEGV"))
        #expect(error.extensionIdentifier == "org.example.adder")
    }

    @Test("a hang ends at the deadline, which the error names")
    func hang() async throws {
        let error = try await failure(
            mode: "hang-finish", studio: TestStudio(), within: .seconds(2))
        #expect(error.code == .extensionFailed)
        #expect(error.description.contains("did not answer within 2 s"))
    }

    @Test("parameters over 1 MiB are rejected")
    func manyParameters() async throws {
        let error = try await failure(mode: "many-parameters", studio: TestStudio())
        #expect(error.code == .extensionFailed)
        #expect(error.description.contains("1 MiB"), "\(error)")
    }

    @Test("an extension that exits with status 0 is a failure")
    func exit() async throws {
        let error = try await failure(mode: "exit", studio: TestStudio())
        #expect(error.code == .extensionFailed)
        #expect(error.description.contains("exit status 0"))
    }

    @Test("an extension's error message reaches the user", arguments: ["fail-finish"])
    func message(mode: String) async throws {
        let error = try await failure(mode: mode, studio: TestStudio())
        #expect(error.description.contains("no wish to finish"))
    }

    @Test("K-01 K-08 a missing or empty recipe is rejected, and nothing is committed")
    func emptyRecipe() async throws {
        let error = try await failure(mode: "empty-recipe", studio: TestStudio())
        #expect(error.code == .extensionFailed)
        #expect(error.description.contains("empty"))
    }

    @Test("K-03 a recipe over 16 MiB is rejected, and nothing is committed")
    func hugeRecipe() async throws {
        let error = try await failure(mode: "huge-recipe", studio: TestStudio())
        #expect(error.code == .extensionFailed)
        #expect(error.description.contains("16 MiB"))
    }

    @Test("C-10 canHandle gets the recipe as stored, and no pixels")
    func question() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder(
                "org.example.asker", defines: ["ASK", "READS=\"org.example.adder\""], in: $0)
        }
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["amount": "30"])
        let recipe = try #require(try studio.recipe(asset))
        #expect(try await studio.edit(asset, "asker", ["amount": "2"]).input == .original)
        let asked = studio.log.lines.filter { $0.contains("asked ") }
        #expect(asked == ["org.example.asker: asked org.example.adder 1.0 \(recipe), new files 0"])
        await studio.host.shutDown()
    }

    @Test("C-10 a crash in canHandle counts as false and is logged")
    func crashingAnswer() async throws {
        try await badAnswer("CRASH_CAN_HANDLE", logged: "SIGSEGV") { _ in }
    }

    @Test("C-10 a slow answer to canHandle counts as false and is logged")
    func slowAnswer() async throws {
        try await badAnswer("HANG_CAN_HANDLE", logged: "did not answer within") {
            $0.timeouts.shortCall = .seconds(1)
        }
    }

    private func badAnswer(
        _ define: String, logged: String, configure: (inout HostConfiguration) -> Void
    ) async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildAdder(in: $0)
                try TestExtension.buildAdder(
                    "org.example.bad", defines: [define, "READS=\"org.example.adder\""], in: $0)
            }, configure: configure)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "30"])
        let second = try await studio.edit(asset, "bad", ["amount": "2"])
        #expect(second.input == .current)
        #expect(try studio.current(asset) == picture.adding(32))
        #expect(studio.log.lines.contains { $0.contains("org.example.bad") && $0.contains(logged) })
        await studio.host.shutDown()
    }

    @Test("C-16 a late completion on any thread is accepted, and a second one is ignored")
    func completions() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "5", "mode": "later"])
        #expect(try studio.current(asset) == picture.adding(5))
        try await studio.edit(asset, "adder", ["amount": "6", "mode": "twice"])
        #expect(try studio.current(asset) == picture.adding(6))
        #expect(
            studio.log.lines.contains {
                $0.contains("org.example.adder") && $0.contains("completion")
            })
        await studio.host.shutDown()
    }

    @Test("output on stdout does not reach the protocol")
    func noise() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "5", "mode": "noise"])
        #expect(try studio.current(asset) == picture.adding(5))
        await studio.host.shutDown()
    }

    @Test("of two extensions in one pipeline, the one that crashes is named")
    func culprit() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
        }
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["amount": "30"])
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "other", ["mode": "crash-pixels"])
        }
        #expect(error?.extensionIdentifier == "org.example.other")
        await studio.host.shutDown()
    }

    @Test("K-06 K-07 a file output is verified and stored upright")
    func fileOutput() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "9", "mode": "file"])
        #expect(try studio.current(asset) == picture.adding(9))
        await studio.host.shutDown()
    }

    @Test(
        "K-06 K-07 a file output that is missing, mistyped or not upright is rejected",
        arguments: [
            ("file-missing", "no file at "), ("file-lie", "announced image/jpeg"),
            ("file-turned", "orientation 6"),
        ])
    func badFileOutput(mode: String, said: String) async throws {
        let error = try await failure(mode: mode, studio: TestStudio())
        #expect(error.code == .extensionFailed)
        #expect(error.description.contains(said), "\(error)")
    }
}
