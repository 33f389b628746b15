// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// A session with an untrusted extension gets no files, only pixels that are rendered when it first reads them.
@Suite("lazily decoded pixels in untrusted sessions")
struct LazyPixelSourceTests {
    private static let picture = TestPicture.gradient(width: 300, height: 200)

    private static func decodes(_ host: ExtensionHost) -> Int {
        host.decodes.fullSize + host.decodes.reduced
    }

    @Test("an unread image is not decoded, and a read one is decoded once")
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
            // For the first edit of each extension, the current state is also the input.
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

    /// A session for an asset with an edit, not yet started in the extension.
    private struct Bench {
        let studio: TestStudio
        let session: ControllerSession
        let placeholder: LazyPixelSource
        /// The descriptors for the extension's runner. Unread pixels are not rendered.
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
            placeholder = try await LazyPixelSource(
                renderer.open(current.blob, .encoded(current.format), of: plan), of: plan,
                longerSide: 2048, by: renderer, for: binary, host.logger
            ).unwrapped()
            session.offer(placeholder: placeholder)
            descriptors = try placeholder.takeDescriptors(hasProfile: false)
        }

        func end() async {
            await session.close()
            await studio.host.shutDown()
        }
    }

    @Test("an image requested repeatedly is rendered once, and not after the end")
    func often() async throws {
        let bench = try await Bench()
        let before = LazyPixelSourceTests.decodes(bench.studio.host)
        for _ in 0..<100 { bench.placeholder.render(for: bench.session.runner.process) }
        await bench.placeholder.end()
        #expect(LazyPixelSourceTests.decodes(bench.studio.host) == before + 1)
        let picture = Self.picture.adding(5)
        let bytes = try bench.pixels.read(count: picture.samples.count)
        let shown = TestPicture(
            width: picture.width, height: picture.height, bands: 3, samples: Array(bytes))
        #expect(shown == picture)
        await bench.end()

        let other = try await Bench()
        let count = LazyPixelSourceTests.decodes(other.studio.host)
        await other.placeholder.end()
        other.placeholder.render(for: other.session.runner.process)
        await other.end()
        #expect(LazyPixelSourceTests.decodes(other.studio.host) == count)
    }

    /// A session whose input is a truncated file.
    private struct BrokenInput {
        let studio: TestStudio
        let session: ControllerSession
        let plan: StatePlan
        let pending: LazyPixelSource
        var renderer: Renderer { studio.host.renderer(of: studio.library) }

        init(_ bytes: Data, readsInFinish: Bool) async throws {
            studio = try TestStudio(
                extensions: {
                    try TestExtension.buildAdder(defines: readsInFinish ? ["WITNESS"] : [], in: $0)
                }, trusted: false)
            let host = studio.host
            let asset = try await studio.add(.gradient())
            let renderer = host.renderer(of: studio.library)
            plan = try renderer.planner.plan([], of: studio.library.history(ofAsset: asset))
            let binary = try host.extensions.binary(identifier: "org.example.adder")
            session = try await ControllerSession(binary, inputExtensions: [], pool: host.pool)
            let file = try OpenFile.sealedMemory("input", holding: bytes)
            pending = try await LazyPixelSource(
                Renderer.Base(bytes: file, kind: .encoded(.png)), of: plan, longerSide: nil,
                by: renderer, for: binary, host.logger
            ).unwrapped()
            session.offer(input: pending)
        }

        /// The rendered result of an edit.
        func edited() async throws -> Data {
            let start = SessionStart(
                input: RenderInput(base: .raw(pending.layout)), adjustmentData: nil,
                placeholder: nil, mediaType: .image, mediaSubtypes: [], creationDate: nil,
                location: nil, contentType: "image/png", renderedContentType: "image/png",
                displaySize: 2048)
            _ = try await session.start(start, pending.takeDescriptors(hasProfile: false))
            _ = try await session.finish()
            let picture = try await session.render(
                EncodedOutput(EncodeSettings(format: .png)), by: renderer, of: plan,
                over: pending.base)
            return try picture.bytes.read(count: picture.byteCount)
        }

        func end() async {
            await session.close()
            await studio.host.shutDown()
        }
    }

    @Test(
        "an incompletely decodable input is blamed regardless of the reader",
        arguments: [true, false])
    func brokenInput(readsInFinish: Bool) async throws {
        let picture = TestPicture.gradient(width: 640, height: 600)
        let whole = try picture.encoded()
        for length in [whole.count / 10, whole.count / 2, whole.count - 30] {
            let bench = try await BrokenInput(
                whole.prefix(length), readsInFinish: readsInFinish)
            let error = await #expect(throws: HostError.self, "\(length)") {
                try await bench.edited()
            }
            #expect(error?.code == .badInput, "\(error as Any)")
            #expect(error?.extensionIdentifier == nil)
            let failures = bench.studio.host.pool.quarantine.entry(of: bench.session.digest)
            #expect(failures?.failures ?? 0 == 0)
            await bench.end()
        }
        let bench = try await BrokenInput(whole, readsInFinish: readsInFinish)
        #expect(try await TestPicture(decoding: bench.edited()) == picture.adding(10))
        await bench.end()
    }

    @Test("waiting for another runner does not count against an extension's deadline")
    func waiting() async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildAdder(defines: ["HANG_CAN_HANDLE"], in: $0) },
            trusted: false, configure: { $0.timeouts.shortCall = .seconds(1) })
        let binary = try studio.host.extensions.binary(identifier: "org.example.adder")
        let session = try await ControllerSession(
            binary, inputExtensions: [], pool: studio.host.pool)
        let recipe = AdjustmentData(
            formatIdentifier: "org.example.adder", formatVersion: "1.0",
            data: Data("1 plain".utf8))
        let process = session.runner.process
        let answer = Task { try await session.canHandle(recipe) }
        try await waitUntil("the runner has a request") {
            process.state.withLock { !$0.pending.isEmpty }
        }
        process.beginWaiting(isNow: true)
        try await Task.sleep(for: .seconds(3))
        #expect(session.isAlive)
        process.endWaiting()
        let error = await #expect(throws: HostError.self) { try await answer.value }
        #expect("\(error as Any)".contains("did not answer within 1 s"), "\(error as Any)")
        await session.close()
        await studio.host.shutDown()
    }

    @Test(
        "a request that is answered at once keeps its deadline while the runner waits for another")
    func immediate() async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildAdder(in: $0) }, trusted: false,
            configure: { $0.timeouts.shortCall = .seconds(1) })
        let binary = try studio.host.extensions.binary(identifier: "org.example.adder")
        let session = try await ControllerSession(
            binary, inputExtensions: [], pool: studio.host.pool)
        let process = session.runner.process
        process.beginWaiting(isNow: true)
        process.stop()
        // It does not return without a deadline.
        #expect(await !session.shouldShowCancelConfirmation())
        #expect(!session.isAlive)
        await session.close()
        await studio.host.shutDown()
    }
}
