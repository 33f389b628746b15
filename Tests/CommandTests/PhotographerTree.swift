// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Folders of photos from several years, as cameras, other programs and Google Takeout leave them, and what an import
/// must make of them.
///
/// Each year has 27 files, 11 of which become photos. With videos, it has 30 files, 13 of which become assets.
struct PhotographerTree {
    /// The number of years.
    let years: Int
    /// Whether each year has a Live Photo and a video.
    let hasVideos: Bool
    /// What the first import does with each file, by its path in the tree. Files that it ignores are left out.
    private(set) var files: [String: String] = [:]
    /// The values of each photo, by its file name. Values that a photo lacks are left out.
    private(set) var values: [String: [String: String]] = [:]
    private let folder: TemporaryFolder
    /// The number of pictures so far. Each has a width of its own.
    private var pictures = 0

    /// Writes the tree to the folder `tree`.
    init(in folder: TemporaryFolder, years: Int, hasVideos: Bool) throws {
        (self.folder, self.years, self.hasVideos) = (folder, years, hasVideos)
        for year in 2010..<2010 + years {
            try writeCamera(year)
            try writeTakeout(year)
            if hasVideos { try writeVideos(year) }
        }
    }

    /// The number of files.
    var count: Int { years * (hasVideos ? 30 : 27) }

    /// What an import does with each file if nothing has changed since the last one.
    var unchangedFiles: [String: String] {
        files.mapValues { ["imported": "duplicate", "rejected": "rejectedBefore"][$0] ?? $0 }
    }

    /// The names of the files that an export with XMP sidecars writes. An edited WebP picture becomes a JPEG. A photo
    /// without values has no sidecar.
    var exportedNames: Set<String> {
        var names: Set<String> = []
        for (name, stated) in values {
            let file = name.replacingOccurrences(of: ".webp", with: ".jpg")
            names.insert(file)
            if stated.count > 1 { names.insert(file + ".xmp") }
            if name.hasPrefix("live") {
                names.insert(name.replacingOccurrences(of: ".jpg", with: ".mov"))
            }
        }
        return names
    }

    /// Expects another value of the photos whose names begin with a text.
    mutating func expect(_ member: String, _ value: String, of start: String) {
        for name in values.keys where name.hasPrefix(start) { values[name]?[member] = value }
    }

    /// Changes some sidecars and JSON files, as other programs do.
    ///
    /// - Returns: The files that the next import reads again, if the ratings of `digikam` photos were set in the library.
    mutating func change() throws -> Set<String> {
        var changed: Set<String> = []
        for year in 2010..<2010 + years {
            let (camera, takeout) = Self.folders(year)
            let darktable = "\(camera)/darktable-\(year).jpg"
            let digikam = "\(camera)/digikam-\(year).png.xmp"
            let pier = "\(takeout)/pier-\(year).jpg"
            try write(Self.darktable(rating: 5), darktable + ".xmp")
            try write(Self.digikam(rating: 1), digikam)
            try write(Self.json(year, "Pier at night"), pier + ".json")
            changed.formUnion([darktable, darktable + ".xmp", digikam, pier, pier + ".json"])
        }
        expect("rating", "5", of: "darktable")
        expect("description", "Pier at night", of: "pier")
        return changed
    }

    private static func folders(_ year: Int) -> (camera: String, takeout: String) {
        ("Camera/\(year)", "Takeout/Photos from \(year)")
    }

    /// 15 files: five photos, three with sidecars, and files that are no photos.
    private mutating func writeCamera(_ year: Int) throws {
        let path = Self.folders(year).camera
        try addPicture(
            "\(path)/darktable-\(year).jpg", "jpeg", ["rating": "2", "label": "Green"])
        try add(Self.darktable(rating: 2), "\(path)/darktable-\(year).jpg.xmp")
        try addPicture(
            "\(path)/digikam-\(year).png", "png", ["rating": "4", "keywords": "Travel|Italy"])
        try add(Self.digikam(rating: 4), "\(path)/digikam-\(year).png.xmp")
        try addPicture(
            "\(path)/lightroom-\(year).tif", "tiff",
            ["rating": "3", "label": "Approved", "keywords": "Food|Fruit|Fig"])
        try add(
            Self.xmp(
                rating: 3,
                "<xmp:Label>Approved</xmp:Label>" + Self.list("dc:subject", "Fig")
                    + Self.list("lr:hierarchicalSubject", "Food|Fruit|Fig")),
            "\(path)/lightroom-\(year).xmp")
        try addPicture("\(path)/plain-\(year).webp", "webp")
        try addPicture("\(path)/other-\(year).jpg", "jpeg")
        let other = URL(fileURLWithPath: folder.file("tree/\(path)/other-\(year).jpg"))
        try add(Data(contentsOf: other), "\(path)/twin-\(year).jpg", "duplicate")
        // The import remembers rejected files by their bytes, so each has its own.
        try add(Data(count: year), "\(path)/zeros-\(year).jpg", "rejected")
        let cut = try nextPicture("jpeg").prefix(200) + Data("\(year)".utf8)
        try add(cut, "\(path)/cut-\(year).jpg", "rejected")
        try add(Data("notes".utf8), "\(path)/notes.txt", "skipped")
        try add(Self.xmp(rating: 5), "\(path)/lonely.xmp", "skipped")
        try write(Data(), "\(path)/Thumbs.db")
        try write(nextPicture("jpeg"), "\(path)/@eaDir/thumbnail.jpg")
    }

