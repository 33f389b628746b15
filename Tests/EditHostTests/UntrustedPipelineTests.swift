// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

@testable import EditHost

/// Recipes re-run by untrusted extensions: decoder, extension and encoder work concurrently, and the one that fails is
/// blamed.
@Suite("recipes re-run by an untrusted extension")
struct UntrustedPipelineTests {
    private static let picture = TestPicture.gradient(width: 640, height: 600)

    /// A library with an edited picture, whose extension is not trusted.
    private struct Bench {
        let studio: TestStudio
        let asset: String

        init(configure: (inout HostConfiguration) -> Void = { _ in }) async throws {
            studio = try TestStudio(trusted: false, configure: configure)
            asset = try await studio.add(picture)
            try await studio.edit(asset, "adder", ["amount": "5"])
        }

        /// A host with another build of the extension, which runs stored recipes in a mode of the test plug-in.
        func host(_ mode: String) throws -> ExtensionHost {
            try TestExtension.buildAdder(
                defines: ["STORED_MODE=\"\(mode)\""], in: studio.extensions)
            return try studio.otherHost(trusted: false)
        }

        func rerendered(_ host: ExtensionHost) async throws -> (any Error)? {
            var error: (any Error)?
            try await host.rerender([asset], in: studio.library, force: true, jobs: 1) {
                error = $0.error
            }
            return error
        }

        /// The number of failures of a host's extension.
        func failures(_ host: ExtensionHost) throws -> Int {
            let binary = try host.extensions.binary(identifier: "org.example.adder")
            return host.pool.quarantine.entry(of: binary.digest)?.failures ?? 0
        }
    }

    @Test("concurrent runs each have their own pixels and the bytes of a trusted run")
    func many() async throws {
        let studio = try TestStudio(trusted: false)
        var assets: [String: TestPicture] = [:]
        for seed in 0..<9 {
            let picture = TestPicture.gradient(
                width: 300 + 90 * seed, height: 200 + 70 * seed, bands: 3 + seed % 2, seed: seed)
            let asset = try await studio.add(picture)
            try await studio.edit(asset, "adder", ["amount": "\(seed + 1)"])
            assets[asset] = picture.adding(seed + 1)
        }
        let trusting = try studio.otherHost(trusted: true)
        for host in [studio.host, trusting, studio.host] {
            var failures: [String] = []
            try await host.rerender(Array(assets.keys), in: studio.library, force: true, jobs: 2) {
                if let error = $0.error { failures.append("\(error)") }
            }
            #expect(failures == [])
            for (asset, expected) in assets {
                #expect(try studio.current(asset) == expected)
            }
        }
        await trusting.shutDown()
        await studio.host.shutDown()
    }

