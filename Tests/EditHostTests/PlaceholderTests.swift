// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol
import TestSupport
import Testing

@testable import EditHost

/// What an untrusted extension is shown of the current state: it is not given the file, and the picture is drawn when it
/// reads it first.
@Suite("Placeholders of untrusted extensions")
struct PlaceholderTests {
    private static let picture = TestPicture.gradient(width: 300, height: 200)

    private static func decodes(_ host: ExtensionHost) -> Int {
        host.decodes.fullSize + host.decodes.reduced
    }

    @Test("C-11 one that is not looked at is not decoded, one that is read is, once")
    func lazy() async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildAdder(in: $0)
                try TestExtension.buildAdder(
                    "org.example.looking", defines: ["WITNESS"], in: $0)
            }, trusted: false)
        let asset = try await studio.add(Self.picture)
        var counts: [String: [Int]] = [:]
        for name in ["adder", "looking"] {
            // The first of each is asked of a new state, which is its input, too.
            for amount in 1...3 {
                let before = Self.decodes(studio.host)
                try await studio.edit(asset, name, ["amount": "\(amount)"])
                counts[name, default: []].append(Self.decodes(studio.host) - before)
            }
        }
        #expect(counts == ["adder": [1, 1, 1], "looking": [1, 2, 2]])
        #expect(try studio.current(asset) == Self.picture.adding(6))
        await studio.host.shutDown()
    }

    /// A session of an edit that has one, without the extension having been told of it.
    private struct Bench {
        let studio: TestStudio
        let session: ControllerSession
        let placeholder: PendingPlaceholder
        /// What the extension's runner would have: what nobody reads is not drawn.
        let descriptors: [(DescriptorRole, OpenFile)]

        var pixels: OpenFile {
            get throws { try descriptors.first { $0.0 == .placeholder }.unwrapped().1 }
        }

        init() async throws {
            studio = try TestStudio(trusted: false)
            let host = studio.host
            let asset = try await studio.add(picture)
            try await studio.edit(asset, "adder", ["amount": "5"])
            let binary = try host.extensions.binary(identifier: "org.example.adder")
            session = try await ControllerSession(binary, inputExtensions: [], pool: host.pool)
            let renderer = host.renderer(of: studio.library)
            let history = try studio.library.history(ofAsset: asset)
            let plan = try renderer.planner.plan([], of: history)
            let current = try history.chain.last.flatMap(\.current).unwrapped()
            placeholder = try await PendingPlaceholder(
                renderer.open(current.blob, .encoded(current.format), of: plan), of: plan,
                displaySize: 2048, by: renderer, for: binary, host.logger)
            session.offer(placeholder)
            descriptors = try placeholder.takeDescriptors(hasProfile: false)
        }

        func end() async {
            await session.close()
            await studio.host.shutDown()
        }
    }

    @Test("C-11 however often a runner asks for it, it is drawn once, and not after the end")
    func often() async throws {
        let bench = try await Bench()
        let before = PlaceholderTests.decodes(bench.studio.host)
        for _ in 0..<100 { bench.placeholder.draw(for: bench.session.runner.process) }
        await bench.placeholder.end()
        #expect(PlaceholderTests.decodes(bench.studio.host) == before + 1)
        let picture = Self.picture.adding(5)
        let bytes = try bench.pixels.read(count: picture.samples.count)
        let shown = TestPicture(
            width: picture.width, height: picture.height, bands: 3, samples: Array(bytes))
        #expect(shown == picture)
        await bench.end()

        let other = try await Bench()
        let count = PlaceholderTests.decodes(other.studio.host)
        await other.placeholder.end()
        other.placeholder.draw(for: other.session.runner.process)
        await other.end()
        #expect(PlaceholderTests.decodes(other.studio.host) == count)
    }

    @Test("R-03 while an extension waits for another runner its time does not count")
    func waiting() async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildAdder(defines: ["HANG_CAN_HANDLE"], in: $0) },
            trusted: false, configure: { $0.deadlines.canHandle = .seconds(1) })
        let binary = try studio.host.extensions.binary(identifier: "org.example.adder")
        let session = try await ControllerSession(
            binary, inputExtensions: [], pool: studio.host.pool)
        let recipe = AdjustmentData(
            formatIdentifier: "org.example.adder", formatVersion: "1.0",
            data: Data("1 plain".utf8))
        let process = session.runner.process
        let answer = Task { try await session.canHandle(recipe) }
        while process.state.withLock({ $0.pending.isEmpty }) { await Task.yield() }
        process.beginWaiting(isNow: true)
        try await Task.sleep(for: .seconds(3))
        #expect(session.isAlive)
        process.endWaiting()
        let error = await #expect(throws: HostError.self) { try await answer.value }
        #expect("\(error as Any)".contains("no answer within 1 s"), "\(error as Any)")
        await session.close()
        await studio.host.shutDown()
    }
}
