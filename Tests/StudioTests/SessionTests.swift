// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import HTTPTypes
import Library
import TestSupport
import Testing

@testable import Studio

/// The plug-in `adder` adds its parameter `amount` to every sample.
@Suite("studio sessions")
struct SessionTests {
    func fixture() throws -> StudioFixture {
        try StudioFixture(extensions: { try TestExtension.buildAdder(in: $0) })
    }

    /// Imports a picture of one colour: 120 by 80 pixels, of which every sample is 100.
    func add(to fixture: StudioFixture) async throws -> String {
        let picture = TestPicture(
            width: 120, height: 80, bands: 3,
            samples: [UInt8](repeating: 100, count: 120 * 80 * 3))
        let path = fixture.folder.file("plain.png")
        try picture.encoded("png").write(to: URL(fileURLWithPath: path))
        var identifier: String?
        try await fixture.host.importPhotos(at: [path], into: fixture.library) {
            identifier = $0.assetIdentifier
        }
        return try #require(identifier)
    }

    func body(_ asset: String, _ more: String = "") -> String {
        #"{"asset":"\#(asset)","extension":"org.example.adder"\#(more)}"#
    }

    /// Opens a session and returns its path.
    func open(
        _ asset: String, _ client: StudioClient, _ more: String = ""
    ) async throws -> String {
        let row = try await client.json(
            .post, "/api/sessions", body(asset, more), status: .created)
        return "/api/sessions/\(try #require(row["id"] as? String))"
    }

    /// Returns the first sample of a preview.
    func sample(
        _ client: StudioClient, _ path: String, _ body: String = "{}"
    ) async throws -> Int {
        let response = try await client.send(.post, path, body)
        #expect(response.status == .ok, "\(String(buffer: response.body))")
        let picture = try TestPicture(decoding: Data(buffer: response.body))
        return Int(try #require(picture.samples.first))
    }

    func isNear(_ found: Int, _ expected: Int) -> Bool { abs(found - expected) <= 2 }

    func edits(_ asset: String, _ fixture: StudioFixture) throws -> Int {
        try fixture.library.history(ofAsset: asset).states.count
    }

    @Test("a session is opened with the form, the values and the size of the edited picture")
    func opening() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let row = try await client.json(
                .post, "/api/sessions", body(asset, #","size":60,"values":{"amount":5}"#),
                status: .created)
            #expect(row["asset"] as? String == asset && row["input"] as? String == "current")
            let installed = try #require(row["extension"] as? [String: Any])
            #expect(installed["identifier"] as? String == "org.example.adder")
            #expect((installed["parameters"] as? [Any])?.count == 2)
            let values = try #require(row["values"] as? [String: Any])
            #expect(values["amount"] as? Double == 5 && values["mode"] as? String == "plain")
            #expect(row["width"] as? Int == 120 && row["height"] as? Int == 80)
            #expect(row["displayWidth"] as? Int == 60 && row["displayHeight"] as? Int == 40)
            #expect(row["leaseSeconds"] as? Double == 30)
            let list = try await client.json(.get, "/api/sessions")
            let first = try #require((list["sessions"] as? [[String: Any]])?.first)
            #expect(first["id"] as? String == row["id"] as? String)
            #expect(first["state"] as? String == "editing")
        }
    }

