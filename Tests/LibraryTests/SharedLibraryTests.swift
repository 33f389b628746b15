// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Library

/// The user's library, opened by processes with different environments.
@Suite("shared library")
struct SharedLibraryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a process that opens the library from four threads and makes an album.
    private func open(_ environment: [String: String]) throws -> ProcessResult {
        try runProgram(
            BuildProducts.folder + "/LibraryDriver", ["", "shared"],
            environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 })
    }

    @Test("K-24 its path follows EDITHOST_LIBRARY, XDG_DATA_HOME and HOME like the command line")
    func place() throws {
        let (own, data, home) = (
            folder.file("own.editlibrary"), folder.file("data"), folder.file("home")
        )
        let places: [([String: String], String)] = [
            (["EDITHOST_LIBRARY": own, "XDG_DATA_HOME": data, "HOME": home], own),
            (
                ["EDITHOST_LIBRARY": "", "XDG_DATA_HOME": data, "HOME": home],
                data + "/edithost/Photos.editlibrary"
            ),
            (
                ["XDG_DATA_HOME": "relative", "HOME": home],
                home + "/.local/share/edithost/Photos.editlibrary"
            ),
        ]
        for (environment, path) in places {
            #expect(PhotoLibrary.defaultPath(environment: environment) == path)
            // The first process creates the library, the second opens it.
            for count in 1...2 {
                let result = try open(environment)
                #expect(result.output == "opened 1 at \(path)\n", "\(result.errors)")
                let library = try PhotoLibrary.open(at: path)
                let albums = try AssetCollection.fetchAssetCollections(with: .album, in: library)
                #expect(albums.map(\.title) == Array(repeating: "Shared", count: count))
                try library.close()
            }
        }
    }

    @Test("a non-library in its path is left unchanged")
    func refused() throws {
        let path = try folder.write(Data("a file".utf8), to: "Photos.editlibrary")
        let result = try open(["EDITHOST_LIBRARY": path])
        #expect(result.status == 73)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("a file".utf8))
        // The parent folder of a path given by the user is not created.
        let nowhere = folder.file("no/such/folder/Photos.editlibrary")
        #expect(try open(["EDITHOST_LIBRARY": nowhere]).status == 73)
        #expect(!FileManager.default.fileExists(atPath: folder.file("no")))
    }
}
