// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import Studio

@Suite("studio albums")
struct AlbumTests {
    @Test("null members change nothing, like missing ones")
    func nullMembers() async throws {
        let fixture = try StudioFixture()
        let asset = try #require(try await fixture.importPictures(1).first)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let made = try await client.json(
                .post, "/api/albums", #"{"title":"Summer","folder":null,"assets":null}"#,
                status: .created)
            #expect(made["count"] as? Int == 0)
            let path = "/api/albums/\(try #require(made["id"] as? String))"
            let filled = try await client.json(.patch, path, #"{"add":["\#(asset)"]}"#)
            #expect(filled["count"] as? Int == 1)
            for body in ["{}", #"{"title":null,"add":null,"remove":null}"#] {
                let same = try await client.json(.patch, path, body)
                #expect(same["count"] as? Int == 1 && same["title"] as? String == "Summer")
            }
        }
    }

    @Test("the name of several albums is a conflict, and an unknown one is not found")
    func names() async throws {
        let fixture = try StudioFixture()
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            for _ in 0..<2 {
                _ = try await client.json(
                    .post, "/api/albums", #"{"title":"Summer"}"#, status: .created)
            }
            let several = try await client.errorCode(
                .delete, "/api/albums/Summer", status: .conflict)
            #expect(several == "ambiguousIdentifier")
            let none = try await client.errorCode(
                .patch, "/api/albums/Winter", #"{"title":"Snow"}"#, status: .notFound)
            #expect(none == "noSuchCollection")
            let albums = try await client.json(.get, "/api/albums")
            #expect((albums["albums"] as? [Any])?.count == 2)
        }
    }

    @Test("a view of the name of several albums is a conflict")
    func views() async throws {
        let fixture = try StudioFixture()
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            for _ in 0..<2 {
                _ = try await client.json(
                    .post, "/api/albums", #"{"title":"Summer"}"#, status: .created)
            }
            let code = try await client.errorCode(
                .post, "/api/views", #"{"album":"Summer"}"#, status: .conflict)
            #expect(code == "ambiguousIdentifier")
        }
    }
}