    @Test("a preview has its revision, and older revisions are not rendered")
    func revisions() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client)
            let response = try await client.send(
                .post, "\(path)/preview?revision=7&size=30", #"{"values":{"amount":20}}"#)
            #expect(response.status == .ok && response.headers[.contentType] == "image/jpeg")
            #expect(response.headers[.editRevision] == "7")
            #expect(response.headers[.editWidth] == "120")
            #expect(response.headers[.editHeight] == "80")
            #expect(response.headers[.editValues] == nil)
            let picture = try TestPicture(decoding: Data(buffer: response.body))
            #expect(picture.width == 30 && picture.height == 20)
            #expect(isNear(Int(picture.samples[0]), 120))
            #expect(
                try await client.errorCode(
                    .post, "\(path)/preview?revision=6", #"{"values":{"amount":90}}"#,
                    status: .conflict) == "superseded")
            #expect(isNear(try await sample(client, "\(path)/preview?revision=8"), 120))
        }
    }

    @Test("a region is given in pixels of the edited picture")
    func region() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client)
            let response = try await client.send(
                .post, "\(path)/preview?region=60,40,40,20", "{}")
            let picture = try TestPicture(decoding: Data(buffer: response.body))
            #expect(picture.width == 40 && picture.height == 20)
            for query in [
                "region=120,0,1,1", "region=0,0,0,5", "region=1,2,3", "size=0", "size=4096",
                "revision=-1", "time=-1", "time=1",
            ] {
                #expect(
                    try await client.send(.post, "\(path)/preview?\(query)", "{}").status
                        == .badRequest, "\(query)")
            }
        }
    }

    @Test("other values apply to one preview")
    func others() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client) + "/preview"
            #expect(isNear(try await sample(client, path, #"{"values":{"amount":30}}"#), 130))
            #expect(isNear(try await sample(client, path, #"{"other":{"amount":90}}"#), 190))
            #expect(isNear(try await sample(client, path), 130))
        }
    }

    @Test(
        "invalid values are rejected, and the session continues",
        arguments: [
            (#"{"values":{"amount":1000}}"#, "badParameter"),
            (#"{"values":{"amount":"much"}}"#, "badParameter"),
            (#"{"values":{"nothing":1}}"#, "badParameter"),
            (#"{"other":{"amount":-256}}"#, "badParameter"),
            (#"{"values":{"amount":NaN}}"#, "invalidRequest"),
            (#"{"values":{"amount":1e999}}"#, "invalidRequest"),
            (#"{"values":[1]}"#, "invalidRequest"),
            (#"{"value":{}}"#, "invalidRequest"),
        ])
    func invalid(body: String, code: String) async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client)
            #expect(
                try await client.errorCode(
                    .post, "\(path)/preview?revision=1", body, status: .badRequest) == code)
            #expect(isNear(try await sample(client, "\(path)/preview?revision=2"), 110))
        }
    }

    @Test("finishing commits the same file as the host with these values")
    func finish() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        // The first edit tests whether the extension is reproducible, and is encoded from the pixels of that test.
        for amount in ["1", "33"] {
            let request = EditRequest(extensionName: "adder", values: ["amount": amount])
            _ = try await fixture.host.edit([asset], request, in: fixture.library)
        }
        let expected = try #require(
            fixture.library.history(ofAsset: asset).chain.last?.current?.blob)
        _ = try await fixture.host.undo([asset], in: fixture.library)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client)
            #expect(
                try await client.errorCode(
                    .post, "\(path)/finish", #"{"values":{"amount":256}}"#, status: .badRequest)
                    == "badParameter")
            _ = try await sample(client, "\(path)/preview?revision=1")
            let done = try await client.json(
                .post, "\(path)/finish", #"{"values":{"amount":33}}"#)
            #expect(done["changed"] as? Int == 1)
            #expect((done["row"] as? [String: Any])?["id"] as? String == asset)
            let current = try fixture.library.history(ofAsset: asset).chain.last?.current
            #expect(current?.blob == expected)
            #expect(
                try await client.errorCode(.post, "\(path)/finish", "{}", status: .notFound)
                    == "noSuchSession")
        }
    }

    @Test("an edit below others is opened again by its position, and those above are kept")
    func step() async throws {
        let fixture = try StudioFixture(extensions: { folder in
            try TestExtension.buildAdder(in: folder)
            try TestExtension.buildAdder("org.example.other", in: folder)
        })
        let asset = try await add(to: fixture)
        for (name, amount) in [("adder", "30"), ("other", "7")] {
            _ = try await fixture.host.edit(
                [asset], EditRequest(extensionName: name, values: ["amount": amount]),
                in: fixture.library)
        }
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let row = try await client.json(
                .post, "/api/sessions", body(asset, #","step":1"#), status: .created)
            #expect(row["input"] as? String == "previous")
            #expect((row["values"] as? [String: Any])?["amount"] as? Double == 30)
            let path = "/api/sessions/\(try #require(row["id"] as? String))"
            // The preview is without the edits above.
            #expect(
                isNear(
                    try await sample(client, "\(path)/preview", #"{"values":{"amount":1}}"#), 101))
            _ = try await client.json(.post, "\(path)/finish", "{}")
            let chain = try fixture.library.history(ofAsset: asset).chain
            #expect(
                chain.map { $0.editingExtension?.identifier }
                    == ["org.example.adder", "org.example.other"])
            let file = try fixture.library.openBlob(try #require(chain.last?.current?.blob))
            let current = try TestPicture(decoding: try file.read(count: file.byteCount()))
            #expect(current.samples.allSatisfy { $0 == 108 })
            for (step, status) in [(0, 400), (3, 400), (2, 422)] {
                let refused = try await client.send(
                    .post, "/api/sessions", body(asset, #","step":\#(step)"#))
                #expect(refused.status.code == status, "\(step)")
            }
            #expect(fixture.host.openEditingSessions == 0)
        }
    }

    @Test("a change by another program is a conflict, and nothing is committed")
    func conflict() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client)
            _ = try await fixture.host.edit(
                [asset], EditRequest(extensionName: "adder", values: ["amount": "50"]),
                in: fixture.library)
            #expect(
                try await client.errorCode(.post, "\(path)/finish", "{}", status: .conflict)
                    == "conflict")
            #expect(try edits(asset, fixture) == 1)
            #expect(try await client.send(.post, "\(path)/renew").status == .notFound)
            // The page starts again with the values.
            let again = try await open(asset, client, #","values":{"amount":7}"#)
            #expect(isNear(try await sample(client, "\(again)/preview"), 107))
        }
    }

    @Test("C-18 cancelling asks only if the extension wants that, and force does not ask")
    func cancel() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let plain = try await open(asset, client)
            let answer = try await client.json(.post, "\(plain)/cancel", "{}")
            #expect(answer["ended"] as? Bool == true)
            let asking = try await open(asset, client, #","values":{"mode":"asking"}"#)
            let question = try await client.json(.post, "\(asking)/cancel", #"{"force":false}"#)
            #expect(question["ended"] as? Bool == false)
            #expect(question["shouldConfirm"] as? Bool == true)
            #expect(try await client.send(.post, "\(asking)/renew").status == .noContent)
            let forced = try await client.json(.post, "\(asking)/cancel", #"{"force":true}"#)
            #expect(forced["ended"] as? Bool == true)
            let third = try await open(asset, client)
            #expect(try await client.send(.delete, third).status == .noContent)
            #expect(try await client.send(.delete, third).status == .notFound)
            #expect(fixture.host.openEditingSessions == 0)
            #expect(try edits(asset, fixture) == 0)
        }
    }

    @Test("cancelling asks if the extension does not answer in time, and the session continues")
    func cancelWithoutAnswer() async throws {
        let fixture = try StudioFixture(
            { $0.limits.confirmationSeconds = 0 },
            extensions: { try TestExtension.buildAdder(in: $0) }, answerSeconds: 1)
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            // It answers after the time in which a cancellation must be answered.
            let slow = try await open(asset, client, #","values":{"mode":"slow-confirm"}"#)
            let answer = try await client.json(.post, "\(slow)/cancel", "{}")
            #expect(answer["ended"] as? Bool == false)
            #expect(answer["shouldConfirm"] as? Bool == true)
            #expect(isNear(try await sample(client, "\(slow)/preview"), 110))
            let hanging = try await open(asset, client, #","values":{"mode":"hang-confirm"}"#)
            let question = try await client.json(.post, "\(hanging)/cancel", "{}")
            #expect(question["ended"] as? Bool == false)
            #expect(question["shouldConfirm"] as? Bool == true)
            for path in [slow, hanging] {
                let forced = try await client.json(.post, "\(path)/cancel", #"{"force":true}"#)
                #expect(forced["ended"] as? Bool == true)
            }
            #expect(fixture.host.openEditingSessions == 0)
            #expect(try edits(asset, fixture) == 0)
        }
    }

    @Test("cancelling while the extension finishes commits nothing")
    func cancelWhileFinishing() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client, #","values":{"mode":"wait"}"#)
            let finish = Task { [client] in
                try await client.errorCode(
                    .post, "\(path)/finish", "{}", status: .serviceUnavailable)
            }
            let login = try #require(fixture.server.logins.all.first)
            try await waitUntil("the session is finishing") {
                fixture.server.sessions.sessions(of: login).first?.phase == .finishing
            }
            let cancelled = try await client.json(.post, "\(path)/cancel", #"{"force":true}"#)
            #expect(cancelled["ended"] as? Bool == true)
            #expect(try await finish.value == "cancelled")
            #expect(try edits(asset, fixture) == 0)
        }
    }

    @Test("a session whose values could not be set continues, whatever the reason")
    func finishFails() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client)
            let login = try #require(fixture.server.logins.all.first)
            let sessions = fixture.server.sessions
            let session = try #require(sessions.sessions(of: login).first)
            // A cancelled task sets no values. The runner is not asked.
            let finish = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await sessions.finish(session, ["amount": .number(5)])
            }
            await #expect(throws: CancellationError.self) { try await finish.value }
            #expect(session.phase == .editing)
            #expect(isNear(try await sample(client, "\(path)/preview"), 110))
            let result = try await client.json(
                .post, "\(path)/finish", #"{"values":{"amount":5}}"#)
            #expect(result["changed"] as? Int == 1)
            #expect(try edits(asset, fixture) == 1)
        }
    }

    @Test("a crash ends the session, with its reason")
    func crash() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client)
            #expect(
                try await client.errorCode(
                    .post, "\(path)/preview?revision=1", #"{"values":{"mode":"crash-preview"}}"#,
                    status: .badGateway) == "extensionFailed")
            #expect(
                try await client.errorCode(
                    .post, "\(path)/preview?revision=2", "{}", status: .notFound)
                    == "noSuchSession")
        }
    }

    @Test("unknown photos and extensions, and sessions of other logins, are not found")
    func notFound() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let other = try await client.loggedIn()
            let client = try await client.loggedIn()
            #expect(
                try await client.errorCode(
                    .post, "/api/sessions", body("nothing"), status: .notFound) == "noSuchAsset")
            #expect(
                try await client.errorCode(
                    .post, "/api/sessions", #"{"asset":"\#(asset)","extension":"nothing"}"#,
                    status: .notFound) == "noSuchExtension")
            let path = try await open(asset, client)
            for (method, end, body) in [
                (HTTPRequest.Method.post, "/preview", "{}"), (.post, "/finish", "{}"),
                (.post, "/cancel", "{}"), (.post, "/renew", nil), (.delete, "", nil),
            ] {
                #expect(
                    try await other.errorCode(method, path + end, body, status: .notFound)
                        == "noSuchSession")
            }
            let list = try await other.json(.get, "/api/sessions")
            #expect((list["sessions"] as? [Any])?.isEmpty == true)
            #expect(try await client.send(.post, "\(path)/renew").status == .noContent)
        }
    }

    @Test("one session too many names the tabs of the others")
    func tooMany() async throws {
        let fixture = try StudioFixture(
            extensions: { try TestExtension.buildAdder(in: $0) }, sessionLimit: 2)
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let first = try await open(asset, client, #","tab":"left""#)
            _ = try await open(asset, client, #","tab":"right""#)
            let answer = try await client.json(
                .post, "/api/sessions", body(asset), status: .conflict)
            let error = try #require(answer["error"] as? [String: Any])
            #expect(error["code"] as? String == "tooManySessions")
            let holders = try #require(error["sessions"] as? [[String: Any]])
            #expect(holders.map { $0["tab"] as? String } == ["left", "right"])
            #expect(holders.allSatisfy { $0["asset"] as? String == asset })
            #expect(try await client.send(.delete, first).status == .noContent)
            _ = try await open(asset, client)
        }
    }
}
