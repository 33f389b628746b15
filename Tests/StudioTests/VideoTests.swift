// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import HTTPTypes
import Library
import NIOCore
import TestSupport
import Testing

@testable import Studio

@Suite("studio videos")
struct VideoTests {
    private func key(_ asset: String, _ client: StudioClient) async throws -> String {
        let details = try await client.json(.get, "/api/assets/\(asset)")
        return try #require(details["key"] as? String)
    }

    /// Imports a Live Photo whose files are `a.jpg` and `a.mov`.
    private func livePhoto(_ fixture: StudioFixture) async throws -> String {
        let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
        let files = [fixture.folder.file("a.jpg"), fixture.folder.file("a.mov")]
        try TestLivePhoto.makeStill(files[0], identifier)
        try TestLivePhoto.makeVideo(files[1], identifier)
        return try await fixture.importAsset(files)
    }

    @Test("L-19 a Live Photo has both resources in JSON, and its motion is sent as it is stored")
    func livePhoto() async throws {
        let fixture = try StudioFixture()
        let asset = try await livePhoto(fixture)
        let file = try Data(contentsOf: URL(fileURLWithPath: fixture.folder.file("a.mov")))
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let details = try await client.json(.get, "/api/assets/\(asset)")
            let resources = try #require(details["resources"] as? [[String: Any]])
            #expect(resources.compactMap { $0["type"] as? String } == ["photo", "pairedVideo"])
            #expect(resources.compactMap { $0["filename"] as? String } == ["a.jpg", "a.mov"])
            let path = "/videos/\(asset)/\(try await key(asset, client)).mp4"
            let video = try await client.send(.get, path)
            #expect(video.status == .ok && video.headers[.contentType] == "video/mp4")
            #expect(Data(buffer: video.body) == file)
        }
    }

    @Test("HEVC is sent as H.264, and all parts of it belong to one file")
    func converted() async throws {
        let fixture = try StudioFixture()
        let path = fixture.folder.file("a.mov")
        try TestVideo.make(
            path, size: "96x64", seconds: 1,
            ["-c:v", "libx265", "-tag:v", "hvc1", "-pix_fmt", "yuv420p", "-c:a", "aac"])
        let asset = try await fixture.importAsset([path])
        let folder = fixture.folder
        try await fixture.test { client async throws in
            var client = try await client.loggedIn()
            let state = "/api/assets/\(asset)/video"
            #expect(try await client.json(.get, state)["state"] as? String == "unconverted")
            let url = "/videos/\(asset)/\(try await key(asset, client)).mp4"
            client.headers[.range] = "bytes=0-99"
            let first = try await client.send(.get, url)
            #expect(first.status == .partialContent && first.body.readableBytes == 100)
            #expect(try await client.json(.get, state)["state"] as? String == "ready")
            client.headers[.range] = "bytes=100-"
            let rest = try await client.send(.get, url)
            #expect(rest.status == .partialContent)
            let bytes = Data(buffer: first.body) + Data(buffer: rest.body)
            #expect(first.headers[.contentRange] == "bytes 0-99/\(bytes.count)")
            let file = try folder.write(bytes, to: "sent.mp4")
            let facts = try TestVideo.probe(file)
            #expect(facts.codec == "h264" && facts.audioCodec == "aac")
            #expect(facts.width == 96 && facts.height == 64)
            let near = try TestVideo.ratios(file, to: path, filter: "null")
            #expect(near.count == 25 && near.allSatisfy { $0 > 25 }, "\(near)")
        }
    }

    @Test("the content key with the state of a video is the one that its video is requested with")
    func sameKey() async throws {
        let fixture = try StudioFixture(extensions: {
            try TestExtension.assemble("SepiaFilter", in: $0)
        })
        let path = fixture.folder.file("a.mov")
        try TestVideo.make(path, size: "96x64", seconds: 1, ["-c:v", "libx264", "-an"])
        let asset = try await fixture.importAsset([path])
        for intensity in ["1", "0.5"] {
            _ = try await fixture.host.edit(
                [asset],
                EditRequest(extensionName: "sepia", values: ["intensity": intensity]),
                in: fixture.library)
        }
        // Without the rendition of the first state, the key depends on the installed extensions.
        #expect(try fixture.host.prune(fixture.library).renditionCount > 0)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let state = try await client.json(.get, "/api/assets/\(asset)/video")
            #expect(try await state["key"] as? String == key(asset, client))
        }
    }

    @Test("a photo has no video, and neither has an unknown content key")
    func missing() async throws {
        let fixture = try StudioFixture()
        let asset = try #require(try await fixture.importPictures(1).first)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let url = "/videos/\(asset)/\(try await key(asset, client)).mp4"
            #expect(
                try await client.errorCode(.get, url, status: .unprocessableContent)
                    == "unsupportedMediaType")
            #expect(
                try await client.json(.get, "/api/assets/\(asset)/video")["state"] as? String
                    == "none")
            #expect(
                try await client.errorCode(.get, "/api/assets/none/video", status: .notFound)
                    == "noSuchAsset")
        }
    }
}
