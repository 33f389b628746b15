// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Reducing the output of an extension costs about as much as computing it.
@Suite("reduced output of extensions")
struct ReducedOutputTests {
    /// The plug-in reads 328 rows for a tile of 128 rows, and 201 for a single row.
    private static let most = 8.0

    /// The average number of times each pixel was read.
    private static func ratios(_ log: TestLog) -> [Double] {
        log.lines.compactMap { line in
            line.firstMatch(of: /(\d+) pixels read of (\d+)/).flatMap { found in
                Double(found.1).flatMap { read in Double(found.2).map { read / $0 } }
            }
        }
    }

    @Test(
        "export computes each pixel only a few times, however small the result", arguments: [3, 4])
    func export(bands: Int) async throws {
        let studio = try TestStudio(extensions: { try TestExtension.buildNeighbours(in: $0) })
        let asset = try await studio.add(.gradient(width: 700, height: 900, bands: bands))
        try await studio.edit(asset, "neighbours")
        for side in [600, 300, 120, 40] {
            let before = Self.ratios(studio.log).count
            var options = ExportOptions()
            options.size = PixelSize(width: side, height: side)
            options.format = .png
            _ = try await studio.host.export(
                asset, from: studio.library, to: studio.folder.file("out-\(side)"), options)
            let ratios = Self.ratios(studio.log).dropFirst(before)
            #expect(!ratios.isEmpty && ratios.allSatisfy { 0.9...Self.most ~= $0 }, "\(ratios)")
        }
        await studio.host.shutDown()
    }

    @Test("rendering for viewing without an exact size computes each pixel only a few times")
    func rendering() async throws {
        let studio = try TestStudio(extensions: { try TestExtension.buildNeighbours(in: $0) })
        let asset = try await studio.add(.gradient(width: 700, height: 900))
        try await studio.edit(asset, "neighbours")
        // The stored rendition would be used otherwise.
        let stored = try #require(
            try studio.library.history(ofAsset: asset).chain.last?.current?.blob)
        try FileManager.default.removeItem(atPath: studio.blobPath(stored))
        let before = Self.ratios(studio.log).count
        let manager = studio.manager()
        for side in [40, 120] {
            let image = try await manager.image(
                for: studio.asset(asset), targetSize: PixelSize(width: side, height: side))
            #expect(image.width >= side * 7 / 9)
        }
        await studio.host.shutDown()
        let ratios = Self.ratios(studio.log).dropFirst(before)
        #expect(!ratios.isEmpty && ratios.allSatisfy { 0.9...Self.most ~= $0 }, "\(ratios)")
    }

    @Test("a deadline missed while the runner reduces does not count against the extension")
    func timeout() async throws {
        let studio = try TestStudio(extensions: {
            try TestExtension.buildNeighbours(defines: ["HANG"], in: $0)
        })
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "neighbours")
        let host = try studio.otherHost { $0.timeouts.render = .seconds(2) }
        func export(_ size: PixelSize?) async throws -> HostError? {
            var options = ExportOptions()
            options.size = size
            options.format = .tiff
            return await #expect(throws: HostError.self) {
                try await host.export(
                    asset, from: studio.library, to: studio.folder.file("out"), options)
            }
        }
        let reduced = try await export(PixelSize(width: 9, height: 9))
        #expect(reduced?.code == .runnerFailed && reduced?.extensionIdentifier == nil)
        let words =
            "did not answer within 2 s while it reduced the picture from org.example.neighbours"
        #expect(reduced?.message.contains(words) == true, "\(reduced as Any)")
        #expect(reduced?.assetIdentifier == asset)
        #expect(host.quarantine.entries == [])
        // Without a reduction, the extension alone exceeds the deadline.
        let full = try await export(nil)
        #expect(full?.extensionIdentifier == "org.example.neighbours")
        #expect(host.quarantine.entries.map(\.failures) == [1])
        await host.shutDown()
        await studio.host.shutDown()
    }
}
