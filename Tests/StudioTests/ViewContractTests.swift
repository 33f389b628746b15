// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

@testable import Studio

/// The contract of PhotoKit's change details, through the events about views.
@Suite("contract rows of studio views")
struct ViewContractTests {
    /// The identifiers of a view as a page keeps them: by position, and nil if the page has not fetched the row.
    private typealias List = [String?]

    private static let requests = [
        "{}", #"{"predicate":{"isFavorite":true}}"#,
        #"{"sort":[{"key":"modificationDate","isAscending":false}]}"#,
        #"{"sort":[{"key":"pixelWidth","isAscending":true}],"hidden":true}"#,
    ]

    private let fixture: StudioFixture

    init() throws {
        fixture = try StudioFixture()
        try fixture.library.register(fixture.server.events)
    }

    /// Commits changes. In asynchronous code, the method of the library would be the asynchronous one.
    private func commit(_ changes: () throws -> Void) throws {
        try fixture.library.performChanges { try changes() }
    }

    private func create(_ random: inout SeededGenerator) throws {
        let facts = PhotoFacts(
            format: .jpeg, pixelWidth: Int.random(in: 1...4, using: &random), pixelHeight: 30,
            orientation: 1, bitsPerSample: 8, hasAlpha: false, colorModel: .rgb,
            hasFullChroma: false, isLossy: true, frameCount: 1, mediaSubtypes: [],
            creationDate: nil, location: nil)
        try AssetCreationRequest(mediaType: .image)
            .addResource(
                .photo, url: "https://example.org/\(UUID())", filename: "a.jpg", facts: facts)
    }

    /// Commits up to six changes in one block.
    private func change(_ random: inout SeededGenerator) throws {
        var options = FetchOptions()
        options.includeHiddenAssets = true
        var assets = Array(try Asset.fetchAssets(in: fixture.library, options: options))
        var copy = random
        try fixture.library.performChanges {
            for _ in 0..<Int.random(in: 1...6, using: &copy) {
                let choice = assets.count < 4 ? 0 : Int.random(in: 0..<8, using: &copy)
                if choice < 2 {
                    try create(&copy)
                    continue
                }
                let asset = assets.remove(at: Int.random(in: assets.indices, using: &copy))
                switch choice {
                case 2: try AssetChangeRequest.removeAssets([asset])
                case 3: try AssetChangeRequest(for: asset).isHidden = !asset.isHidden
                case 4, 5: try AssetChangeRequest(for: asset).isFavorite = !asset.isFavorite
                default: try AssetChangeRequest(for: asset).title = "\(UUID())"
                }
            }
        }
        random = copy
    }

