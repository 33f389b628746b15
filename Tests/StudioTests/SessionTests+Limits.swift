// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import HTTPTypes
import Hummingbird
import Library
import NIOCore
import TestSupport
import Testing

@testable import Studio

extension SessionTests {
    @Test("a colour and a histogram are those of the picture")
    func colors() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client, #","values":{"amount":55}"#)
            let found = try await client.json(.get, "\(path)/color?x=119&y=79.5&radius=2")
            let color = try #require(found["color"] as? [Double])
            // 100 + 55 of 255.
            #expect(color.count == 4 && color[3] == 1)
            #expect(color.prefix(3).allSatisfy { abs($0 - 155.0 / 255) < 0.001 }, "\(color)")
            for query in ["x=120&y=0", "x=-1&y=0", "x=0", "x=nan&y=0", "x=0&y=0&radius=-1"] {
                #expect(
                    try await client.send(.get, "\(path)/color?\(query)").status == .badRequest,
                    "\(query)")
            }
            // The input, without the edit.
            let counts = try await client.json(.get, "\(path)/histogram")
            for name in ["red", "green", "blue", "luminance"] {
                let values = try #require(counts[name] as? [Int])
                #expect(values.count == 256 && values[100] == 120 * 80, "\(name)")
            }
        }
    }

    @Test("a file is uploaded and named by its hash, and no path is accepted")
    func files() async throws {
        let fixture = try StudioFixture(extensions: { try TestExtension.buildCube(in: $0) })
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let row = try await client.json(
                .post, "/api/sessions", #"{"asset":"\#(asset)","extension":"org.example.cube"}"#,
                status: .created)
            let path = "/api/sessions/\(try #require(row["id"] as? String))"
            for name in ["/etc/hostname", "default.cube/../x", String(repeating: "0", count: 64)] {
                #expect(
                    try await client.errorCode(
                        .post, "\(path)/preview", #"{"values":{"lut":"\#(name)"}}"#,
                        status: .badRequest) == "badParameter")
            }
            #expect(
                try await client.errorCode(
                    .post, "\(path)/files", "{}", status: .unsupportedMediaType) == "notBytes")
            var sender = client
            sender.headers[.contentType] = "application/octet-stream"
            #expect(try await sender.send(.post, "\(path)/files", "").status == .badRequest)
            let uploaded = try await sender.json(.post, "\(path)/files", "abc", status: .created)
            // FIPS 180-4: the SHA-256 of "abc".
            let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            #expect(uploaded["name"] as? String == hash)
            for value in [hash, "default.cube", "sha256:\(hash)"] {
                #expect(
                    try await client.send(
                        .post, "\(path)/preview", #"{"values":{"lut":"\#(value)"}}"#
                    ).status == .ok)
            }
        }
    }

    /// Uploads a file in parts.
    ///
    /// - Parameters:
    ///   - length: The number of bytes that the request announces.
    ///   - failure: The error with which the body ends.
    private func upload(
        _ parts: [String], length: Int? = nil, failure: (any Error)? = nil,
        to uploads: UploadedFiles, _ login: Login
    ) async throws -> String {
        var head = HTTPRequest(
            method: .post, scheme: "http", authority: "localhost", path: "/",
            headerFields: [.contentType: "application/octet-stream"])
        head.headerFields[.contentLength] = length.map { "\($0)" }
        let body = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
            for part in parts { continuation.yield(ByteBuffer(string: part)) }
            continuation.finish(throwing: failure)
        }
        let request = Request(head: head, body: RequestBody(asyncSequence: body))
        return try await uploads.add(login) { file in
            try await RequestJSON(limits: StudioLimits()).receive(request, maximum: 5, into: file)
        }
    }

    @Test("a file is stored as it arrives, and nothing of one that is too large or truncated")
    func upload() async throws {
        let uploads = UploadedFiles(limit: 2)
        let login = Login(StudioLimits())
        let name = try await upload(["a", "b", "c"], length: 3, to: uploads, login)
        // FIPS 180-4: the SHA-256 of "abc".
        #expect(name == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let path = try #require(uploads.path(of: name, login))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("abc".utf8))
        let tooLarge = await #expect(throws: StudioError.self) {
            try await upload(["ab", "cd", "ef"], to: uploads, login)
        }
        #expect(tooLarge?.code == .bodyTooLarge)
        let truncated = await #expect(throws: StudioError.self) {
            try await upload(["ab"], length: 5, to: uploads, login)
        }
        #expect(truncated?.code == .invalidRequest)
        await #expect(throws: CancellationError.self) {
            try await upload(["ab"], failure: CancellationError(), to: uploads, login)
        }
        let folder = (path as NSString).deletingLastPathComponent
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name])
    }

    @Test("a read-only studio has no sessions")
    func readOnly() async throws {
        let fixture = try StudioFixture({ $0.isReadOnly = true })
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            #expect(
                try await client.errorCode(
                    .post, "/api/sessions", body("nothing"), status: .forbidden) == "readOnly")
        }
    }

    @Test("the end of a login cancels its sessions")
    func logout() async throws {
        let fixture = try fixture()
        let asset = try await add(to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            _ = try await open(asset, client)
            #expect(try await client.send(.post, "/api/logout").status == .noContent)
            try await waitUntil("the session has ended") { fixture.host.openEditingSessions == 0 }
        }
    }

    @Test("pictures in flight leave room for the requests of sessions")
    func starvation() async throws {
        let login = Login(StudioLimits())
        for _ in 0..<16 { try login.beginRequest() }
        #expect(throws: StudioError.self) { try login.beginRequest() }
        try login.beginRequest(isOfSession: true)
        login.endRequest(isOfSession: true)
        login.endRequest()
        try login.beginRequest()
    }
}
