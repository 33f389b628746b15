// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import ImageMetadata

/// The JSON of Google Takeout.
@Suite("JSON of Google Takeout")
struct TakeoutSidecarTests {
    private func facts(_ text: String) -> SidecarFacts {
        Data(text.utf8).withUnsafeBytes { bytes in
            #expect(TakeoutSidecar.isJSON(bytes))
            return TakeoutSidecar.facts(of: bytes)
        }
    }

    @Test("date, position, description and favourite are read, and the title is not")
    func values() {
        let facts = facts(
            """
            \u{20}
            {
              "title": "IMG_1.jpg", "description": " Sunset\\r\\non the pier ", "imageViews": "3",
              "creationTime": {"timestamp": "1600000000", "formatted": "13 Sept 2020"},
              "photoTakenTime": {"timestamp": "1561234567", "formatted": "22 Jun 2019, 20:16:07 UTC"},
              "photoLastModifiedTime": {"timestamp": "1600000001"},
              "geoData": {"latitude": 41.9, "longitude": -12.5, "altitude": 20.0},
              "geoDataExif": {"latitude": 1.0, "longitude": 2.0},
              "people": [{"name": "Ann"}], "favorited": true, "archived": true
            }
            """)
        #expect(facts.problem == nil)
        #expect(facts.creationDate?.date == Date(timeIntervalSince1970: 1_561_234_567))
        #expect(facts.creationDate?.offset == 0)
        #expect(facts.location == Location(latitude: 41.9, longitude: -12.5))
        #expect(facts.metadata == PhotoMetadata(descriptionText: "Sunset\non the pier"))
        #expect(facts.changeDate == Date(timeIntervalSince1970: 1_600_000_001))
        #expect(facts.isFavorite == true && facts.albumTitle == nil)
    }

    @Test(
        "a picture is not a favourite if the member is missing",
        arguments: [
            ("", false), (#", "favorited": false"#, false), (#", "favorited": true"#, true),
            (#", "favorited": "yes""#, nil), (#", "favorited": null"#, nil),
        ] as [(String, Bool?)])
    func favorite(member: String, expected: Bool?) {
        let facts = facts(#"{"photoTakenTime": {"timestamp": "1561234567"}"# + member + "}")
        #expect(facts.isFavorite == expected && facts.problem == nil)
    }

    @Test("without an own position, that of the file is used")
    func positions() {
        let none = #""geoData": {"latitude": 0.0, "longitude": 0.0}"#
        #expect(
            facts("{\(none), \"geoDataExif\": {\"latitude\": 1.5, \"longitude\": 2}}").location
                == Location(latitude: 1.5, longitude: 2))
        #expect(
            facts("{\(none), \"geoDataExif\": {\"latitude\": 0, \"longitude\": 0}}").location == nil
        )
        #expect(facts(#"{"geoData": {"latitude": 91, "longitude": 0}}"#).location == nil)
    }

    @Test("the title of an album is read")
    func album() {
        let facts = facts(#"{"title": "Trip: Rome", "description": "", "access": "protected"}"#)
        #expect(facts.albumTitle == "Trip: Rome" && facts.isFavorite == nil)
        #expect(facts.metadata == PhotoMetadata() && facts.creationDate == nil)
    }

    @Test(
        "dates that stand for none, and those that cannot be written, are ignored",
        arguments: [
            "\"0\"", "\"-2082844800\"", "\"9223372036854775807\"", "\"-9223372036854775808\"",
            "\"1e9\"", "\"\"", "null", "[]", "\"99999999999999999999\"", "\"253402300800\"",
        ])
    func noDates(timestamp: String) {
        let facts = facts(
            "{\"photoTakenTime\": {\"timestamp\": \(timestamp)}, \"favorited\": true}")
        #expect(facts.creationDate == nil && facts.problem == nil && facts.isFavorite == true)
    }

    @Test(
        "members of other types are ignored",
        arguments: [
            "{}", #"{"description": 5, "favorited": "yes", "geoData": []}"#,
            #"{"geoData": {"latitude": "1", "longitude": null}, "title": {}}"#,
            #"{"geoData": {"latitude": 1e999, "longitude": 0}}"#, #"{"title": "\u0000"}"#,
        ])
    func otherTypes(text: String) {
        let facts = facts(text)
        #expect(facts.metadata == PhotoMetadata() && facts.location == nil)
        #expect(facts.isFavorite == nil && facts.creationDate == nil)
    }

    @Test(
        "what is not JSON is a problem",
        arguments: [
            "{", #"{"photoTakenTime": {"timestamp": "15612"#, "{\u{0}}", "{} {}",
        ])
    func problems(text: String) {
        #expect(facts(text).problem != nil)
    }

    @Test("JSON that is too deep or too long is a problem")
    func limits() {
        let (open, closed) = (
            String(repeating: "[", count: 5000), String(repeating: "]", count: 5000)
        )
        for text in [
            "{\"a\": \(open)", "{\"a\": \(open)\(closed)}",
            "{\"title\": \"\(String(repeating: "x", count: 1 << 20))\"}",
        ] {
            #expect(facts(text).problem != nil)
        }
    }

    @Test("XML is not mistaken for JSON")
    func xml() {
        for text in ["<x/>", "\u{FEFF}<x/>", "", "  \n<x/>"] {
            let isJSON = Data(text.utf8).withUnsafeBytes { TakeoutSidecar.isJSON($0) }
            #expect(!isJSON)
        }
    }
}
