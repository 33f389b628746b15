// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

@testable import Studio

@Suite("files of the studio's page")
struct StaticFilesTests {
    @Test("browsers keep the files, and ask for the page each time")
    func caching() async throws {
        try await StudioFixture().test { client async throws in
            let page = try await client.send(.get, "/")
            #expect(page.headers[.cacheControl] == "no-cache")
            let path = try #require(String(buffer: page.body).firstMatch(of: /src="([^"]+)"/)?.1)
            let file = try await client.send(.get, String(path))
            #expect(file.headers[.cacheControl]?.contains("immutable") == true)
            #expect(String(buffer: file.body) == "export {};")
            let loggedIn = try await client.loggedIn()
            #expect(try await loggedIn.send(.get, "/core/element.js").status == .notFound)
        }
    }

    @Test("the paths of all files change with any file")
    func versions() throws {
        let folder = try TemporaryFolder()
        for (name, text) in ["index.html": "", "a.js": "1", "b.css": ""] {
            try folder.write(Data(text.utf8), to: name)
        }
        let paths = { try StaticFiles(folder: folder.path).paths }
        let first = try paths()
        #expect(first.count == 3 && first.contains("/"))
        #expect(try paths() == first)
        try folder.write(Data("2".utf8), to: "a.js")
        #expect(try paths().intersection(first) == ["/"])
    }
}
