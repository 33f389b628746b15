// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import RunnerHost
import Synchronization
import TestSupport
import Testing

/// Capabilities that extensions declare and that the host offers.
@Suite("capabilities")
struct CapabilityTests {
    @Test(
        "one library shared by two extensions acts as each manifest declares",
        arguments: [true, false])
    func bridge(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildGrowth("org.example.bridge3", defines: ["BRIDGE"], in: $0)
                try TestExtension.buildGrowth("org.example.bridge5", defines: ["BRIDGE"], in: $0)
            }, trusted: isTrusted)
        let libraries = try ["bridge3", "bridge5"].map {
            try Data(
                contentsOf: URL(
                    fileURLWithPath: "\(studio.extensions)/\($0).editingextension/libgrowth.so"))
        }
        #expect(libraries[0] == libraries[1])
        let picture = TestPicture.plain(width: 40, height: 30)
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "bridge3")
        #expect(try studio.current(asset) == picture.adding(3))
        // It cannot continue the other's recipe, so it adds an edit, and both run in one chain.
        let result = try await studio.edit(asset, "bridge5")
        #expect(result.input == .current)
        #expect(try studio.current(asset) == picture.adding(8))
        await studio.host.shutDown()
    }

    @Test("trust applies to manifest and library together, not to the library alone")
    func trust() async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildGrowth("org.example.bridge3", defines: ["BRIDGE"], in: $0)
                try TestExtension.buildGrowth("org.example.bridge5", defines: ["BRIDGE"], in: $0)
            }, trusted: false)
        _ = try studio.host.trust(extensionNamed: "bridge3")
        let host = try studio.otherHost(trusted: false)
        for (name, isTrusted) in [("bridge3", true), ("bridge5", false)] {
            let installed = try host.extensions.catalogue.installed(named: name)
            let level = host.extensions.status(of: installed)?.trust
            #expect((level != ExtensionTrust.Level.none) == isTrusted, "\(name)")
        }
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test(
        "a library without photo editing is listed and cannot edit photos"
    )
    func incomplete() async throws {
        let studio = try TestStudio {
            try TestExtension.buildGrowth(
                defines: ["CAPABILITY=\"org.edithost.video-editing/1\""], in: $0)
        }
        #expect(studio.host.extensions.catalogue.available.count == 1)
        let asset = try await studio.add(.gradient())
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "growth")
        }
        #expect(error?.code == .unusableExtension)
        #expect(error?.description.contains("cannot edit photos") == true, "\(error as Any)")
        #expect(error?.description.contains("org.edithost.video-editing/1") == true)
        await studio.host.shutDown()
    }

    @Test("a library without known capabilities is rejected with a list of the known ones")
    func unknown() async throws {
        let studio = try TestStudio {
            try TestExtension.buildGrowth(
                defines: ["CAPABILITY=\"org.example.dreaming/1\""], in: $0)
        }
        let asset = try await studio.add(.gradient())
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "growth")
        }
        #expect(error?.code == .unusableExtension)
        #expect(
            error?.description.contains("org.edithost.photo-editing/1") == true,
            "\(error as Any)")
        await studio.host.shutDown()
    }

    // MARK: - Files

    @Test(
        "an extension gets only the hashed bytes of its own files",
        arguments: [true, false])
    func files(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildGrowth(
                    defines: ["FILES"],
                    files: ["a.bin": [1], "empty.bin": [], "table.bin": [3, 0, 4]], in: $0)
            }, trusted: isTrusted)
        let picture = TestPicture.plain(width: 40, height: 30)
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "growth")
        #expect(try studio.current(asset) == picture.adding(8))
        // The host has read the folder and ignores later changes.
        let file = "\(studio.extensions)/growth.editingextension/table.bin"
        try Data([9, 9, 9]).write(to: URL(fileURLWithPath: file))
        try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) { _ in }
        #expect(try studio.current(asset) == picture.adding(8))
        // Another host reads the current files.
        let host = try studio.otherHost(trusted: isTrusted)
        try await host.rerender([asset], in: studio.library, force: true, jobs: 1) { _ in }
        #expect(try studio.current(asset) == picture.adding(28))
        await host.shutDown()
        await studio.host.shutDown()
    }

    // MARK: - The original

    @Test("only trusted extensions and those that request it and were allowed get the original")
    func original() async throws {
        let cases = [
            // trusted, requested, allowed, available
            (true, false, false, true), (false, false, false, false), (false, true, false, false),
            (false, true, true, true),
        ]
        for (isTrusted, asks, isAllowed, exists) in cases {
            let studio = try TestStudio(
                extensions: {
                    try TestExtension.buildGrowth(
                        defines: ["ORIGINAL"], readsOriginal: asks, in: $0)
                }, trusted: isTrusted)
            let bytes = try TestPicture.gradient().encoded()
            let asset = try await studio.add(bytes, named: "Ein Bild.png")
            if isAllowed { _ = try studio.host.allowOriginals(toExtensionNamed: "growth") }
            let host = try studio.otherHost(trusted: isTrusted)
            try await host.edit([asset], EditRequest(extensionName: "growth"), in: studio.library)
            let sum = bytes.reduce(0 as UInt32) { $0 &+ UInt32($1) }
            let line =
                exists ? "original Ein Bild.png \(bytes.count) \(sum)" : "no original, 4"
            #expect(studio.log.lines.count { $0.hasSuffix(line) } == 1, "\(studio.log.lines)")
            try await host.rerender([asset], in: studio.library, force: true, jobs: 1) { _ in }
            #expect(studio.log.lines.count { $0.hasSuffix(line) } == 2, "\(studio.log.lines)")
            await host.shutDown()
            guard isAllowed else { continue }
            _ = try studio.host.forbidOriginals(toExtensionNamed: "growth")
            let last = try studio.otherHost(trusted: false)
            try await last.rerender([asset], in: studio.library, force: true, jobs: 1) { _ in }
            #expect(studio.log.lines.contains { $0.hasSuffix("no original, 4") })
            await last.shutDown()
        }
    }

    @Test("only an extension that requests originals can be allowed them")
    func unasked() async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildGrowth(in: $0) }, trusted: false)
        let error = #expect(throws: HostError.self) {
            try studio.host.allowOriginals(toExtensionNamed: "growth")
        }
        #expect(error?.code == .badRequest)
        let other = #expect(throws: HostError.self) {
            try studio.host.forbidOriginals(toExtensionNamed: "growth")
        }
        #expect(other?.code == .badRequest)
        await studio.host.shutDown()
    }

    // MARK: - The cache

    @Test(
        "the cache of one edit is kept for the next in the same process, and bounded",
        arguments: [true, false])
    func cache(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildGrowth(defines: ["CACHE"], in: $0) },
            trusted: isTrusted
        ) { $0.runnerLimit = 1 }
        for _ in 0..<3 {
            let asset = try await studio.add(.gradient(seed: studio.log.lines.count))
            try await studio.edit(asset, "growth")
        }
        let lines = studio.log.lines.compactMap { $0.split(separator: "growth: ").last }
        // The cache may have lost entries, but must contain nothing else.
        let found = lines.filter { $0.hasPrefix("cache ") }.map { String($0) }
        #expect(found.first == "cache 0 ")
        let known = ["cache 0 ", "cache 1 x", "cache 1 xx", "cache 1 xxx", "cache 1 xxxx"]
        #expect(Set(found).isSubset(of: known), "\(found)")
        #expect(lines.contains("limit 67108864, large 1, huge 1, there 0"), "\(lines)")
        await studio.host.shutDown()
    }

    // MARK: - Long work

    /// The fractions that a handler received.
    private final class Told: Sendable {
        private let kept = Mutex<[Double]>([])
        var fractions: [Double] { kept.withLock { $0 } }
        func add(_ fraction: Double) { kept.withLock { $0.append(fraction) } }
    }

    @Test(
        "progress arrives in order and clamped; threads and temporary space are reported",
        arguments: [true, false])
    func work(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildGrowth(defines: ["WORK"], in: $0) },
            trusted: isTrusted)
        let picture = TestPicture.plain(width: 40, height: 30)
        let asset = try await studio.add(picture)
        let told = Told()
        try await studio.host.edit(
            [asset], EditRequest(extensionName: "growth"), in: studio.library
        ) { identifier, progress in
            #expect(identifier == asset)
            told.add(progress.fraction)
        }
        // The extension reports -1, 0.25, NaN, 0.5, 0.25 and 7; a busy handler misses some.
        let fractions = told.fractions
        #expect(fractions.last == 1)
        #expect(Set(fractions).isSubset(of: [0, 0.25, 0.5, 1]), "\(fractions)")
        #expect(fractions == Array(Set(fractions)).sorted())
        let line = try #require(studio.log.lines.first { $0.contains(": threads ") })
        #expect(line.contains("threads 2, written 1"), "\(line)")
        #expect(line.hasSuffix("cancelled 0"), "\(line)")
        let limit = ExtensionBudget().outputBytes
        #expect(line.contains("limit \(limit),"), "\(line)")
        #expect(try studio.current(asset) == picture.adding(1))

        let session = try await studio.host.openEditingSession(
            for: asset, EditRequest(extensionName: "growth"), in: studio.library
        ) { _, progress in told.add(progress.fraction + 10) }
        _ = try await session.finish()
        #expect(told.fractions.last == 11)
        await studio.host.shutDown()
    }

    @Test("a working extension sees the cancel and ends normally", arguments: [true, false])
    func cancel(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildGrowth(defines: ["WORK", "WAIT"], in: $0) },
            trusted: isTrusted)
        let asset = try await studio.add(.gradient())
        let cancellation = EditCancellation()
        let edit = Task {
            try await studio.host.edit(
                [asset], EditRequest(extensionName: "growth"), in: studio.library,
                cancellation: cancellation)
        }
        try await studio.log.wait { $0.contains(": threads ") }
        await cancellation.cancel()
        let error = await #expect(throws: HostError.self) { try await edit.value }
        #expect(error?.code == .cancelled)
        #expect(studio.log.lines.contains { $0.hasSuffix("saw the cancel") })
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        await studio.host.shutDown()
    }
}
