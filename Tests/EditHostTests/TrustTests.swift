// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import RunnerHost
import TestSupport
import Testing

/// Untrusted extensions have a runner of their own, and receive and return only pixels.
@Suite("trust")
struct TrustTests {
    /// A studio with two adders, of which the host trusts those that are named.
    private func studio(trusting: [String]) async throws -> TestStudio {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildAdder("org.example.first", in: $0)
                try TestExtension.buildAdder("org.example.second", in: $0)
            }, trusted: false)
        for name in trusting { _ = try studio.host.trust(extensionNamed: name) }
        return studio
    }

    /// Makes several edits and returns the hashes of their renditions.
    private func edits(of data: Data, trusting: [String]) async throws -> [SHA256Digest] {
        let first = try await studio(trusting: trusting)
        // A host reads its trust once, so another host is needed.
        let host = try first.otherHost(trusted: false)
        let asset = try await first.add(data)
        var hashes: [SHA256Digest] = []
        func edit(_ name: String, _ amount: String, step: Int? = nil) async throws {
            let request = EditRequest(extensionName: name, values: ["amount": amount], step: step)
            let result = try await host.edit([asset], request, in: first.library)[0]
            hashes.append(try #require(result.rendition))
        }
        try await edit("first", "5")
        try await edit("second", "7")
        try await edit("second", "9")
        try await edit("first", "11", step: 1)
        try await edit("first", "-3")
        for trust in ["first", "second"] where !trusting.contains(trust) {
            let installed = try host.extensions.catalogue.installed(named: trust)
            #expect(host.extensions.status(of: installed)?.trust == ExtensionTrust.Level.none)
        }
        await host.shutDown()
        await first.host.shutDown()
        return hashes
    }

    @Test("untrusted and trusted edits by the same code give the same bytes")
    func sameBytes() async throws {
        for bands in [3, 4] {
            let data = try TestPicture.gradient(bands: bands).encoded()
            try await expectSameBytes(data)
        }
    }

    @Test(
        "untrusted and trusted edits give the same bytes in every colour space and depth",
        .corpus,
        arguments: ["icc", "deep", "cmyk"])
    func sameBytesOfCorpus(kind: String) async throws {
        let folder = "\(try #require(BuildProducts.corpus))/photos/\(kind)"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        try #require(!names.isEmpty)
        for name in names {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            let all = try await edits(of: data, trusting: ["first", "second"])
            #expect(try await edits(of: data, trusting: []) == all, "\(name)")
        }
    }

    private func expectSameBytes(_ data: Data) async throws {
        let all = try await edits(of: data, trusting: ["first", "second"])
        #expect(try await edits(of: data, trusting: []) == all)
        #expect(try await edits(of: data, trusting: ["second"]) == all)
    }

    @Test("pictures of different sizes do not mix in recycled memory")
    func buffers() async throws {
        let studio = try await studio(trusting: ["second"])
        let host = try studio.otherHost(trusted: false)
        var expected: [String: TestPicture] = [:]
        for (index, size) in [900, 600, 800, 650, 900, 601].enumerated() {
            let picture = TestPicture.gradient(width: size, height: 700, seed: index)
            let asset = try await studio.add(try picture.encoded(), named: "\(index).png")
            expected[asset] = picture.adding(10).adding(10).adding(10)
        }
        let assets = Array(expected.keys)
        for name in ["first", "second", "first"] {
            let request = EditRequest(extensionName: name)
            _ = try await host.edit(assets, request, in: studio.library)
        }
        for (asset, picture) in expected { #expect(try studio.current(asset) == picture) }
        try await host.rerender(assets, in: studio.library, force: true, dryRun: false, jobs: 2) {
            #expect($0.status == .rendered)
        }
        for (asset, picture) in expected { #expect(try studio.current(asset) == picture) }
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test(
        "sequential input can be read only from top to bottom, with and without trust",
        arguments: [[], ["first", "second"]])
    func order(trusting: [String]) async throws {
        let studio = try await studio(trusting: trusting)
        let host = try studio.otherHost(trusted: false)
        // Taller than the window for any number of threads.
        let asset = try await studio.add(.gradient(width: 10, height: 20_000))
        func edit(_ name: String, _ mode: String) async throws {
            let request = EditRequest(extensionName: name, values: ["mode": mode])
            _ = try await host.edit([asset], request, in: studio.library)
        }
        // Over the original, and over an edit.
        for flipping in ["first", "second"] {
            let error = await #expect(throws: HostError.self) { try await edit(flipping, "flip") }
            #expect(error?.extensionIdentifier == "org.example.\(flipping)")
            #expect(error?.description.contains("request random access") == true, "\(error as Any)")
            try await edit("first", "plain")
        }
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("an untrusted extension gets no encoded picture")
    func pixelsOnly() async throws {
        for isTrusted in [false, true] {
            let studio = try TestStudio(
                extensions: { try TestExtension.buildAdder(defines: ["PEEK"], in: $0) },
                trusted: isTrusted)
            let asset = try await studio.add(TestPicture.gradient())
            if isTrusted {
                // The same code reports an encoded picture if it gets one.
                let error = await #expect(throws: HostError.self) { try await studio.edit(asset) }
                #expect(error?.description.contains("it sees an encoded picture") == true)
            } else {
                #expect(try await studio.edit(asset).status == .committed)
                let again = try await studio.edit(asset, "adder", ["amount": "3"])
                #expect(again.status == .committed)
            }
            await studio.host.shutDown()
        }
    }

    @Test("trusted and untrusted extensions give the same preview")
    func preview() async throws {
        var pictures: [TestPicture] = []
        for trusting in [[], ["first"], ["first", "second"]] {
            let studio = try await studio(trusting: trusting)
            let host = try studio.otherHost(trusted: false)
            let asset = try await studio.add(TestPicture.gradient())
            let path = studio.folder.file("preview.png")
            for name in ["first", "second"] {
                let request = EditRequest(extensionName: name, values: ["amount": "20"])
                _ = try await host.preview(asset, request, in: studio.library, to: path)
                pictures.append(
                    try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path))))
                _ = try await host.edit([asset], request, in: studio.library)
            }
            await host.shutDown()
            await studio.host.shutDown()
        }
        #expect(pictures[0] == TestPicture.gradient().adding(20))
        #expect(pictures[1] == TestPicture.gradient().adding(20).adding(20))
        #expect(pictures[2...3] == pictures[0...1])
        #expect(pictures[4...5] == pictures[0...1])
    }

    @Test("trust applies to the library's bytes: another build is not trusted")
    func anotherBuild() async throws {
        let studio = try await studio(trusting: ["first"])
        func level() throws -> (ExtensionTrust.Level?, Bool?) {
            let host = try studio.otherHost(trusted: false)
            let installed = try host.extensions.catalogue.installed(named: "first")
            let trustStatus = host.extensions.status(of: installed)
            return (trustStatus?.trust, trustStatus?.wasTrusted)
        }
        #expect(try level() == (.user, false))
        try TestExtension.buildAdder(
            "org.example.first", defines: ["RECORD"], in: studio.extensions)
        #expect(try level() == (ExtensionTrust.Level.none, true))
        #expect(try studio.host.withdrawTrust(fromExtensionNamed: "first") == "org.example.first")
        #expect(try level() == (ExtensionTrust.Level.none, false))
        #expect(throws: HostError.self) {
            try studio.host.withdrawTrust(fromExtensionNamed: "first")
        }
    }

    @Test("a hash list next to a third-party extension does not make it trusted")
    func foreignList() async throws {
        let studio = try await studio(trusting: [])
        let libraries = ["first", "second"].map {
            "\(studio.extensions)/\($0).editingextension/lib\($0).so"
        }
        let list = try runProgram("/usr/bin/sha256sum", libraries).output
        try Data(list.utf8).write(
            to: URL(fileURLWithPath: "\(studio.extensions)/trusted.sha256"))
        let host = try studio.otherHost(trusted: false)
        for installed in host.extensions.catalogue.all {
            #expect(host.extensions.status(of: installed)?.trust == ExtensionTrust.Level.none)
        }
    }
}
