// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import Logging
import RunnerProtocol
import Testing
import TestSupport

@testable import EditHost
@testable import RunnerHost

/// Small files that declare large pictures, or many.
@Suite("decompression bombs")
struct BombTests {
    private static func failure(of bomb: Data) async throws -> (RunnerFailure?, peak: Int) {
        let runner = try await RunnerProcess.start(
            executable: BuildProducts.runner, threads: 2, sandbox: .complete,
            timeouts: RunnerTimeouts(), logger: Logger(label: "test") { _ in TestLog() })
        let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
        let reply = try await runner.request(
            .run(job), descriptors: [(.base, .memory("bomb", holding: bomb))],
            timeout: .seconds(300))
        let peak = try MemoryUse.peak(of: "\(runner.pid)")
        await runner.shutDown()
        guard case .failed(let failure) = reply else { return (nil, peak) }
        return (failure, peak)
    }

    @Test("900 megapixels in 109 kB are rejected at the header within 100 MB")
    func pixels() async throws {
        let row = Data(repeating: 0, count: 1 + 30000 / 8)
        let bomb = try Bomb.png(width: 30000, height: 30000, rows: row, count: 30000)
        #expect(bomb.count < 200_000)
        let (failure, peak) = try await Self.failure(of: bomb)
        #expect(failure?.code == .tooLarge)
        #expect(failure?.message.contains("30000x30000") == true)
        #expect(peak < 100 << 20, "\(peak) bytes")

        let studio = try TestStudio()
        let error = await #expect(throws: HostError.self) {
            try await studio.add(bomb, named: "bomb.png")
        }
        #expect(error?.code == .badInput)
        await studio.host.shutDown()
    }

    @Test(
        "a header of 65535x65535 is rejected within 100 MB",
        arguments: ["png", "tiff", "gif", "jpeg"])
    func header(format: String) async throws {
        let (failure, peak) = try await Self.failure(of: try Bomb.header(format))
        let codes: [RunnerFailure.Code] = [.tooLarge, .badInput]
        #expect(failure.map { codes.contains($0.code) } == true, "\(failure as Any)")
        #expect(peak < 100 << 20, "\(peak) bytes")
    }

    @Test("the first of 10,000 frames is used, with a warning")
    func frames() async throws { try await Self.expectFirst(Bomb.frames(10_000)) }

    @Test("the first of 2,000 pages is used, with a warning")
    func pages() async throws {
        try await Self.expectFirst(Bomb.pages(2000), isAnimated: false)
    }

    static func expectFirst(_ bomb: Data, isAnimated: Bool = true) async throws {
        let studio = try TestStudio()
        let path = try studio.folder.write(bomb, to: "many")
        var results: [ImportResult] = []
        try await studio.host.importPhotos(at: [path], into: studio.library) {
            results.append($0)
        }
        let result = try #require(results.first)
        #expect(result.status == .imported, "\(result.error as Any)")
        #expect(result.warnings.contains { $0.contains("only the first of") })
        let asset = try #require(result.assetIdentifier)
        let shown = try studio.library.history(ofAsset: asset).asset
        #expect(shown.pixelWidth == 1 && shown.pixelHeight == 1)
        #expect(shown.mediaSubtypes.contains(.animated) == isAnimated)
        try await studio.edit(asset, "adder", ["amount": "9"])
        let picture = try studio.current(asset)
        #expect(picture.width == 1 && picture.height == 1)
        await studio.host.shutDown()
    }
}

/// The same tests with a file that takes long to read.
@Suite(
    "large decompression bombs", .torture)
struct BombTorture {
    @Test("the first of 100,000 pages is used, with a warning")
    func pages() async throws {
        try await BombTests.expectFirst(Bomb.pages(100_000), isAnimated: false)
    }
}
