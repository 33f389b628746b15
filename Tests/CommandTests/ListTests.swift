// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// The filters, sort orders and limit of `list`.
@Suite("list")
struct ListTests {
    private let bench: Workbench
    private let ids: [String]

    /// Imports five pictures. The first four are dated 1 to 4 May, the last has no date. The second
    /// is a favourite in Berlin, the third is hidden, the fourth is edited.
    init() throws {
        (bench, ids) = try Workbench.withPhotos(5, extensions: ["SepiaFilter"])
        _ = try bench.json("edit", ids[3], "--with", "sepia")
        let library = try PhotoLibrary.open(at: bench.folder.file("Photos.editlibrary"))
        let assets = try ids.map { try library.asset(withLocalIdentifier: $0) }
        try library.performChanges {
            for (place, asset) in assets.prefix(4).enumerated() {
                let request = try AssetChangeRequest(for: asset)
                // Noon UTC of 2024-05-01 and the following days.
                request.creationDate = Date(
                    timeIntervalSince1970: 1_714_564_800 + 86400 * Double(place))
                request.isFavorite = place == 1
                request.isHidden = place == 2
                if place == 1 { request.location = Location(latitude: 52.52, longitude: 13.405) }
            }
        }
        try library.close()
    }

    /// The numbers of the listed pictures.
    private func listed(_ arguments: String...) throws -> [Int] {
        let result = try runProgram(
            Workbench.command, ["list", "--json"] + arguments, environment: bench.environment())
        try #require(result.status == 0, "\(arguments): \(result.errors)")
        return try result.objects.map { object in
            try #require(ids.firstIndex { $0 == object["id"] as? String })
        }
    }

