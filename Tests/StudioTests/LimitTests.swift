// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Library
import Testing

@testable import Studio

@Suite("studio limits")
struct LimitTests {
    @Test("a body that is too long is rejected with 413")
    func longBody() async throws {
        try await StudioFixture().test { client async throws in
            let body = #"{"search":""# + String(repeating: "x", count: 1 << 20) + #""}"#
            let client = try await client.loggedIn()
            #expect(
                try await client.errorCode(.post, "/api/views", body, status: .contentTooLarge)
                    == "bodyTooLarge")
        }
    }

    @Test("JSON of depth 10,000 is rejected before it is parsed")
    func depth() async throws {
        try await StudioFixture().test { client async throws in
            let deep =
                #"{"predicate":"# + String(repeating: #"{"not":"#, count: 10_000) + "1"
                + String(repeating: "}", count: 10_001)
            let client = try await client.loggedIn()
            #expect(
                try await client.errorCode(.post, "/api/views", deep, status: .badRequest)
                    == "tooDeep")
        }
    }

    @Test("bodies of other types are rejected")
    func notJSON() async throws {
        try await StudioFixture().test { client async throws in
            var client = try await client.loggedIn()
            client.headers[.contentType] = "text/plain"
            #expect(
                try await client
                    .errorCode(.post, "/api/views", "{}", status: .unsupportedMediaType)
                    == "notJSON")
        }
    }

    @Test(
        "invalid bodies are rejected, with the place of the error",
        arguments: [
            "", "[", "[]", #"{"unknown":1}"#, #"{"predicate":{"isFavorite":false}}"#,
            #"{"sort":[{"key":"size","isAscending":true}]}"#, #"{"search":1}"#,
            #"{"predicate":{"rating":{"atLeast":NaN}}}"#,
        ])
    func invalid(body: String) async throws {
        try await StudioFixture().test { client async throws in
            let client = try await client.loggedIn()
            #expect(
                try await client.errorCode(.post, "/api/views", body, status: .badRequest)
                    == "invalidRequest")
        }
    }

    @Test(
        "a number that does not fit is distinguished from invalid JSON",
        arguments: [
            ("1.5", true), ("-3.8e-294", true), ("1e300", true), ("9223372036854775808", true),
            ("1e", false), ("1.5}", false), ("1.", false), ("01", false), ("+1", false),
            (".5", false), ("inf", false), ("0x10", false),
        ])
    func integers(number: String, isJSON: Bool) async throws {
        try await StudioFixture().test { client async throws in
            let client = try await client.loggedIn()
            let body = #"{"predicate":{"rating":{"atLeast":"# + number + "}}}"
            let answer = try await client.json(.post, "/api/views", body, status: .badRequest)
            let message = (answer["error"] as? [String: Any])?["message"] as? String
            #expect(
                message
                    == (isJSON
                        ? "a number is too large or not a whole number"
                        : "the body is not valid JSON"))
        }
    }

    @Test("a login has at most 20 views")
    func views() async throws {
        try await StudioFixture().test { client async throws in
            let client = try await client.loggedIn()
            for _ in 0..<20 {
                _ = try await client.json(.post, "/api/views", "{}", status: .created)
            }
            #expect(
                try await client.errorCode(.post, "/api/views", "{}", status: .tooManyRequests)
                    == "tooManyViews")
            #expect(try await client.send(.delete, "/api/views/v7").status == .noContent)
            _ = try await client.json(.post, "/api/views", "{}", status: .created)
        }
    }

    @Test("at most 500 rows are sent at once")
    func rows() async throws {
        try await StudioFixture().test { client async throws in
            let client = try await client.loggedIn()
            _ = try await client.json(.post, "/api/views", "{}", status: .created)
            for query in ["count=501", "from=-1", "count=x", "from=99999999999999999999"] {
                #expect(
                    try await client
                        .errorCode(.get, "/api/views/v1/rows?\(query)", status: .badRequest)
                        == "invalidRequest")
            }
        }
    }

    @Test("positions that overlap name at most 100,000 photos in total")
    func positions() throws {
        let half = [0, 49_999]
        #expect(
            try RequestedAssets.ranges([half, half], below: 50_000) == [0...49_999, 0...49_999])
        #expect { try RequestedAssets.ranges([half, half, [0, 0]], below: 50_000) } throws: {
            ($0 as? StudioError)?.code == .invalidRequest
        }
        let many = Array(repeating: [0, 99_999], count: 30_000)
        #expect { try RequestedAssets.ranges(many, below: 100_000) } throws: {
            ($0 as? StudioError)?.code == .invalidRequest
        }
    }

    @Test("positions beyond the end of a view are a conflict, malformed ones are invalid")
    func positionsBeyondTheEnd() throws {
        #expect(try RequestedAssets.ranges([[0, 2]], below: 3) == [0...2])
        #expect { try RequestedAssets.ranges([[0, 1], [2, 3]], below: 3) } throws: {
            ($0 as? LibraryError)?.code == .conflict
        }
        for pair in [[2, 1], [-1, 0], [0], [0, 1, 2]] {
            #expect { try RequestedAssets.ranges([pair], below: 3) } throws: {
                ($0 as? StudioError)?.code == .invalidRequest
            }
        }
    }
}