    /// 12 files: six photos, five JSON files for them, and one without a photo.
    private mutating func writeTakeout(_ year: Int) throws {
        let path = Self.folders(year).takeout
        let long = "long name of a picture in Rome-\(year).jpg"
        for (picture, json, description) in [
            ("pier-\(year).jpg", "pier-\(year).jpg.json", "Pier"),
            // Takeout truncates the names of its files.
            (long, "\(long).supplemental-metadata".prefix(46) + ".json", "Rome"),
            ("same-\(year).jpg", "same-\(year).jpg.supplemental-metadata.json", "First"),
            ("same-\(year)(1).jpg", "same-\(year).jpg.supplemental-metadata(1).json", "Second"),
            ("favourite-\(year).jpg", "favourite-\(year).jpg.json", "Favourite"),
            ("favourite-\(year)-edited.jpg", nil, "Favourite"),
        ] {
            // 2010 is 10 June 2019, 20:16:07 UTC, at 40.5 degrees north.
            var stated = [
                "description": description, "latitude": "\(Double(year - 1970) + 0.5)",
                "creationDate": "2019-06-\(year - 2000)T20:16:07+00:00",
            ]
            if description == "Favourite" { stated["favourite"] = "yes" }
            try addPicture("\(path)/\(picture)", "jpeg", stated)
            if let json { try add(Self.json(year, description), "\(path)/\(json)") }
        }
        try add(Self.json(year, "Lonely"), "\(path)/lonely.jpg.json", "skipped")
    }

    /// A Live Photo of two files, and a video.
    private mutating func writeVideos(_ year: Int) throws {
        let path = Self.folders(year).camera
        let start = folder.file("tree/\(path)")
        let identifier = UUID().uuidString
        try TestLivePhoto.makeStill("\(start)/live-\(year).jpg", identifier)
        try TestLivePhoto.makeVideo("\(start)/live-\(year).mov", identifier)
        try TestVideo.make(
            "\(start)/clip-\(year).mp4", size: "96x72", seconds: 1,
            ["-metadata", "title=Clip \(year)"])
        for name in ["live-\(year).jpg", "live-\(year).mov", "clip-\(year).mp4"] {
            files["\(path)/\(name)"] = "imported"
        }
        values["live-\(year).jpg"] = ["folder": path]
        values["clip-\(year).mp4"] = ["folder": path, "title": "Clip \(year)"]
    }

    /// Writes a picture, and expects that it becomes a photo with these values.
    private mutating func addPicture(
        _ path: String, _ format: String, _ stated: [String: String] = [:]
    ) throws {
        try add(nextPicture(format), path)
        let (name, folder) = (
            (path as NSString).lastPathComponent, (path as NSString).deletingLastPathComponent
        )
        values[name] = stated.merging(["folder": folder]) { $1 }
    }

    private mutating func nextPicture(_ format: String) throws -> Data {
        pictures += 1
        return try TestPicture.gradient(width: 40 + pictures).encoded(format)
    }

    private mutating func add(
        _ data: Data, _ path: String, _ status: String = "imported"
    ) throws {
        try write(data, path)
        files[path] = status
    }

    private func write(_ data: Data, _ path: String) throws {
        try folder.write(data, to: "tree/" + path)
    }

    private static func darktable(rating: Int) -> Data {
        xmp(rating: rating, list("darktable:colorlabels", "2"))
    }

    private static func digikam(rating: Int) -> Data {
        xmp(
            rating: rating,
            list("digiKam:TagsList", "Travel/Italy") + list("dc:subject", "Italy"))
    }

    private static func list(_ name: String, _ word: String) -> String {
        "<\(name)><rdf:Bag><rdf:li>\(word)</rdf:li></rdf:Bag></\(name)>"
    }

    private static func xmp(rating: Int, _ properties: String = "") -> Data {
        Data(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
             xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
             xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
             xmlns:darktable="http://darktable.sf.net/"
             xmlns:digiKam="http://www.digikam.org/ns/1.0/"
             xmlns:lr="http://ns.adobe.com/lightroom/1.0/" xmp:Rating="\(rating)">\(properties)\
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    /// A JSON file of Google Takeout.
    private static func json(_ year: Int, _ description: String) throws -> Data {
        try JSONSerialization.data(withJSONObject: [
            "title": "x", "description": description, "favorited": description == "Favourite",
            "photoTakenTime": ["timestamp": "\(1_560_197_767 + 86400 * (year - 2010))"],
            "geoData": ["latitude": Double(year - 1970) + 0.5, "longitude": 12.5, "altitude": 0],
        ])
    }
}
