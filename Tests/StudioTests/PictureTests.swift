// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Library
import TestSupport
import Testing

@testable import Studio

@Suite("studio pictures")
struct PictureTests {
    private func key(_ asset: String, _ client: StudioClient) async throws -> String {
        let details = try await client.json(.get, "/api/assets/\(asset)")
        return try #require(details["key"] as? String)
    }

    @Test("a picture never changes under its URL, and is sent once")
    func immutable() async throws {
        let fixture = try StudioFixture()
        let asset = try #require(try await fixture.importPictures(1).first)
        try await fixture.test { client async throws in
            var client = try await client.loggedIn()
            let path = "/pictures/\(asset)/\(try await key(asset, client))/current?size=16"
            let first = try await client.send(.get, path)
            #expect(first.status == .ok && first.headers[.contentType] == "image/jpeg")
            #expect(first.headers[.cacheControl]?.contains("immutable") == true)
            let picture = try TestPicture(decoding: Data(buffer: first.body))
            #expect((picture.width, picture.height) == (16, 8))
            client.headers[.ifNoneMatch] = first.headers[.eTag]
            let second = try await client.send(.get, path)
            #expect(second.status == .notModified && second.body.readableBytes == 0)
        }
    }

    @Test("another content key gives no picture", arguments: ["0", "x", ""])
    func stale(text: String) async throws {
        let fixture = try StudioFixture()
        let asset = try #require(try await fixture.importPictures(1).first)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let key = String(repeating: text, count: 32)
            #expect(
                try await client.send(.get, "/pictures/\(asset)/\(key)/current").status == .notFound
            )
            #expect(
                try await client.send(.get, "/videos/\(asset)/\(key).mp4").status == .notFound)
        }
    }

    @Test("a region is a part of the picture, from the top left corner")
    func region() async throws {
        let fixture = try StudioFixture()
        let asset = try #require(try await fixture.importPictures(1).first)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = "/pictures/\(asset)/\(try await key(asset, client))/current"
            let region = try await client.send(.get, "\(path)?region=0.5,0,0.5,0.5")
            let part = try TestPicture(decoding: Data(buffer: region.body))
            #expect((part.width, part.height) == (32, 16))
            for query in [
                "region=0.5,0,0.6,0.5", "region=0,0,0,0,0", "region=nan,0,1,1", "region=0,0,1",
                "size=0", "size=9000", "fit=square",
            ] {
                #expect(
                    try await client.send(.get, "\(path)?\(query)").status == .badRequest,
                    "\(query)")
            }
        }
    }

    @Test("states and versions have their own pictures, and missing ones none")
    func states() async throws {
        let fixture = try StudioFixture()
        let asset = try #require(try await fixture.importPictures(1).first)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = "/pictures/\(asset)/\(try await key(asset, client))"
            #expect(try await client.send(.get, "\(path)/state/0?size=16").status == .ok)
            #expect(try await client.send(.get, "\(path)/original?size=16").status == .ok)
            #expect(try await client.send(.get, "\(path)/state/1").status == .badRequest)
            #expect(try await client.send(.get, "\(path)/state/-1").status == .notFound)
            #expect(try await client.send(.get, "\(path)/version/a%20b").status == .notFound)
            #expect(try await client.send(.get, "\(path)/version/%ff").status == .notFound)
        }
    }
}
