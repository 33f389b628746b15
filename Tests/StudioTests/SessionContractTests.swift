// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing

@testable import Studio

/// The contract of PhotoKit's editing controllers, through the requests of the studio.
///
/// The plug-in `adder` adds its parameter `amount` to every sample, and can write its calls and pictures into its recipe.
@Suite("contract rows of studio sessions")
struct SessionContractTests {
    /// A picture of one colour keeps its samples if it is reduced.
    private static let picture = TestPicture(
        width: 120, height: 80, bands: 3, samples: [UInt8](repeating: 100, count: 120 * 80 * 3))

    private func add(_ picture: TestPicture, to fixture: StudioFixture) async throws -> String {
        let path = try fixture.folder.write(picture.encoded(), to: "picture.png")
        return try await fixture.importAsset([path])
    }

    /// Opens a session and returns its path.
    private func open(
        _ asset: String, _ client: StudioClient, _ name: String = "adder", _ more: String = ""
    ) async throws -> String {
        let row = try await client.json(
            .post, "/api/sessions", #"{"asset":"\#(asset)","extension":"\#(name)"\#(more)}"#,
            status: .created)
        return "/api/sessions/\(try #require(row["id"] as? String))"
    }

    private func finish(
        _ path: String, _ client: StudioClient, _ body: String = "{}"
    ) async throws -> Int? {
        try await client.json(.post, "\(path)/finish", body)["changed"] as? Int
    }

    private func edit(
        _ asset: String, _ name: String, _ amount: Int, _ fixture: StudioFixture
    ) async throws {
        _ = try await fixture.host.edit(
            [asset], EditRequest(extensionName: name, values: ["amount": "\(amount)"]),
            in: fixture.library)
    }

    private func states(_ asset: String, _ fixture: StudioFixture) throws -> Int {
        try fixture.library.history(ofAsset: asset).states.count
    }