    @Test("F-02 list filters by media type, flags, edits, names and location")
    func filters() throws {
        #expect(try listed() == [0, 1, 3, 4])
        #expect(try listed("--hidden") == [0, 1, 2, 3, 4])
        #expect(try listed("--media-type", "image") == [0, 1, 3, 4])
        #expect(try listed("--media-type", "video") == [])
        #expect(try listed("--subtype", "panorama") == [])
        #expect(try listed("--favorite") == [1])
        #expect(try listed("--edited") == [3])
        #expect(try listed("--edited-by", "sepia") == [3])
        #expect(try listed("--edited-by", "ORG.edithost.Sepia") == [3])
        #expect(try listed("--edited-by", "pia") == [])
        let format = try #require(
            try bench.json("show", ids[3]).first?["adjustmentFormatIdentifier"] as? String)
        #expect(try listed("--format-identifier", format) == [3])
        #expect(try listed("--format-identifier", "other") == [])
        #expect(try listed("--text", "CTURE3") == [3])
        #expect(try listed("--text", "%") == [])
        #expect(try listed("--burst", "none") == [])
        // Potsdam is 27 km away.
        #expect(try listed("--near", "52.39,13.06,40") == [1])
        #expect(try listed("--near", "52.39,13.06,20") == [])
        #expect(try listed("--near", "-52.39,13.06,40") == [])
        #expect(try listed("--favorite", "--edited") == [])
    }

    @Test("list filters by title, description, label and rating")
    func texts() throws {
        _ = try bench.json("set", ids[0], "--title", "Tor im Regen", "--rating", "4")
        _ = try bench.json(
            "set", ids[1], "--description", "Abends\nam See", "--label", "Red", "--rating", "2")
        _ = try bench.json("set", ids[3], "--rating", "rejected")
        #expect(try listed("--text", "REGEN") == [0])
        #expect(try listed("--text", "am see") == [1])
        #expect(try listed("--text", "red") == [1])
        #expect(try listed("--label", "Red") == [1])
        #expect(try listed("--label", "red") == [1])
        #expect(try listed("--label", "re") == [])
        #expect(try listed("--rating", "4") == [0])
        #expect(try listed("--rating", "2..") == [0, 1])
        #expect(try listed("--rating", "..3") == [1])
        #expect(try listed("--rating", "3..5") == [0])
        #expect(try listed("--rating", "rejected") == [3])
        #expect(try listed("--rating", "none") == [4])
        #expect(try listed("--rating", "-1") == [3])
        for rating in ["6", "4..2", "..", "a..", "-2", "+4..", "04"] {
            #expect(try bench.run("list", "--rating=\(rating)").status == 64, "\(rating)")
        }
        _ = try bench.json("set", ids[0], "--rating", "none", "--title", "")
        #expect(try listed("--rating", "none") == [0, 4])
        let shown = try #require(try bench.json("show", ids[1]).first)
        #expect(shown["description"] as? String == "Abends\nam See")
        #expect(shown["title"] is NSNull && shown["label"] as? String == "Red")
        #expect(shown["rating"] as? Int == 2)
    }

    @Test("list filters by keyword: whole keywords, whatever their Unicode composition")
    func keywords() throws {
        _ = try bench.json("set", ids[0], "--keyword", "Caf\u{E9}", "--keyword", "Berlin")
        _ = try bench.json("set", ids[1], "--keyword", "Cafe\u{301}")
        _ = try bench.json("set", ids[3], "--keyword", "Berlin Mitte")
        #expect(try listed("--keyword", "Berlin") == [0])
        #expect(try listed("--keyword", "berlin") == [])
        #expect(try listed("--keyword", "Cafe\u{301}") == [0, 1])
        #expect(try listed("--keyword", "Caf\u{E9}", "--keyword", "Berlin") == [0])
        for keyword in ["%", "' OR 1 --", "Berlin\n"] {
            #expect(try listed("--keyword", keyword) == [], "\(keyword)")
        }
        let set = try bench.json("set", "--with-keyword", "Berlin Mitte", "--keyword", "x")
        #expect(set.map { $0["id"] as? String } == [ids[3]])
    }

    @Test("list filters by what photos lack, by rating and by the original")
    func lacking() throws {
        _ = try bench.json("album", "create", "A")
        _ = try bench.json("album", "add", "A", ids[0], ids[2])
        #expect(try listed("--no-album") == [1, 3, 4])
        #expect(try listed("--no-album", "--hidden") == [1, 3, 4])
        #expect(try listed("--no-location") == [0, 3, 4])
        #expect(try listed("--no-date") == [4])
        #expect(try listed("--unedited") == [0, 1, 4])
        #expect(try listed("--unedited", "--edited") == [])
        #expect(try listed("--format", "png") == [0, 1, 3, 4])
        #expect(try listed("--format", "raw") == [])
        #expect(try bench.run("list", "--format", "svg").status == 64)
        let files = try bench.json("resources", ids[1])
        let hash = try #require(files.first?["hash"] as? String)
        #expect(try listed("--original-hash", hash) == [1])
        #expect(try listed("--original-hash", hash.uppercased()) == [1])
        #expect(try listed("--original-hash", String(repeating: "0", count: 64)) == [])
        #expect(try bench.run("list", "--original-hash", "0").status == 64)
        for (place, rating) in [(0, "2"), (1, "rejected"), (4, "5")] {
            _ = try bench.json("set", ids[place], "--rating", rating)
        }
        #expect(try listed("--sort", "rating:desc") == [4, 0, 3, 1])
        #expect(try listed("--sort", "rating") == [1, 3, 0, 4])
        let copied = try bench.json(
            "export", "--with-no-location", "--with-format", "png", "--unedited", "--to", "out")
        #expect(Set(copied.compactMap { $0["id"] as? String }) == [ids[0], ids[4]])
    }

    @Test("list filters by camera and lens: all words of the make and the model, in any case")
    func cameras() throws {
        let path = try bench.folder.write(
            TestPicture.gradient().encoded("jpeg"), to: "photos/d850.jpg")
        let tagged = try runProgram(
            "/usr/bin/env",
            [
                "exiftool", "-q", "-overwrite_original", "-Make=NIKON CORPORATION",
                "-Model=NIKON D850", "-LensModel=35mm f/1.4", path,
            ])
        try #require(tagged.status == 0, "\(tagged.errors)")
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        for (filter, text) in [
            ("camera", "d850"), ("camera", "nikon D850"), ("camera", "Corporation d850"),
            ("lens", "F/1.4"), ("format", "jpeg"), ("format", "JPEG"),
        ] {
            let found = try bench.json("list", "--\(filter)", text)
            #expect(found.map { $0["id"] as? String } == [id], "\(filter) \(text)")
        }
        for (filter, text) in [
            ("camera", "d750"), ("camera", "nikon z"), ("camera", "d8"), ("lens", "%"),
            ("lens", "nikon"),
        ] {
            #expect(try listed("--\(filter)", text) == [], "\(filter) \(text)")
        }
    }

    @Test("list filters by the camera's local time, by year and by month")
    func clocks() throws {
        // 1 June by the camera's clock, 31 May in UTC.
        _ = try bench.json("set", ids[4], "--date", "2024-06-01T01:00:00+02:00")
        #expect(try listed("--since", "2024-06-01", "--until", "2024-06-01") == [4])
        #expect(try listed("--since", "2024-06") == [4])
        #expect(try listed("--until", "2024-05") == [0, 1, 3])
        #expect(try listed("--since", "2024", "--until", "2024") == [0, 1, 3, 4])
        #expect(try listed("--until", "2023") == [])
        #expect(try listed("--since", "2025") == [])
        #expect(try listed("--since", "2024-06-01T00:00:00Z") == [])
        #expect(try listed("--since", "2024-05-31T23:00:00Z") == [4])
        #expect(try bench.run("list", "--since", "2024-13").status == 64)
    }

    @Test("F-12 list filters by date; a day lasts until its end, and time zone offsets count")
    func dates() throws {
        #expect(try listed("--since", "2024-05-02", "--hidden") == [1, 2, 3])
        #expect(try listed("--until", "2024-05-02", "--hidden") == [0, 1])
        #expect(try listed("--until", "2024-05-02T12:00:00") == [0, 1])
        #expect(try listed("--until", "2024-05-02T11:59:59.999Z") == [0])
        #expect(try listed("--since", "2024-05-04T14:00+02:00") == [3])
        #expect(try listed("--since", "2024-05-04T12:00-00:01") == [])
        #expect(try listed("--since", "2024-05-02", "--until", "2024-05-01") == [])
    }

    @Test("F-12 list sorts by the given key and stops at the limit")
    func order() throws {
        #expect(try listed("--sort", "date:desc") == [4, 3, 1, 0])
        #expect(try listed("--sort", "name:desc", "--limit", "2") == [4, 3])
        #expect(try listed("--sort", "favorite:desc,date:asc") == [1, 0, 3, 4])
        #expect(try listed("--sort", "added", "--hidden") == [0, 1, 2, 3, 4])
        #expect(try bench.run("list", "--text", "nothing").output == "no photos\n")
        #expect(try bench.run("list", "--favorite").output.contains("picture1.png"))
    }
}
