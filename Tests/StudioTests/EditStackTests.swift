// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import HTTPTypes
import Library
import TestSupport
import Testing

@testable import Studio

@Suite("studio edit stacks")
struct EditStackTests {
    private static let adder = "org.example.adder"
    private static let other = "org.example.other"
    private static let heir = "org.example.heir"

    private let fixture: StudioFixture
    private let asset: String

    init() async throws {
        fixture = try StudioFixture(extensions: { folder in
            try TestExtension.buildAdder(in: folder)
            try TestExtension.buildAdder(Self.other, in: folder)
            // Reads and writes the recipes of the first one.
            try TestExtension.buildAdder(
                Self.heir, defines: ["FORMAT=\"\(Self.adder)\""], in: folder)
        })
        asset = try #require(try await fixture.importPictures(1).first)
        for (name, amount) in [(Self.adder, "2"), (Self.other, "30")] {
            _ = try await fixture.host.edit(
                [asset], EditRequest(extensionName: name, values: ["amount": amount]),
                in: fixture.library)
        }
    }

    /// The identifiers of the extensions of the current edits.
    private func authors() throws -> [String?] {
        try fixture.library.history(ofAsset: asset).chain.map { $0.editingExtension?.identifier }
    }

    private func tip() throws -> String {
        try #require(try fixture.library.history(ofAsset: asset).chain.last?.identifier)
    }

    /// The only row of a response.
    private func only(_ response: [String: Any]) throws -> [String: Any] {
        try #require((response["rows"] as? [[String: Any]])?.first)
    }