    /// The last recipe, as text.
    private func recipe(_ asset: String, _ fixture: StudioFixture) throws -> String {
        let last = try fixture.library.history(ofAsset: asset).chain.last
        return String(decoding: try #require(last).adjustmentData.data, as: UTF8.self)
    }

    /// The pixels of the current version.
    private func current(_ asset: String, _ fixture: StudioFixture) throws -> TestPicture {
        let blob = try fixture.library.history(ofAsset: asset).chain.last?.current?.blob
        let file = try fixture.library.openBlob(try #require(blob))
        return try TestPicture(decoding: try file.read(count: file.byteCount()))
    }

    @Test("C-08 C-13 canHandle, start with the placeholder, previews and finish follow each other")
    func callOrder() async throws {
        let fixture = try StudioFixture(
            extensions: { try TestExtension.buildAdder(defines: ["RECORD"], in: $0) })
        let asset = try await add(Self.picture, to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            for (amount, expected) in [
                (11, ["create", "start", "finish"]),
                (12, ["create", "canHandle", "start", "finish"]),
            ] {
                let path = try await open(asset, client)
                let preview = try await client.send(
                    .post, "\(path)/preview", #"{"values":{"amount":\#(amount)}}"#)
                #expect(preview.status == .ok)
                #expect(try await finish(path, client) == 1)
                let calls = try recipe(asset, fixture).split(separator: " ").dropFirst(2)
                    .map(String.init)
                #expect(calls.filter { !["preview", "setParameters"].contains($0) } == expected)
                // The adder records a start without a placeholder under another name.
                let start = try #require(calls.firstIndex(of: "start"))
                let first = try #require(calls.firstIndex(of: "preview"))
                #expect(start < first && calls.last == "finish", "\(calls)")
            }
            #expect(try states(asset, fixture) == 2)
        }
    }

    @Test("C-09 a cancel at twenty random moments commits all or nothing, and the next edit works")
    func randomCancels() async throws {
        let fixture = try StudioFixture(extensions: { try TestExtension.buildAdder(in: $0) })
        let asset = try await add(Self.picture, to: fixture)
        let seed = TestSeed.seed()
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            var random = SeededGenerator(seed: seed)
            for round in 0..<20 {
                let before = try states(asset, fixture)
                let path = try await open(asset, client, "adder", #","values":{"mode":"plain"}"#)
                let call = try #require(
                    [
                        ("preview", "plain"), ("preview", "wait-preview"), ("finish", "later"),
                        ("finish", "wait"), ("finish", "wait-with-image"),
                    ].randomElement(using: &random))
                let body = #"{"values":{"amount":\#(round + 1),"mode":"\#(call.1)"}}"#
                let turns = Int.random(in: 0...400, using: &random)
                async let response = client.send(.post, "\(path)/\(call.0)", body)
                for _ in 0..<turns { await Task.yield() }
                let cancelled = try await client.send(.post, "\(path)/cancel", #"{"force":true}"#)
                #expect(
                    [.ok, .notFound].contains(cancelled.status), "seed \(seed), round \(round)")
                let isDone = try await response.status == .ok && call.0 == "finish"
                #expect(!(isDone && call.1.hasPrefix("wait")), "seed \(seed), round \(round)")
                let found = try states(asset, fixture)
                #expect(found == before + (isDone ? 1 : 0), "seed \(seed), round \(round)")
            }
            try await waitUntil("no session is open") { fixture.host.openEditingSessions == 0 }
            let path = try await open(asset, client, "adder", #","values":{"mode":"plain"}"#)
            #expect(try await finish(path, client, #"{"values":{"amount":99}}"#) == 1)
            #expect(try current(asset, fixture) == Self.picture.adding(99))
        }
    }

    @Test("C-11 C-12 the placeholder is the current version, and the display image the input")
    func pictures() async throws {
        let fixture = try StudioFixture(extensions: { folder in
            try TestExtension.buildAdder(defines: ["WITNESS"], in: folder)
            try TestExtension.buildAdder("org.example.other", in: folder)
        })
        let asset = try await add(Self.picture, to: fixture)
        try await edit(asset, "other", 3, fixture)
        try await edit(asset, "adder", 40, fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            // The placeholder of the page.
            let details = try await client.json(.get, "/api/assets/\(asset)")
            let key = try #require(details["key"] as? String)
            let shown = try await client.send(.get, "/pictures/\(asset)/\(key)/current")
            let placeholder = try TestPicture(decoding: Data(buffer: shown.body))
            #expect(placeholder.samples.allSatisfy { abs(Int($0) - 143) <= 2 })

            let opened = try await client.json(
                .post, "/api/sessions", #"{"asset":"\#(asset)","extension":"adder","size":60}"#,
                status: .created)
            #expect(opened["input"] as? String == "previous")
            #expect(opened["displayWidth"] as? Int == 60)
            #expect(opened["displayHeight"] as? Int == 40)
            let path = "/api/sessions/\(try #require(opened["id"] as? String))"
            let first = try await client.send(.post, "\(path)/preview", "{}")
            let preview = try TestPicture(decoding: Data(buffer: first.body))
            #expect(preview.width == 60 && preview.height == 40)
            #expect(preview.samples.allSatisfy { abs(Int($0) - 143) <= 2 })
            #expect(try await finish(path, client, #"{"values":{"amount":5}}"#) == 1)
            // Each line has a name, width, height, bands and the samples in hexadecimal digits.
            let lines = try recipe(asset, fixture).split(separator: "\n").map {
                $0.split(separator: " ")
            }
            for (name, width, height, sample) in [
                ("placeholder", 60, 40, "8f"), ("display", 60, 40, "67"), ("full", 120, 80, "67"),
            ] {
                let line = try #require(lines.first { $0.first == name[...] }, "\(name)")
                let digits = String(repeating: sample, count: width * height * 3)
                #expect(line.dropFirst() == ["\(width)", "\(height)", "3", digits[...]], "\(name)")
            }
            #expect(try current(asset, fixture) == Self.picture.adding(8))
        }
    }

    @Test("C-12 an extension that cannot continue the edit receives the current version")
    func appended() async throws {
        let fixture = try StudioFixture(extensions: { folder in
            try TestExtension.buildAdder(in: folder)
            try TestExtension.buildAdder("org.example.other", in: folder)
        })
        let asset = try await add(Self.picture, to: fixture)
        try await edit(asset, "other", 30, fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let opened = try await client.json(
                .post, "/api/sessions", #"{"asset":"\#(asset)","extension":"adder","size":60}"#,
                status: .created)
            #expect(opened["input"] as? String == "current")
            let path = "/api/sessions/\(try #require(opened["id"] as? String))"
            // The histogram is that of the display image.
            let counts = try await client.json(.get, "\(path)/histogram")
            #expect((counts["red"] as? [Int])?[130] == 60 * 40)
        }
    }

    @Test("C-14 nothing is decoded at full size before finish")
    func fullSize() async throws {
        let fixture = try StudioFixture(extensions: { try TestExtension.buildAdder(in: $0) })
        let asset = try await add(Self.picture, to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let before = fixture.host.decodes.fullSize
            let path = try await open(asset, client, "adder", #","size":40"#)
            for amount in 1...20 {
                let preview = try await client.send(
                    .post, "\(path)/preview?revision=\(amount)",
                    #"{"values":{"amount":\#(amount)}}"#)
                #expect(preview.status == .ok)
            }
            _ = try await client.json(.get, "\(path)/histogram")
            _ = try await client.json(.get, "\(path)/color?x=60&y=40")
            #expect(fixture.host.decodes.fullSize == before)
            #expect(try await finish(path, client) == 1)
            #expect(fixture.host.decodes.fullSize == before + 1)
            #expect(try current(asset, fixture) == Self.picture.adding(20))
        }
    }

    @Test(
        "C-16 the output of finish is committed once, also from another thread or a removed file",
        arguments: ["later", "twice", "file", "file-removed-later"])
    func completion(mode: String) async throws {
        let fixture = try StudioFixture(extensions: { try TestExtension.buildAdder(in: $0) })
        let asset = try await add(Self.picture, to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client)
            #expect(
                try await finish(
                    path, client, #"{"values":{"amount":9,"mode":"\#(mode)"}}"#) == 1)
            #expect(try states(asset, fixture) == 1)
            #expect(try current(asset, fixture) == Self.picture.adding(9))
            #expect(try recipe(asset, fixture) == "9 \(mode)")
            #expect(
                try await client.errorCode(.post, "\(path)/finish", "{}", status: .notFound)
                    == "noSuchSession")
            #expect(fixture.host.openEditingSessions == 0)
        }
    }

    @Test("C-18 C-19 cropping asks before it is cancelled and continues, and sepia does not ask")
    func confirmation() async throws {
        let fixture = try StudioFixture(extensions: { folder in
            try TestExtension.assemble("SepiaFilter", in: folder)
            try TestExtension.assemble("CropRotate", in: folder)
        })
        let asset = try await add(Self.picture, to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let sepia = try await open(asset, client, "sepia")
            let ended = try await client.json(.post, "\(sepia)/cancel", "{}")
            #expect(ended["ended"] as? Bool == true)
            let crop = try await open(asset, client, "croprotate")
            let question = try await client.json(.post, "\(crop)/cancel", "{}")
            #expect(question["ended"] as? Bool == false)
            #expect(question["shouldConfirm"] as? Bool == true)
            // The user declines, and the session continues.
            #expect(try await client.send(.post, "\(crop)/preview", "{}").status == .ok)
            let forced = try await client.json(.post, "\(crop)/cancel", #"{"force":true}"#)
            #expect(forced["ended"] as? Bool == true)
            #expect(fixture.host.openEditingSessions == 0)
            #expect(try states(asset, fixture) == 0)
        }
    }

    @Test("C-20 an extension that finishes without output commits nothing and ends its session")
    func discarded() async throws {
        let fixture = try StudioFixture(extensions: { try TestExtension.buildAdder(in: $0) })
        let asset = try await add(Self.picture, to: fixture)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client)
            #expect(try await finish(path, client, #"{"values":{"mode":"discard"}}"#) == 0)
            #expect(try states(asset, fixture) == 0)
            #expect(
                try await client.errorCode(.post, "\(path)/preview", "{}", status: .notFound)
                    == "noSuchSession")
            #expect(fixture.host.openEditingSessions == 0)
        }
    }

    @Test("L-02 an extension receives the still, the video and the photo time of a Live Photo")
    func livePhoto() async throws {
        let fixture = try StudioFixture(extensions: { folder in
            try TestExtension.buildSwift(
                "Player", manifest: ["abi": "1.1", "supportedMediaTypes": ["image", "video"]],
                in: folder)
        })
        let video = fixture.folder.file("a.mp4")
        try TestVideo.make(
            video, size: "64x48", seconds: 2, ["-c:v", "libx264", "-c:a", "aac", "-ar", "48000"])
        let photo = try TestLivePhoto.motionPhoto(
            .gradient(width: 160, height: 120),
            video: Data(contentsOf: URL(fileURLWithPath: video)), time: 1_500_000)
        let asset = try await fixture.importAsset([try fixture.folder.write(photo, to: "a.jpg")])
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(asset, client, "player")
            #expect(try await client.send(.post, "\(path)/preview", "{}").status == .ok)
            #expect(try await finish(path, client) == 1)
            let lines = try recipe(asset, fixture).split(separator: "\n")
            #expect(lines.contains("style 3"), "\(lines)")
            #expect(lines.contains { $0.hasPrefix("still 160 120 ") }, "\(lines)")
            #expect(lines.contains("photo 1.5"), "\(lines)")
            #expect(lines.contains { $0.hasPrefix("motion 64 48 ") }, "\(lines)")
        }
    }

    @Test("the motion of a Live Photo is rendered with the values of a session, and sent in parts")
    func motion() async throws {
        let fixture = try StudioFixture(extensions: { folder in
            try TestExtension.assemble("SepiaFilter", in: folder)
        })
        let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
        let (still, video) = (fixture.folder.file("a.jpg"), fixture.folder.file("a.mov"))
        try TestLivePhoto.makeStill(still, identifier)
        try TestLivePhoto.makeVideo(video, identifier)
        let asset = try await fixture.importAsset([still, video])
        let plain = try await add(Self.picture, to: fixture)
        try await fixture.test { client async throws in
            var client = try await client.loggedIn()
            let opened = try await client.json(
                .post, "/api/sessions", #"{"asset":"\#(asset)","extension":"sepia"}"#,
                status: .created)
            #expect(opened["editsMotion"] as? Bool == true)
            let path = "/api/sessions/\(try #require(opened["id"] as? String))"
            let whole = try await client.send(.get, "\(path)/motion?revision=1")
            #expect(whole.status == .ok && whole.headers[.contentType] == "video/mp4")
            let shown = fixture.folder.file("shown.mp4")
            try Data(buffer: whole.body).write(to: URL(fileURLWithPath: shown))
            #expect(try TestVideo.times(shown).count == 25)
            client.headers[.range] = "bytes=4-7"
            let part = try await client.send(.get, "\(path)/motion?revision=1")
            #expect(part.status == .partialContent && String(buffer: part.body) == "ftyp")
            client.headers[.range] = nil
            #expect(try await client.send(.get, "\(path)/motion").status == .badRequest)
            let other = try await open(plain, client, "sepia")
            #expect(
                try await client.errorCode(
                    .get, "\(other)/motion?revision=1", status: .unprocessableContent)
                    == "unsupportedMediaType")
        }
    }
}
