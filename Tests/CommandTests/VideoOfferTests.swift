// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import TestSupport
import Testing

/// The extensions that are offered for a video.
@Suite("extensions for a video")
struct VideoOfferTests {
    @Test("C-03 extensions list --for a video reports image-only extensions as unsupported")
    func listed() async throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        try TestExtension.buildAdder(
            manifest: ["supportedMediaTypes": ["image"]],
            in: bench.folder.file("extensions"))
        let library = try PhotoLibrary.open(at: bench.folder.file("Photos.editlibrary"))
        let path = try bench.folder.write(Data("a film".utf8), to: "film.mp4")
        try await library.performChanges {
            try AssetCreationRequest(mediaType: .video).addResource(.video, path: path)
        }
        let video = try #require(try Asset.fetchAssets(with: .video, in: library).first)
        try library.close()
        func offer(_ id: String) throws -> [String: Bool] {
            let lines = try bench.json("extensions", "list", "--for", id)
            return Dictionary(
                uniqueKeysWithValues: try lines.map {
                    (
                        try #require($0["identifier"] as? String),
                        try #require($0["supported"] as? Bool)
                    )
                })
        }
        #expect(
            try offer(video.localIdentifier)
                == ["org.edithost.sepia": true, "org.example.adder": false])
        #expect(try offer(ids[0]) == ["org.edithost.sepia": true, "org.example.adder": true])
        let refused = try bench.run("edit", video.localIdentifier, "--with", "adder")
        #expect(refused.status == 69, "\(refused.errors)")
    }
}
