// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import TestSupport
import Testing

/// The example program that `docs/guides/use-the-library.md` shows.
@Suite("AlbumApp example")
struct AlbumAppTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try TestExtension.assemble("SepiaFilter", in: folder.file("extensions"))
        for name in ["photos", "exported", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
    }

    private func run() throws -> ProcessResult {
        var environment = ProcessInfo.processInfo.environment
        environment["EDITHOST"] = BuildProducts.command
        environment["EDITHOST_EXTENSION_PATH"] = folder.file("extensions")
        environment["XDG_CONFIG_HOME"] = folder.file("configuration")
        environment["TMPDIR"] = folder.file("tmp")
        return try runProgram(
            "\(BuildProducts.folder)/AlbumApp",
            [
                folder.file("Test.editlibrary"), "Summer", folder.file("photos"),
                folder.file("exported"),
            ], environment: environment)
    }

    @Test("AlbumApp imports, fetches, changes, observes, edits and exports")
    func allSections() throws {
        let names = ["a.png", "b.png"]
        for (seed, name) in names.enumerated() {
            try folder.write(
                TestPicture.gradient(seed: seed).encoded(), to: "photos/\(name)")
        }
        let result = try run()
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        let lines = result.output.split(separator: "\n").map(String.init)
        let isObserved = { (line: String) in line.hasPrefix("edited ") }
        #expect(
            lines.filter { !isObserved($0) } == [
                "2 photos without an edit", "  a.png, 37 x 23", "  b.png, 37 x 23",
                "2 edited", folder.file("exported/a.png"), folder.file("exported/b.png"),
                "1 inserted, 0 updated, 0 deleted", "1 inserted, 0 updated, 0 deleted",
                "0 inserted, 2 updated, 0 deleted", "0 inserted, 2 updated, 0 deleted",
            ])
        // The observer is another task, so its lines can appear anywhere.
        #expect(lines.filter(isObserved).sorted() == names.map { "edited \($0)" })

        let library = try PhotoLibrary.open(at: folder.file("Test.editlibrary"))
        let albums = try AssetCollection.fetchAssetCollections(with: .album, in: library)
        #expect(albums.map(\.title) == ["Summer"])
        let members = try Asset.fetchAssets(in: try #require(albums.first), library: library)
        #expect(members.map(\.originalFilename) == names)
        #expect(members.allSatisfy { $0.isFavorite && $0.hasAdjustments })
        try library.close()
    }
}