    @Test("a tiny picture is edited in memory recycled from a larger one")
    func tiny() async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildAdder(in: $0)
                try TestExtension.buildAdder("org.example.other", in: $0)
            }, trusted: false)
        let pictures = [(700, 500), (1, 1), (5, 1), (1, 2), (700, 500), (1, 1)].enumerated().map {
            TestPicture.gradient(width: $1.0, height: $1.1, seed: $0)
        }
        var assets: [String] = []
        for picture in pictures {
            let asset = try await studio.add(picture)
            for (index, name) in ["adder", "adder", "other", "adder"].enumerated() {
                try await studio.edit(asset, name, ["amount": "\(index + 1)"])
            }
            #expect(try studio.current(asset) == picture.adding(9))
            assets.append(asset)
        }
        try await studio.host.rerender(assets, in: studio.library, force: true, jobs: 1) {
            #expect($0.status == .rendered)
        }
        for (asset, picture) in zip(assets, pictures) {
            #expect(try studio.current(asset) == picture.adding(9))
        }
        await studio.host.shutDown()
    }

    @Test("chains of trusted and untrusted edits keep pixels, profile and bytes")
    func chains() async throws {
        let wide = try TestProfile.named("p3")
        let studio = try TestStudio(
            extensions: {
                for name in ["org.example.adder", "org.example.other"] {
                    try TestExtension.buildAdder(name, defines: ["TELLS_PROFILES"], in: $0)
                }
            }, trusted: false)
        var expected: [String: TestPicture] = [:]
        for (seed, (width, height)) in [(40, 30), (900, 700), (1300, 1)].enumerated() {
            let picture = TestPicture.gradient(width: width, height: height, seed: seed)
            let asset = try await studio.add(
                try picture.encoded { $0.set("icc-profile-data", to: wide) })
            for amount in 1...4 {
                let name = amount % 2 == 0 ? "other" : "adder"
                // Each edit is added on top, and none replaces the previous one.
                try await studio.edit(asset, name, ["amount": "\(amount)"])
                let sum = (1...amount).reduce(0, +)
                #expect(try studio.current(asset) == picture.adding(sum))
            }
            expected[asset] = picture.adding(10)
        }
        let trusting = try studio.otherHost(trusted: true)
        let folder = try #require(
            FileManager.default.contentsOfDirectory(atPath: studio.extensions)
                .first { $0.contains("other") })
        let list = try TestExtension.trustList(of: ["\(studio.extensions)/\(folder)"])
        try studio.folder.write(Data(list.utf8), to: "trusted.sha256")
        let mixed = try studio.otherHost(trusted: false)
        var bytes: [String: Data] = [:]
        for (host, trusted) in [(studio.host, 0), (trusting, 2), (mixed, 1)] {
            let binaries = try ["adder", "other"].map {
                try host.extensions.binary(identifier: "org.example.\($0)")
            }
            #expect(binaries.count(where: \.isTrusted) == trusted)
            try await host.rerender(Array(expected.keys), in: studio.library, force: true, jobs: 2)
            {
                #expect($0.error == nil)
            }
            for (asset, picture) in expected {
                let current = try studio.currentBytes(asset)
                #expect(try TestPicture(decoding: current) == picture)
                let image = try Image(source: try ImageSource(bytes: Array(current)))
                #expect(image.blob("icc-profile-data") == wide)
                #expect(bytes[asset] == nil || bytes[asset] == current)
                bytes[asset] = current
            }
            await host.shutDown()
        }
        // Every picture that an extension received has the profile.
        let told = studio.log.lines.filter { $0.contains("profile of ") }
        for name in ["placeholder", "full"] {
            #expect(told.contains { $0.hasSuffix("\(name): \(wide.count)") })
        }
        #expect(told.filter { !$0.hasSuffix(" \(wide.count)") } == [])
    }

    @Test(
        "the last of several edits in one command gives the same picture as a full re-run"
    )
    func multistep() async throws {
        let studio = try TestStudio(
            extensions: {
                for name in ["org.example.adder", "org.example.other"] {
                    try TestExtension.buildAdder(name, in: $0)
                }
            }, trusted: false)
        let host = studio.host
        for name in ["adder", "other"] {
            // Known to be reproducible, so the result of the session is used without a re-render.
            host.reproducibility.remember(
                true, of: try host.extensions.binary(identifier: "org.example.\(name)"))
        }
        for (seed, names) in [["adder", "other"], ["adder", "other", "adder", "other"]].enumerated()
        {
            let picture = TestPicture.gradient(width: 700, height: 600, seed: seed)
            let asset = try await studio.add(picture)
            let requests = names.enumerated().map { index, name in
                EditRequest(extensionName: name, values: ["amount": "\(index + 1)"])
            }
            let before = host.decodes
            let results = try await host.applyEdits(
                of: .requests(requests), to: [asset], in: studio.library)
            #expect(results.count == 1)
            // Each edit above the lowest is rendered over those below it, and the last result is the picture.
            #expect(host.decodes.fullSize == before.fullSize + names.count - 1)
            #expect(host.decodes.reduced == before.reduced)
            let expected = picture.adding((1...names.count).reduce(0, +))
            #expect(try studio.current(asset) == expected)
            #expect(try studio.library.history(ofAsset: asset).chain.count == names.count)
            let bytes = try studio.currentBytes(asset)
            for (force, status) in [(false, RerenderResult.Status.upToDate), (true, .rendered)] {
                try await host.rerender([asset], in: studio.library, force: force, jobs: 1) {
                    #expect($0.status == status)
                }
                #expect(try studio.currentBytes(asset) == bytes)
            }
        }
        await host.shutDown()
    }

    @Test(
        "an extension that exits or fails is named, and the library is unchanged",
        arguments: [
            ("crash-pixels", "SIGSEGV"), ("crash-finish", "SIGSEGV"), ("fail-finish", "no wish"),
            ("pixels-last", "cannot be computed"),
        ])
    func ends(mode: String, said: String) async throws {
        let bench = try await Bench()
        let before = try bench.studio.currentBytes(bench.asset)
        let host = try bench.host(mode)
        let error = try #require(try await bench.rerendered(host) as? HostError)
        #expect(error.extensionIdentifier == "org.example.adder")
        #expect(error.description.contains(said), "\(error)")
        #expect(try bench.failures(host) == (said == "SIGSEGV" ? 1 : 0))
        #expect(try bench.studio.currentBytes(bench.asset) == before)
        await host.shutDown()
        await bench.studio.host.shutDown()
    }

    @Test(
        "a hanging extension is ended after its deadline, which excludes waits for pixels"
    )
    func hangs() async throws {
        let bench = try await Bench { $0.timeouts.render = .seconds(2) }
        let host = try bench.host("hang-finish")
        let error = try #require(try await bench.rerendered(host) as? HostError)
        #expect(error.extensionIdentifier == "org.example.adder")
        #expect(error.description.contains("did not answer within 2 s"), "\(error)")
        #expect(try bench.failures(host) == 1)
        await host.shutDown()
        await bench.studio.host.shutDown()
    }

    @Test("a file output instead of pixels is verified and encoded")
    func file() async throws {
        let bench = try await Bench()
        let host = try bench.host("file")
        #expect(try await bench.rerendered(host) == nil)
        #expect(try bench.studio.current(bench.asset).width == Self.picture.width)
        await host.shutDown()
        await bench.studio.host.shutDown()
    }

    @Test("an incompletely decodable picture is blamed, never the extension")
    func damagedBase() async throws {
        let bench = try await Bench()
        let (library, host) = (bench.studio.library, bench.studio.host)
        let renderer = host.renderer(of: library)
        let history = try library.history(ofAsset: bench.asset)
        let plan = try renderer.planner.plan(history.chain, of: history)
        let whole = try Self.picture.encoded()
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        for length in [whole.count / 10, whole.count / 2, whole.count - 30] {
            let base = Renderer.Base(
                bytes: try .sealedMemory("damaged", holding: whole.prefix(length)),
                kind: .encoded(.png))
            let error = await #expect(throws: HostError.self, "\(length)") {
                try await renderer.run(
                    plan.steps, over: base, of: plan, EncodedOutput(settings))
            }
            #expect(error?.code == .badInput, "\(error as Any)")
            #expect(error?.extensionIdentifier == nil)
        }
        #expect(try bench.failures(host) == 0)
        let base = Renderer.Base(
            bytes: try .sealedMemory("whole", holding: whole), kind: .encoded(.png))
        let picture = try await renderer.run(
            plan.steps, over: base, of: plan, EncodedOutput(settings))
        let bytes = try picture.bytes.read(count: picture.byteCount)
        #expect(try TestPicture(decoding: bytes) == Self.picture.adding(5))
        await host.shutDown()
    }

    @Test("false row reports change nothing")
    func falseRows() async throws {
        let bench = try await Bench()
        let host = try bench.host("false-rows")
        for _ in 0..<5 {
            #expect(try await bench.rerendered(host) == nil)
            #expect(try bench.studio.current(bench.asset) == Self.picture.adding(5))
        }
        #expect(try bench.failures(host) == 0)
        await host.shutDown()
        await bench.studio.host.shutDown()
    }

    @Test("a cancelled run adds no failure to the quarantine")
    func cancelled() async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildNeighbours(in: $0) }, trusted: false)
        let asset = try await studio.add(Self.picture)
        try await studio.edit(asset, "neighbours")
        // One runner waits for pixels that the other one never computes.
        try TestExtension.buildNeighbours(defines: ["HANG"], in: studio.extensions)
        let host = try studio.otherHost(trusted: false)
        let earlier = studio.log.startedRunners.count
        let task = Task {
            try await host.rerender([asset], in: studio.library, force: true, jobs: 1) { _ in }
        }
        try await studio.log.wait { $0.hasSuffix("hangs") }
        let runners = Array(studio.log.startedRunners.dropFirst(earlier))
        #expect(runners.count == 2)
        task.cancel()
        _ = await task.result
        try await waitUntil("both runners have ended") {
            !runners.contains(where: Children.isRunning)
        }
        let binary = try host.extensions.binary(identifier: "org.example.neighbours")
        #expect(host.pool.quarantine.entry(of: binary.digest)?.failures ?? 0 == 0)
        #expect(try studio.current(asset) == Self.picture)
        let next = try studio.folder.write(TestPicture.gradient(seed: 9).encoded(), to: "next.png")
        var isImported = false
        try await host.importPhotos(at: [next], into: studio.library) {
            isImported = $0.status == .imported
        }
        #expect(isImported && studio.log.startedRunners.count > earlier + 2)
        await host.shutDown()
        await studio.host.shutDown()
    }
}
