// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing

/// Bytes that leave the library through its public calls.
@Suite("data that leaves the library")
struct CopiedOutTests {
    private let studio: TestStudio
    private let asset: String
    private let path: String

    /// A referenced photo that was overwritten with the same size and time.
    init() async throws {
        studio = try TestStudio()
        let files = FileManager.default
        let path = try studio.folder.write(
            TestPicture.gradient(seed: 1).encoded("tiff"), to: "own.tif")
        var identifier: String?
        try await studio.host.importPhotos(at: [path], into: studio.library, by: .reference) {
            identifier = $0.assetIdentifier
        }
        asset = try #require(identifier)
        let date = try #require(
            try files.attributesOfItem(atPath: path)[.modificationDate] as? Date)
        let spare = path + ".time"
        #expect(try runProgram("/usr/bin/touch", ["-r", path, spare]).status == 0)
        try TestPicture.gradient(seed: 2).encoded("tiff").write(to: URL(fileURLWithPath: path))
        #expect(try runProgram("/usr/bin/touch", ["-r", spare, path]).status == 0)
        #expect(try files.attributesOfItem(atPath: path)[.modificationDate] as? Date == date)
        self.path = path
    }

    private func resource() throws -> AssetResource {
        try #require(
            try AssetResource.assetResources(for: studio.asset(asset), in: studio.library).first)
    }

    private func expectChanged(_ body: () async throws -> Void) async {
        let error = await #expect(throws: LibraryError.self) { try await body() }
        #expect(error?.code == .referencedFileChanged)
    }

    @Test("requestData and writeData give no bytes of a foreign file")
    func resources() async throws {
        let manager = AssetResourceManager(host: studio.host, library: studio.library)
        let resource = try resource()
        var count = 0
        await expectChanged { try await manager.requestData(for: resource) { count += $0.count } }
        #expect(count == 0)
        let target = studio.folder.file("out.tif")
        await expectChanged { try await manager.writeData(for: resource, toFile: target) }
        #expect(!FileManager.default.fileExists(atPath: target))
        await studio.host.shutDown()
    }

    @Test("an application's input is not rendered from a foreign file; openOriginal rejects it")
    func input() async throws {
        await expectChanged { _ = try await studio.input(asset) }
        let resource = try resource()
        await expectChanged { _ = try studio.library.openOriginal(resource) }
        await expectChanged {
            _ = try await studio.host.previousVersion(of: edited(), in: studio.library)
        }
        await studio.host.shutDown()
    }

    /// Decision 13: size and modification time are sufficient for rendering.
    private func edited() async throws -> String {
        try await studio.edit(asset, "adder", ["amount": "30"])
        #expect(try studio.current(asset) == TestPicture.gradient(seed: 2).adding(30))
        return asset
    }
}
