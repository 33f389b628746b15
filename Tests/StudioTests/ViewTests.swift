// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Library
import NIOCore
import Testing

@testable import Studio

@Suite("studio views")
struct ViewTests {
    @Test("a view has shapes and rows, by position")
    func shapesAndRows() async throws {
        let fixture = try StudioFixture()
        let identifiers = try await fixture.importPictures(3)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let view = try await client.json(.post, "/api/views", "{}", status: .created)
            #expect(view["count"] as? Int == 3)
            var shapes = try await client.send(.get, "/api/views/v1/shapes").body
            #expect(shapes.readableBytes == 16 + 3 * 8)
            #expect(shapes.readString(length: 4) == "EHSH")
            let header = (0..<3).compactMap { _ in
                shapes.readInteger(endianness: .little, as: UInt32.self)
            }
            #expect(header == [1, 3, 0])
            shapes.moveReaderIndex(forwardBy: 3 * 4)
            let aspects = (0..<3).compactMap { _ in
                shapes.readInteger(endianness: .little, as: UInt16.self)
            }
            let page = try await client.json(.get, "/api/views/v1/rows")
            let rows = try #require(page["rows"] as? [[String: Any]])
            #expect(Set(rows.compactMap { $0["id"] as? String }) == Set(identifiers))
            for (row, aspect) in zip(rows, aspects) {
                let (width, height) = (row["pixelWidth"] as? Int, row["pixelHeight"] as? Int)
                let ratio = Double(try #require(width)) / Double(try #require(height))
                #expect(Int(aspect) == Int((ratio * 4096).rounded()))
                #expect((row["key"] as? String)?.utf8.count == 32)
            }
        }
    }

    @Test("rows are a part of the view, and empty beyond its end")
    func range() async throws {
        let fixture = try StudioFixture()
        _ = try await fixture.importPictures(3)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            _ = try await client.json(.post, "/api/views", "{}", status: .created)
            for (query, count) in [
                ("from=1&count=1", 1), ("from=2", 1), ("from=3", 0), ("from=9", 0),
            ] {
                let page = try await client.json(.get, "/api/views/v1/rows?\(query)")
                #expect((page["rows"] as? [Any])?.count == count, "\(query)")
                let shapes = try await client.send(.get, "/api/views/v1/shapes?\(query)").body
                #expect(shapes.readableBytes == 16 + count * 8, "\(query)")
            }
        }
    }

    @Test("predicates, orders, texts and albums select the assets of a view")
    func selection() async throws {
        let fixture = try StudioFixture()
        let identifiers = try await fixture.importPictures(3)
        try await fixture.library.performChanges {
            let asset = try fixture.library.asset(withLocalIdentifier: identifiers[1])
            let request = try AssetChangeRequest(for: asset)
            request.isFavorite = true
            request.title = "A bridge"
            try AssetCollectionChangeRequest(creatingWithTitle: "Summer").addAssets([asset])
        }
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            for body in [
                #"{"predicate":{"isFavorite":true}}"#, #"{"search":"bridge"}"#,
                #"{"album":"Summer"}"#, #"{"album":"smart-album/favorites"}"#,
            ] {
                let view = try await client.json(.post, "/api/views", body, status: .created)
                let name = try #require(view["view"] as? String)
                let page = try await client.json(.get, "/api/views/\(name)/rows")
                let rows = try #require(page["rows"] as? [[String: Any]])
                #expect(rows.compactMap { $0["id"] as? String } == [identifiers[1]], "\(body)")
            }
            let sorted = try await client.json(
                .post, "/api/views", #"{"sort":[{"key":"pixelHeight","isAscending":false}]}"#,
                status: .created)
            let name = try #require(sorted["view"] as? String)
            let position = try await client.json(
                .get, "/api/views/\(name)/position?id=\(identifiers[0])")
            #expect(position["position"] as? Int == 2)
            #expect(
                try await client.errorCode(
                    .post, "/api/views", #"{"album":"Winter"}"#, status: .notFound)
                    == "noSuchCollection")
        }
    }

    @Test("a change moves the positions of a view, and is sent with them")
    func change() async throws {
        let fixture = try StudioFixture()
        let identifiers = try await fixture.importPictures(3)
        let login = Login(StudioLimits())
        let request = try JSONDecoder().decode(ViewRequest.self, from: Data("{}".utf8))
        let view = try StudioView(request, in: fixture.library)
        let changes = try fixture.library.changes()
        let asset = try fixture.library.asset(withLocalIdentifier: identifiers[1])
        let position = try #require(
            try view.snapshot.result.index(ofIdentifier: identifiers[1]))
        try await fixture.library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        let change = try #require(await changes.first { _ in true })
        let details = try #require(try view.apply(change))
        #expect(details.removedIndexes.map { Array($0) } == [position])
        #expect(view.snapshot.result.count == 2)
        #expect(view.snapshot.token == change.token)
        #expect(try login.add(view) == "v1")
        await fixture.host.shutDown()
    }
}