    private func object(_ event: StudioEvent) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])
    }

    /// Opens a view and returns its name.
    private func open(_ body: String, _ client: StudioClient) async throws -> String {
        let view = try await client.json(.post, "/api/views", body, status: .created)
        return try #require(view["view"] as? String)
    }

    private func identifiers(_ view: String, _ client: StudioClient) async throws -> [String] {
        let page = try await client.json(.get, "/api/views/\(view)/rows")
        return try #require(page["rows"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    }

    private func subscribe(_ login: Login) throws -> EventCenter.Subscription {
        try fixture.server.events.subscribe(
            login, views: Array(login.views.values), missing: [], since: nil)
    }

    /// Returns the next event about a change after a token. The library may report earlier changes late.
    private func next(
        _ events: inout AsyncStream<StudioEvent>.Iterator, after token: ChangeToken
    ) async -> StudioEvent? {
        while let event = await events.next() {
            if let own = event.token, own <= token { continue }
            return event
        }
        return nil
    }

    /// Applies an event to a list: removals, insertions, moves.
    private func apply(_ event: [String: Any], to list: List) throws -> List {
        var list = list
        for index in try #require(event["removed"] as? [Int]).reversed() { list.remove(at: index) }
        for index in try #require(event["inserted"] as? [Int]) { list.insert(nil, at: index) }
        for move in try #require(event["moves"] as? [[Int]]) {
            list.insert(list.remove(at: move[0]), at: move[1])
        }
        return list
    }

    @Test("O-12 O-13 O-14 O-15 the events of a view rebuild its list after 60 random changes")
    func randomChanges() async throws {
        let seed = TestSeed.seed()
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            var random = SeededGenerator(seed: seed)
            try commit { for _ in 0..<8 { try create(&random) } }
            var lists: [String: [String]] = [:]
            for body in Self.requests {
                let view = try await open(body, client)
                lists[view] = try await identifiers(view, client)
            }
            let login = try #require(fixture.server.logins.all.first)
            let start = try fixture.library.currentChangeToken
            let subscription = try subscribe(login)
            var events = subscription.events.makeAsyncIterator()
            var (moves, insertions, removals) = (0, 0, 0)
            for round in 0..<60 {
                try change(&random)
                var received: [String: [String: Any]] = [:]
                var changed: Set<String> = []
                // The event about the assets follows those of the views.
                while let event = await next(&events, after: start) {
                    let row = try object(event)
                    if event.kind == .assets {
                        let assets = try #require(row["changed"] as? [[String: Any]])
                        changed = Set(assets.compactMap { $0["id"] as? String })
                        break
                    }
                    try #require(event.kind == .view, "\(event.data)")
                    received[try #require(row["view"] as? String)] = row
                }
                for (view, before) in lists {
                    let after = try await identifiers(view, client)
                    lists[view] = after
                    guard let event = received[view] else {
                        #expect(before == after, "seed \(seed), round \(round), \(view)")
                        continue
                    }
                    #expect(event["count"] as? Int == after.count)
                    let list = try apply(event, to: before)
                    let known = Set(before)
                    let expected: List = after.map { known.contains($0) ? $0 : nil }
                    #expect(list == expected, "seed \(seed), round \(round), \(view)")
                    // Positions of changed rows refer to the list after the change.
                    let positions = try #require(event["changed"] as? [Int])
                    #expect(
                        Set(positions.map { after[$0] })
                            == known.intersection(after).intersection(changed),
                        "seed \(seed), round \(round), \(view)")
                    moves += (event["moves"] as? [Any])?.count ?? 0
                    insertions += (event["inserted"] as? [Any])?.count ?? 0
                    removals += (event["removed"] as? [Any])?.count ?? 0
                }
            }
            #expect(moves > 5 && insertions > 5 && removals > 5, "seed \(seed)")
            subscription.end()
        }
    }

    @Test("O-16 positions are empty if nothing changed there, and null if they are unknown")
    func absent() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            var random = SeededGenerator(seed: 1)
            try commit { for _ in 0..<2 { try create(&random) } }
            let name = try await open("{}", client)
            let login = try #require(fixture.server.logins.all.first)
            let start = try fixture.library.currentChangeToken
            let subscription = try subscribe(login)
            var events = subscription.events.makeAsyncIterator()
            let identifier = try await identifiers(name, client)[1]
            let asset = try fixture.library.asset(withLocalIdentifier: identifier)
            try commit {
                try AssetChangeRequest(for: asset).isFavorite = true
            }
            let favorite = await next(&events, after: start)
            let row = try object(try #require(favorite))
            #expect(row["removed"] as? [Int] == [] && row["inserted"] as? [Int] == [])
            #expect(row["changed"] as? [Int] == [1] && (row["moves"] as? [Any])?.isEmpty == true)
            subscription.end()

            // The history between the view and the change is gone.
            fixture.library.unregister(fixture.server.events)
            let view = try login.view(name)
            let changes = try fixture.library.changes()
            try commit { for _ in 0..<2 { try create(&random) } }
            try commit { try AssetChangeRequest.removeAssets([asset]) }
            let last = try fixture.library.currentChangeToken
            let change = try #require(await changes.first { $0.token == last })
            _ = try fixture.library.forgetChanges(before: .distantFuture)
            let details = try #require(try view.apply(change))
            let event = try StudioEvent(
                .view, view: view, token: change.token,
                ViewEvent.row(of: details, view: name, token: view.snapshot.token))
            let gap = try object(event)
            for member in ["removed", "inserted", "changed", "moves"] {
                #expect(gap[member] is NSNull, "\(member)")
            }
            #expect(gap["count"] as? Int == 3)
        }
    }

    @Test("O-17 the changes of an album and those of its members are separate events")
    func album() async throws {
        let pictures = try await fixture.importPictures(2)
        let assets = try pictures.map { try fixture.library.asset(withLocalIdentifier: $0) }
        try commit {
            try AssetCollectionChangeRequest(creatingWithTitle: "Summer").addAssets([assets[0]])
        }
        let album = try fixture.library.assetCollection(named: "Summer")
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let name = try await open(#"{"album":"Summer"}"#, client)
            let login = try #require(fixture.server.logins.all.first)
            let start = try fixture.library.currentChangeToken
            let subscription = try subscribe(login)
            var events = subscription.events.makeAsyncIterator()
            try commit {
                try AssetCollectionChangeRequest(for: album).title = "Winter"
            }
            // An event of the view would precede that of the collection.
            let first = await next(&events, after: start)
            let renamed = try #require(first)
            #expect(renamed.kind == .collections)
            #expect(try object(renamed)["changed"] as? [String] == [album.localIdentifier])
            try commit {
                try AssetCollectionChangeRequest(for: album).addAssets([assets[1]])
            }
            let second = await next(&events, after: start)
            let added = try #require(second)
            #expect(added.kind == .view)
            let row = try object(added)
            #expect(row["view"] as? String == name)
            #expect(row["inserted"] as? [Int] == [1] && row["removed"] as? [Int] == [])
            #expect(row["changed"] as? [Int] == [])
            subscription.end()
        }
    }
}
