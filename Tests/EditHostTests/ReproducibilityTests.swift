// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

@testable import EditHost

/// Extensions that reject their own recipes or render them differently.
@Suite("irreproducible edits")
struct ReproducibilityTests {
    private static let identifier = "org.example.adder"

    private func studio(
        _ defines: [String], manifest: [String: Any] = [:], trustedByUser: Bool
    ) throws -> (studio: TestStudio, host: ExtensionHost) {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildAdder(defines: defines, manifest: manifest, in: $0)
                try TestExtension.buildAdder("org.example.other", in: $0)
            }, trusted: false, configure: { $0.checksReproducibility = true })
        guard trustedByUser else { return (studio, studio.host) }
        _ = try studio.host.trust(extensionNamed: "adder")
        return (studio, try studio.otherHost(trusted: false))
    }

    private func edit(
        _ asset: String, _ name: String = "adder", amount: Int, mode: String = "plain",
        step: Int? = nil, _ studio: TestStudio, _ host: ExtensionHost
    ) async throws -> EditResult {
        let request = EditRequest(
            extensionName: name, values: ["amount": "\(amount)", "mode": mode], step: step)
        return try await host.edit([asset], request, in: studio.library)[0]
    }

    private func rerender(
        _ asset: String, _ studio: TestStudio, _ host: ExtensionHost
    ) async throws -> RerenderResult {
        let results = Mutex<[RerenderResult]>([])
        try await host.rerender([asset], in: studio.library, force: true, jobs: 1) { result in
            results.withLock { $0.append(result) }
        }
        return try #require(results.withLock { $0.first })
    }

    @Test(
        "an edit that rejects its recipe or renders differently keeps its picture",
        arguments: [
            ("REFUSES", "plain", true), ("REFUSES", "plain", false), ("DRAWS_ELSE", "plain", true),
            ("DRAWS_ELSE", "plain", false), ("DRAWS_ELSE", "file", true),
            ("DRAWS_ELSE", "file", false), ("REFUSES", "file", false),
        ])
    func kept(_ fault: String, _ mode: String, trustedByUser: Bool) async throws {
        let (studio, host) = try studio([fault], trustedByUser: trustedByUser)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let result = try await edit(asset, amount: 7, mode: mode, studio, host)
        #expect(result.status == .committed)
        #expect(result.warnings.contains { $0.contains("is not reproducible") })
        #expect(try studio.current(asset) == picture.adding(7))
        let kept = try #require(try studio.library.history(ofAsset: asset).chain.last)
        #expect(!kept.isReproducible)
        #expect(kept.editingExtension?.identifier == Self.identifier)

        // It is re-encoded, not re-rendered, and so is the edit above it.
        #expect(try await rerender(asset, studio, host).status == .rendered)
        #expect(try studio.current(asset) == picture.adding(7))
        let above = try await edit(asset, "other", amount: 20, studio, host)
        #expect(above.warnings == [])
        #expect(try studio.current(asset) == picture.adding(27))
        #expect(try await rerender(asset, studio, host).status == .rendered)
        #expect(try studio.current(asset) == picture.adding(27))
        _ = try await edit(asset, "other", amount: 30, studio, host)
        #expect(try studio.current(asset) == picture.adding(37))
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await host.shutDown()
    }

    @Test("edits below a kept picture cannot be reopened, and the error explains it")
    func below() async throws {
        let (studio, host) = try studio(["DRAWS_ELSE"], trustedByUser: true)
        let asset = try await studio.add(.gradient())
        _ = try await edit(asset, "other", amount: 3, studio, host)
        _ = try await edit(asset, amount: 7, studio, host)
        let error = await #expect(throws: HostError.self) {
            _ = try await edit(asset, "other", amount: 4, step: 1, studio, host)
        }
        #expect(error?.message.contains("did not render it again from its recipe") == true)
        #expect(try studio.current(asset) == TestPicture.gradient().adding(10))
        await host.shutDown()
    }

    @Test("a kept picture below other edits stays, and those are re-rendered on it")
    func reopened() async throws {
        let (studio, host) = try studio(["DRAWS_ELSE"], trustedByUser: false)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        _ = try await edit(asset, amount: 7, studio, host)
        _ = try await edit(asset, "other", amount: 20, studio, host)
        _ = try await edit(asset, amount: 9, step: 1, studio, host)
        #expect(try studio.current(asset) == picture.adding(29))
        let chain = try studio.library.history(ofAsset: asset).chain
        #expect(chain.map(\.isReproducible) == [false, true])
        _ = try await host.undo(asset, in: studio.library)
        #expect(try studio.current(asset) == picture.adding(27))
        await host.shutDown()
    }

    @Test("an irreproducible expensive edit causes a warning and keeps its picture")
    func expensive() async throws {
        let (studio, host) = try studio(
            ["DRAWS_ELSE"], manifest: ["expensive": true], trustedByUser: true)
        let asset = try await studio.add(.gradient())
        #expect(try await edit(asset, amount: 7, studio, host).warnings.count == 1)
        #expect(try studio.current(asset) == TestPicture.gradient().adding(7))
        await host.shutDown()
    }

    @Test(
        "irreproducibility is detected once per build and remembered for other hosts",
        arguments: [true, false])
    func once(isFaulty: Bool) async throws {
        let (studio, host) = try studio(isFaulty ? ["REFUSES"] : [], trustedByUser: false)
        let kind = isFaulty ? "notReproducing" : "reproducing"
        for seed in 0..<2 {
            let asset = try await studio.add(.gradient(seed: seed))
            let result = try await edit(asset, amount: 7, studio, host)
            #expect(result.warnings.isEmpty == !isFaulty)
        }
        let refusals = {
            studio.log.lines.filter { $0.contains("cannot render an edit again") }.count
        }
        #expect(refusals() == (isFaulty ? 1 : 0))
        let path = studio.folder.file("configuration/extensions.jsonl")
        let known = try String(contentsOfFile: path, encoding: .utf8)
        #expect(
            known.hasSuffix(
                "\"identifier\":\"\(Self.identifier)\",\"kind\":\"\(kind)\"}\n"))

        let other = try studio.otherHost(trusted: false)
        let asset = try await studio.add(.gradient(seed: 2))
        let result = try await edit(asset, amount: 7, studio, other)
        #expect(result.warnings.isEmpty == !isFaulty)
        #expect(refusals() == (isFaulty ? 1 : 0))
        // Another build is checked again.
        try FileManager.default.removeItem(atPath: "\(studio.extensions)/adder.editingextension")
        try TestExtension.buildAdder(
            defines: ["RECORD"] + (isFaulty ? [] : ["REFUSES"]), in: studio.extensions)
        let third = try studio.otherHost(trusted: false)
        let again = try await studio.add(.gradient(seed: 3))
        #expect(try await edit(again, amount: 7, studio, third).warnings.isEmpty == isFaulty)
        for host in [host, other, third] { await host.shutDown() }
    }

    @Test("concurrent first edits by a build test it once")
    func concurrently() async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildAdder(defines: ["REFUSES"], in: $0) },
            trusted: false,
            configure: {
                $0.checksReproducibility = true
                $0.runnerLimit = 4
            })
        var assets: [String] = []
        for seed in 0..<4 { assets.append(try await studio.add(.gradient(seed: seed))) }
        let request = EditRequest(extensionName: "adder", values: ["amount": "7"])
        let results = try await studio.host.edit(assets, request, in: studio.library)
        #expect(results.map(\.warnings.count) == [1, 1, 1, 1])
        for (seed, asset) in assets.enumerated() {
            #expect(try studio.current(asset) == TestPicture.gradient(seed: seed).adding(7))
        }
        let refusals = studio.log.lines.filter { $0.contains("cannot render an edit again") }
        #expect(refusals.count == 1)
        await studio.host.shutDown()
    }

    @Test(
        "the first edit of a build gives the same bytes as later ones", arguments: [true, false])
    func bytes(trustedByUser: Bool) async throws {
        let (studio, host) = try studio([], trustedByUser: trustedByUser)
        let jpeg = try TestPicture.gradient(width: 90, height: 70).encoded("jpeg")
        let asset = try await studio.add(jpeg, named: "a.jpg")
        let first = try await edit(asset, amount: 7, studio, host)
        _ = try await host.undo(asset, in: studio.library)
        let second = try await edit(asset, amount: 7, studio, host)
        #expect(first.rendition != nil && first.rendition == second.rendition)
        await host.shutDown()
    }

    @Test("the first edit of a build runs its recipe only once", arguments: [true, false])
    func cost(trustedByUser: Bool) async throws {
        let (studio, host) = try studio(["ASK"], trustedByUser: trustedByUser)
        let asset = try await studio.add(.gradient())
        _ = try await edit(asset, amount: 7, studio, host)
        #expect(studio.log.lines.filter { $0.contains("asked \(Self.identifier)") }.count == 1)
        #expect(try studio.current(asset) == TestPicture.gradient().adding(7))
        await host.shutDown()
    }

    @Test("an extension that crashes on its recipe keeps its picture and is retried")
    func death() async throws {
        let (studio, host) = try studio(["CRASHES_OVER_RECIPE"], trustedByUser: false)
        for seed in 0..<2 {
            let asset = try await studio.add(.gradient(seed: seed))
            let result = try await edit(asset, amount: 7, studio, host)
            #expect(result.status == .committed && result.warnings.count == 1)
            #expect(try studio.current(asset) == TestPicture.gradient(seed: seed).adding(7))
        }
        let refusals = studio.log.lines.filter { $0.contains("cannot render an edit again") }
        #expect(refusals.count == 2)
        await host.shutDown()
    }
}