    @Test("edits are moved, disabled, enabled and removed, each as one state")
    func rearranged() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = "/api/assets/\(asset)/edits"
            let moved = try await client.json(
                .post, "\(path)/move", #"{"edit":2,"to":1,"tip":"\#(try tip())"}"#)
            #expect(moved["changed"] as? Int == 1)
            let row = try only(moved)
            #expect(row["state"] as? Int == 3 && row["status"] as? String == "committed")
            #expect(row["extension"] as? String == Self.adder)
            #expect((row["edits"] as? [String])?.last == (try tip()))
            #expect(try authors() == [Self.other, Self.adder])
            _ = try await client.json(.post, "\(path)/disable", #"{"edits":[2]}"#)
            let again = try await client.json(.post, "\(path)/disable", #"{"edits":[2]}"#)
            #expect(again["changed"] as? Int == 0)
            #expect(
                try fixture.library.history(ofAsset: asset).chain.map(\.isEnabled) == [true, false])
            _ = try await client.json(.post, "\(path)/enable", #"{"edits":[1,2]}"#)
            #expect(
                try fixture.library.history(ofAsset: asset).chain.map(\.isEnabled) == [true, true])
            _ = try await client.json(.post, "\(path)/remove", #"{"edits":[1]}"#)
            #expect(try authors() == [Self.adder])
            #expect(try fixture.library.history(ofAsset: asset).position == 6)
        }
    }

    @Test("positions of another edit stack change nothing")
    func conflict() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = "/api/assets/\(asset)/edits"
            let old = try tip()
            _ = try await client.json(.post, "\(path)/move", #"{"edit":2,"to":1}"#)
            for (verb, body) in [
                ("remove", #"{"edits":[1],"tip":"\#(old)"}"#),
                ("move", #"{"edit":1,"to":2,"tip":"\#(old)"}"#),
                ("disable", #"{"edits":[1],"tip":"\#(old)"}"#),
            ] {
                let code = try await client.errorCode(
                    .post, "\(path)/\(verb)", body, status: .conflict)
                #expect(code == "conflict")
            }
            #expect(try fixture.library.history(ofAsset: asset).position == 3)
        }
    }

    @Test("positions that do not exist, and malformed bodies, are rejected")
    func rejected() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            for (path, body) in [
                ("edits/remove", #"{"edits":[3]}"#), ("edits/remove", #"{"edits":[0]}"#),
                ("edits/remove", #"{"edits":[1,2]}"#), ("edits/remove", #"{"edits":1}"#),
                ("edits/remove", "{}"), ("edits/move", #"{"edit":1,"to":3}"#),
                ("edits/move", #"{"edit":1}"#), ("edits/disable", #"{"edits":[-1]}"#),
                ("edits/enable", #"{"edits":[1],"state":1}"#), ("state", #"{"state":3}"#),
                ("state", #"{"state":-1}"#), ("state", "{}"),
            ] {
                let response = try await client.send(.post, "/api/assets/\(asset)/\(path)", body)
                #expect(response.status == .badRequest, "\(path) \(body)")
            }
            #expect(try fixture.library.history(ofAsset: asset).position == 2)
        }
    }

    @Test("any state can be opened, also one whose rendition is no longer stored")
    func states() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = "/api/assets/\(asset)/state"
            let original = try only(try await client.json(.post, path, #"{"state":0}"#))
            #expect(original["state"] as? Int == 0 && original["edit"] is NSNull)
            _ = try fixture.host.prune(fixture.library, keep: 0)
            let last = try only(try await client.json(.post, path, #"{"state":2}"#))
            #expect(last["state"] as? Int == 2 && last["extension"] as? String == Self.other)
            let same = try await client.json(.post, path, #"{"state":2}"#)
            #expect(same["changed"] as? Int == 0)
            #expect(try fixture.library.history(ofAsset: asset).states.count == 2)
        }
    }

    @Test("of a query, only assets with something to undo or redo have rows")
    func undoOfAQuery() async throws {
        let others = try await fixture.importPictures(3).filter { $0 != asset }
        #expect(others.count == 2)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let undone = try await client.json(
                .post, "/api/assets/undo", #"{"query":{}}"#)
            #expect(undone["changed"] as? Int == 1)
            #expect((undone["rows"] as? [Any])?.count == 1)
            let redone = try await client.json(
                .post, "/api/assets/redo", #"{"query":{}}"#)
            #expect(redone["changed"] as? Int == 1)
            #expect((redone["rows"] as? [Any])?.count == 1)
            let none = try await client.json(
                .post, "/api/assets/redo", #"{"query":{}}"#)
            #expect((none["rows"] as? [Any])?.count == 0)
            let listed = try await client.json(
                .post, "/api/assets/undo", #"{"assets":["\#(others[0])"]}"#)
            #expect(listed["changed"] as? Int == 0 && (listed["rows"] as? [Any])?.count == 1)
            let reverted = try await client.json(
                .post, "/api/assets/revert", #"{"query":{}}"#)
            #expect(reverted["changed"] as? Int == 1)
            #expect(try fixture.library.history(ofAsset: asset).position == 0)
            let restored = try await client.json(
                .post, "/api/assets/undo", #"{"query":{}}"#)
            #expect((restored["rows"] as? [Any])?.count == 1)
            #expect(try fixture.library.history(ofAsset: asset).position == 2)
        }
    }

    @Test("the URL of a picture that an extension must render changes with its build")
    func update() async throws {
        _ = try fixture.host.prune(fixture.library, keep: 0)
        try TestExtension.buildAdder(
            manifest: ["version": "2.0"], in: fixture.folder.file("extensions"))
        let updated = ExtensionHost(fixture.host.configuration)
        let keys = try [fixture.host, updated].map { host in
            try fixture.library.contentKey(
                ofAsset: asset, seed: StudioRoutes.seed, extensions: host.extensionBuilds
            ).description
        }
        #expect(keys[0] != keys[1])
        await updated.shutDown()
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let details = try await client.json(.get, "/api/assets/\(asset)")
            #expect(details["key"] as? String == keys[0])
        }
    }

    @Test("the edits of one extension are taken over by another one")
    func replacement() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let body = #"{"assets":["\#(asset)"],"old":"\#(Self.adder)","new":"heir"}"#
            let response = try await client.json(
                .post, "/api/assets/replace-extension", body)
            #expect(response["changed"] as? Int == 1)
            #expect(try authors() == [Self.heir, Self.other])
            #expect(
                try await client.errorCode(
                    .post, "/api/assets/replace-extension",
                    #"{"assets":["\#(asset)"],"old":"heir","new":"none"}"#, status: .notFound)
                    == "noSuchExtension")
        }
    }

    @Test("versions are saved, used, renamed and removed")
    func versions() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            func send(
                _ verb: String, _ members: String, status: HTTPResponse.Status = .ok
            ) async throws -> [String: Any] {
                try await client.json(
                    .post, "/api/assets/versions/\(verb)",
                    #"{"assets":["\#(asset)"],\#(members)}"#, status: status)
            }
            func names() throws -> [String] {
                try fixture.library.history(ofAsset: asset).versions.map(\.name)
            }
            let saved = try only(try await send("save", #""name":"both""#))
            #expect(saved["version"] as? String == "both" && saved["status"] as? String == "saved")
            let taken = try await send("save", #""name":"both""#, status: .conflict)
            #expect((taken["error"] as? [String: Any])?["code"] as? String == "versionExists")
            _ = try await send("save", #""name":"both","replace":true"#)
            _ = try await client.json(.post, "/api/assets/\(asset)/state", #"{"state":0}"#)
            let used = try only(try await send("use", #""name":"both""#))
            #expect(used["state"] as? Int == 1 && used["status"] as? String == "committed")
            #expect(try authors() == [Self.adder, Self.other])
            let renamed = try only(try await send("rename", #""name":"both","to":"two""#))
            #expect(renamed["version"] as? String == "two")
            #expect(try names() == ["two"])
            for (verb, members) in [
                ("rename", #""name":"two""#), ("use", #""name":"two","to":"x""#),
                ("remove", #""name":"two","replace":true"#), ("save", #""name":"""#),
            ] {
                _ = try await send(verb, members, status: .badRequest)
            }
            _ = try await send("use", #""name":"both""#, status: .notFound)
            _ = try await send("remove", #""name":"two""#)
            #expect(try names() == [])
        }
    }
}
