// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Library
import Testing

@testable import Studio

@Suite("studio selections")
struct SelectionTests {
    @Test("positions beyond the end of a view change nothing, and the status is 409")
    func beyondTheEnd() async throws {
        let fixture = try StudioFixture()
        _ = try await fixture.importPictures(2)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let view = try await client.json(.post, "/api/views", "{}", status: .created)
            let name = try #require(view["view"] as? String)
            let code = try await client.errorCode(
                .delete, "/api/assets", #"{"view":"\#(name)","positions":[[0,2]]}"#,
                status: .conflict)
            #expect(code == "conflict")
            #expect(try Asset.fetchAssets(in: fixture.library).count == 2)
            let deleted = try await client.json(
                .delete, "/api/assets", #"{"view":"\#(name)","positions":[[0,1]]}"#)
            #expect(deleted["changed"] as? Int == 2)
        }
    }

    @Test("deleted photos are in the trash with their pictures, and can be restored")
    func trash() async throws {
        let fixture = try StudioFixture()
        let asset = try #require(try await fixture.importPictures(2).first)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let body = #"{"assets":["\#(asset)"]}"#
            #expect(try await client.json(.delete, "/api/assets", body)["changed"] as? Int == 1)
            let code = try await client.errorCode(
                .patch, "/api/assets", #"{"assets":["\#(asset)"],"set":{"favorite":true}}"#,
                status: .notFound)
            #expect(code == "noSuchAsset")
            let view = try await client.json(
                .post, "/api/views", #"{"album":"smart-album/recently-deleted"}"#,
                status: .created)
            #expect(view["count"] as? Int == 1)
            let key = try await client.json(.get, "/api/assets/\(asset)")["key"] as? String
            let picture = "/pictures/\(asset)/\(try #require(key))/current?size=16"
            #expect(try await client.send(.get, picture).status == .ok)
            let restored = try await client.json(.post, "/api/assets/restore", body)
            #expect(restored["changed"] as? Int == 1)
            #expect(try Asset.fetchAssets(in: fixture.library).count == 2)
        }
    }

    @Test("positions without a view are rejected instead of ignored")
    func withoutView() async throws {
        let fixture = try StudioFixture()
        let asset = try #require(try await fixture.importPictures(1).first)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            for selection in [#""query":{}"#, #""assets":["\#(asset)"]"#] {
                let code = try await client.errorCode(
                    .delete, "/api/assets", "{\(selection),\"positions\":[[0,0]]}",
                    status: .badRequest)
                #expect(code == "invalidRequest", "\(selection)")
            }
            #expect(try Asset.fetchAssets(in: fixture.library).count == 1)
        }
    }
}
