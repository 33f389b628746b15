// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Stored files whose bytes have changed on disk.
@Suite("bit rot")
struct BitRotTests {
    private let studio: TestStudio
    private let asset: String
    private let picture = TestPicture.gradient(width: 64, height: 48)

    /// Uncompressed, so that a changed byte still gives a valid picture.
    init() async throws {
        studio = try TestStudio()
        asset = try await studio.add(picture.encoded("tiff"), named: "picture.tif")
    }

    /// Changes one sample of a stored file, but not its size and times.
    private func rot(_ hash: SHA256Digest?) throws {
        let path = studio.blobPath(try hash.unwrapped())
        let spare = studio.folder.file("time")
        #expect(try runProgram("/usr/bin/touch", ["-r", path, spare]).status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let middle = try file.seekToEnd() / 2
        try file.seek(toOffset: middle)
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: middle)
        try file.write(contentsOf: Data([byte ^ 1]))
        try file.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        #expect(try runProgram("/usr/bin/touch", ["-r", spare, path]).status == 0)
    }

    @Test("a file that grew is damaged and is not read to its end")
    func longer() async throws {
        let path = studio.blobPath(try history().original.unwrapped().blob.unwrapped())
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        // The sparse file takes no space, but reading it would take hours.
        try #require(truncate(path, 1 << 40) == 0)
        await expect(.originalDamaged) { try await studio.edit(asset) }
        await expect(.originalDamaged) { try await export() }
        await expect(.originalDamaged) { try await export { $0.version = .original } }
        #expect(try history().chain.isEmpty)
        await studio.host.shutDown()
    }

    private func history() throws -> AssetHistory { try studio.library.history(ofAsset: asset) }

    private func expect(
        _ code: LibraryError.Code, _ body: () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: LibraryError.self, sourceLocation: sourceLocation) {
            try await body()
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.assetIdentifier == asset, sourceLocation: sourceLocation)
        #expect(
            error?.message.contains(
                "run edithost check") == true, sourceLocation: sourceLocation)
    }

    private func export(_ change: (inout ExportOptions) -> Void = { _ in }) async throws {
        var options = ExportOptions()
        change(&options)
        _ = try await studio.host.export(
            asset, from: studio.library, to: studio.folder.file("out"), options)
    }

    /// The findings of `check`.
    private func findings() async throws -> [CheckReport.Kind] {
        try await studio.host.check(studio.library, readingDataOf: 100).findings.map(\.kind)
    }

    @Test("a damaged original is neither edited nor exported; check reports the same error")
    func original() async throws {
        try rot(try history().original?.blob)
        #expect(try await findings() == [.originalDamaged])
        await expect(.originalDamaged) { try await studio.edit(asset) }
        await expect(.originalDamaged) { try await export() }
        await expect(.originalDamaged) { try await export { $0.format = .png } }
        await expect(.originalDamaged) { try await export { $0.version = .original } }
        await expect(.originalDamaged) { _ = try await studio.input(asset) }
        let resource = try #require(
            try AssetResource.assetResources(for: studio.asset(asset), in: studio.library).first)
        let manager = AssetResourceManager(host: studio.host, library: studio.library)
        var count = 0
        await expect(.originalDamaged) {
            try await manager.requestData(for: resource) { count += $0.count }
        }
        let target = studio.folder.file("written.tif")
        await expect(.originalDamaged) {
            try await manager.writeData(for: resource, toFile: target)
        }
        #expect(count == 0 && !FileManager.default.fileExists(atPath: target))
        let out = try? FileManager.default.contentsOfDirectory(atPath: studio.folder.file("out"))
        #expect(out ?? [] == [])
        #expect(try history().chain.isEmpty)
        await studio.host.shutDown()
    }

    @Test("a damaged rendition is not handed out; re-rendering from the original repairs it")
    func rendition() async throws {
        try await studio.edit(asset, "adder", ["amount": "30"])
        try rot(try history().chain.last?.current?.blob)
        #expect(try await findings() == [.renditionDamaged])
        await expect(.renditionDamaged) { try await export() }
        // Rendered from the original, not from the damaged rendition.
        try await export { $0.format = .png }
        try await studio.edit(asset, "adder", ["amount": "31"])
        #expect(try studio.current(asset) == picture.adding(31))
        await studio.host.shutDown()
    }

    @Test(
        "a damaged lossless base is not used; re-rendering from the original repairs it")
    func base() async throws {
        try await studio.edit(asset, "adder", ["mode": "file"])
        let base = try #require(try history().chain.last?.base)
        try rot(base.blob)
        await expect(.renditionDamaged) { try await export { $0.format = .png } }
        var failures: [String] = []
        try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) {
            if let error = $0.error as? LibraryError { failures.append(error.code.rawValue) }
        }
        #expect(failures == [])
        #expect(try await findings() == [])
        try await export { $0.format = .png }
        await studio.host.shutDown()
    }

    @Test("a file is verified once per process, and again after a write that keeps its time")
    func again() async throws {
        let blob = try #require(try history().original?.blob)
        for amount in 1...3 {
            try await studio.edit(asset, "adder", ["amount": "\(amount)"])
            _ = try studio.library.openBlob(blob)
        }
        try rot(blob)
        await expect(.originalDamaged) { try await studio.edit(asset) }
        await expect(.originalDamaged) { try await studio.edit(asset) }
        #expect(throws: LibraryError.self) { try studio.library.openBlob(blob) }
        // The same change again undoes the damage.
        try rot(blob)
        try await studio.edit(asset, "adder", ["amount": "9"])
        #expect(try studio.current(asset) == picture.adding(9))
        await studio.host.shutDown()
    }

    @Test("a preview is rendered from a damaged original and not stored")
    func preview() async throws {
        try rot(try history().original?.blob)
        let size = try await studio.host.preview(
            asset, EditRequest(extensionName: "adder"), in: studio.library,
            to: studio.folder.file("preview.png"))
        #expect(size == PixelSize(width: 64, height: 48))
        let shown = try TestPicture(
            decoding: Data(contentsOf: URL(fileURLWithPath: studio.folder.file("preview.png"))))
        let expected = picture.adding(10)
        // Only the damaged sample differs, by 1.
        #expect(shown.largestDifference(from: expected) == 1)
        #expect(zip(shown.samples, expected.samples).count { $0 != $1 } == 1)
        #expect(try history().chain.isEmpty)
        await studio.host.shutDown()
    }

    @Test("concurrent opens of a damaged file all fail, and those of an intact file succeed")
    func threads() async throws {
        let good = try await studio.add(
            TestPicture.gradient(seed: 4).encoded("tiff"), named: "good.tif")
        let whole = try studio.library.history(ofAsset: good).original?.blob
        let broken = try history().original?.blob
        try rot(broken)
        let library = studio.library
        let results = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let hash = number % 2 == 0 ? whole : broken
                    let file = try? hash.map { try library.openBlob($0) }
                    return (file != nil) == (number % 2 == 0)
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(results == Array(repeating: true, count: 64))
        await studio.host.shutDown()
    }
}
