// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `metadata write`.
@Suite("sidecars beside referenced originals")
struct WriteMetadataTests {
    private let bench: Workbench
    private let path: String
    private let id: String
    private var sidecar: String { path + ".xmp" }
    private var photos: String { bench.folder.file("photos") }

    /// Imports a referenced picture, and describes it in the library.
    init() throws {
        bench = try Workbench()
        path = try bench.picture(name: "a.png")
        let rows = try bench.json("import", "--reference", bench.folder.file("photos"))
        id = try #require(rows.first?["id"] as? String)
        _ = try bench.json(
            "set", id, "--rating", "4", "--title", "A & B", "--keyword", "Travel|Rome",
            "--location", "52.5163,13.3777", "--date", "2024-05-31T18:30:00+02:00")
    }

    private func statuses(_ arguments: String...) throws -> [String] {
        try bench.json(arguments).compactMap { $0["status"] as? String }
    }

    /// Runs `metadata write`, which must fail, and returns the row.
    private func failure(_ arguments: String...) throws -> [String: Any] {
        let result = try bench.run(["metadata", "write", id, "--json"] + arguments)
        #expect(result.status != 0)
        let row = try #require(try result.objects.first)
        #expect(row["status"] as? String == "failed" && row["error"] is String)
        return row
    }

    private func text(_ name: String = "a.png.xmp") throws -> String {
        try String(
            contentsOf: URL(fileURLWithPath: bench.folder.file("photos/\(name)")),
            encoding: .utf8)
    }

    private func write(_ text: String, to name: String = "a.png.xmp") throws {
        try bench.folder.write(Data(text.utf8), to: "photos/\(name)")
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: photos).sorted() }
    }

    private static let foreign = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
         xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:Exposure2012="+0.50"
         xmlns:darktable="http://darktable.sf.net/"><darktable:history><rdf:Seq>
         <rdf:li darktable:operation="exposure" darktable:params="00ff"/></rdf:Seq>
         </darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>
        """

    @Test("a sidecar is written once, and the next import finds nothing new")
    func written() throws {
        let picture = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try statuses("metadata", "write", "--all", "--dry-run") == ["written"])
        #expect(try names == ["a.png"])
        let row = try #require(try bench.json("metadata", "write", "--all").first)
        #expect(row["status"] as? String == "written" && row["path"] as? String == sidecar)
        let before = try text()
        for part in ["A &amp; B", "Travel|Rome", "2024-05-31T18:30:00+02:00", ">4<"] {
            #expect(before.contains(part), "\(part)")
        }
        #expect(try statuses("metadata", "write", id) == ["unchanged"])
        #expect(try statuses("metadata", "write", id, "--dry-run") == ["unchanged"])
        #expect(try statuses("import", photos) == ["duplicate", "duplicate"])
        #expect(try text() == before && names == ["a.png", "a.png.xmp"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == picture)
        #expect(try bench.run("check").status == 0)
    }

    @Test("ExifTool reads the values, and an import into another library does too")
    func roundTrip() throws {
        _ = try bench.json("metadata", "write", id)
        let read = try runProgram(
            "/usr/bin/env", ["exiftool", "-j", "-n", "-G1", sidecar])
        let object = try JSONSerialization.jsonObject(with: Data(read.output.utf8))
        let tags = try #require((object as? [[String: Any]])?.first)
        #expect(tags["XMP-xmp:Rating"] as? Int == 4)
        #expect(tags["XMP-dc:Title"] as? String == "A & B")
        #expect(tags["XMP-lr:HierarchicalSubject"] as? String == "Travel|Rome")
        #expect(tags["XMP-digiKam:TagsList"] as? String == "Travel/Rome")
        #expect(tags["XMP-exif:DateTimeOriginal"] as? String == "2024:05:31 18:30:00+02:00")
        let latitude = try #require(tags["XMP-exif:GPSLatitude"] as? Double)
        #expect(abs(latitude - 52.5163) < 1e-6)
        let other = try Workbench()
        let shown = try #require(try bench.json("show", id).first)
        let new = try #require(try other.json("import", photos).first?["id"] as? String)
        let found = try #require(try other.json("show", new).first)
        for name in ["rating", "title", "keywordPaths", "captureDate"] {
            #expect("\(found[name] ?? "")" == "\(shown[name] ?? "")", "\(name)")
        }
    }

    @Test("other properties are kept, and a change of another program is not replaced")
    func conflict() throws {
        try write(Self.foreign)
        var row = try failure()
        #expect(row["errorCode"] as? String == "sidecarChanged")
        #expect((row["error"] as? String)?.contains("import it first") == true)
        #expect(row["path"] as? String == sidecar)
        #expect(try failure("--dry-run")["errorCode"] as? String == "sidecarChanged")
        #expect(try text() == Self.foreign)
        _ = try bench.json("import", photos)
        #expect(try statuses("metadata", "write", id) == ["written"])
        for part in [
            #"crs:Exposure2012="+0.50""#,
            #"<rdf:li darktable:operation="exposure" darktable:params="00ff"/>"#,
        ] {
            #expect(try text().contains(part), "\(part)")
        }
        let changed = try text().replacingOccurrences(of: ">4<", with: ">1<")
        try write(changed)
        row = try failure()
        #expect(row["errorCode"] as? String == "sidecarChanged")
        #expect(try text() == changed)
    }

    @Test("a removed value is removed, even if it is the last one")
    func removed() throws {
        _ = try bench.json("metadata", "write", id)
        _ = try bench.json(
            "set", id, "--rating", "none", "--title", "", "--location", "none", "--date",
            "none", "--remove-keyword", "Travel|Rome")
        #expect(try statuses("metadata", "write", id) == ["written"])
        #expect(try !text().contains("Rome") && !text().contains("A &amp; B"))
        #expect(try statuses("metadata", "write", id) == ["unchanged"])
        #expect(try statuses("import", photos) == ["duplicate", "duplicate"])
    }

    @Test("a keyword that another program removed from one list is removed from the others")
    func outdatedList() throws {
        let other = try bench.picture(seed: 3, name: "c.png")
        try write(Self.foreign, to: "c.png.xmp")
        let tags = [
            "dc:Subject=Rome", "lr:HierarchicalSubject=Travel|Rome", "digiKam:TagsList=Travel/Rome",
            "digiKam:TagsList=Travel/Oslo",
        ].map { "-XMP-" + $0 }
        let tagged = try runProgram(
            "/usr/bin/env", ["exiftool", "-q", "-overwrite_original"] + tags + [other + ".xmp"])
        try #require(tagged.status == 0, "\(tagged.errors)")
        let rows = try bench.json("import", "--reference", other, other + ".xmp")
        let id = try #require(rows.first?["id"] as? String)
        #expect(try statuses("metadata", "write", id, "--dry-run") == ["written"])
        #expect(try statuses("metadata", "write", id) == ["written"])
        #expect(try !text("c.png.xmp").contains("Oslo"))
        #expect(try text("c.png.xmp").contains("Travel/Rome"))
        #expect(try statuses("metadata", "write", id) == ["unchanged"])
        #expect(try Set(statuses("import", photos)) == ["duplicate"])
    }

    @Test("the library's values are never changed, even if the file states others")
    func ownValues() throws {
        let other = try bench.picture(seed: 3, name: "c.png")
        try write(Self.foreign, to: "c.png.xmp")
        for (path, word) in [(other, "embedded"), (other + ".xmp", "beside")] {
            let tags = ["-XMP-dc:Subject=\(word)", "-XMP-dc:Title=\(word)"]
            let tagged = try runProgram(
                "/usr/bin/env", ["exiftool", "-q", "-overwrite_original"] + tags + [path])
            try #require(tagged.status == 0, "\(tagged.errors)")
        }
        let rows = try bench.json("import", "--reference", other, other + ".xmp")
        let id = try #require(rows.first?["id"] as? String)
        _ = try bench.json("set", id, "--remove-keyword", "beside", "--title", "")
        #expect(try statuses("metadata", "write", id) == ["written"])
        #expect(try statuses("metadata", "write", id) == ["unchanged"])
        _ = try bench.json("import", photos)
        let shown = try #require(try bench.json("show", id).first)
        #expect(shown["keywords"] as? [String] == [] && shown["title"] is NSNull)
    }

    @Test(
        "a sidecar that cannot be read is never replaced",
        arguments: [
            "", "<x:xmpmeta", "not XML", "<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>",
            String(foreign.dropLast(20)),
        ])
    func damaged(_ contents: String) throws {
        try write(contents)
        for options in [[], ["--dry-run"]] {
            let result = try bench.run(["metadata", "write", id, "--json"] + options)
            let row = try #require(try result.objects.first)
            #expect(result.status != 0 && row["path"] as? String == sidecar)
            let codes = ["badInput", "sidecarChanged"]
            #expect(codes.contains(row["errorCode"] as? String ?? ""), "\(row)")
        }
        // Even if it was imported.
        _ = try bench.run("import", photos)
        _ = try failure()
        #expect(try text() == contents)
    }

    @Test("a sidecar with another name is updated", arguments: ["a.xmp", "a.XMP", "a.png.XMP"])
    func otherName(_ name: String) throws {
        try write(Self.foreign, to: name)
        _ = try bench.json("import", photos)
        let row = try #require(try bench.json("metadata", "write", id).first)
        #expect(row["path"] as? String == bench.folder.file("photos/\(name)"))
        #expect(try names == ["a.png", name].sorted())
        #expect(try text(name).contains("Travel|Rome") && text(name).contains("darktable:history"))
        #expect(try statuses("metadata", "write", id) == ["unchanged"])
        #expect(try statuses("import", photos) == ["duplicate", "duplicate"])
    }

    @Test("a sidecar of another picture with the same stem is not written")
    func otherOwner() throws {
        // An import assigns a.xmp to a.jpg.
        try bench.folder.write(
            TestPicture.gradient(seed: 7).encoded("jpeg"), to: "photos/a.jpg")
        try write(Self.foreign, to: "a.xmp")
        _ = try bench.json("import", "--reference", photos)
        #expect(try statuses("metadata", "write", id) == ["written"])
        #expect(try text("a.xmp") == Self.foreign)
        #expect(try text().contains("Travel|Rome"))
    }

    @Test("a sidecar that already has the library's values is stored and not written")
    func stored() throws {
        _ = try bench.json("metadata", "write", id)
        let contents = try text().replacingOccurrences(
            of: "<rdf:Description ", with: "<rdf:Description xmlns:o='http://o/' o:kept='yes' ")
        // As if the command had been killed before it stored the sidecar.
        try write(contents)
        #expect(try statuses("metadata", "write", id) == ["unchanged"])
        #expect(try text() == contents)
        #expect(try statuses("import", photos) == ["duplicate", "duplicate"])
        _ = try bench.json("set", id, "--rating", "5")
        #expect(try statuses("metadata", "write", id) == ["written"])
        #expect(try text().contains("o:kept"))
    }

    @Test("two commands at once write each sidecar once")
    func concurrent() throws {
        let both = DispatchQueue(label: "commands", attributes: .concurrent)
        let group = DispatchGroup()
        for _ in 0..<2 {
            both.async(group: group) { [bench] in
                let result = try? bench.run("metadata", "write", "--all")
                if result?.status != 0 { Issue.record("\(result?.errors ?? "no result")") }
            }
        }
        group.wait()
        #expect(try names == ["a.png", "a.png.xmp"])
        #expect(try statuses("metadata", "write", id) == ["unchanged"])
        #expect(try statuses("import", photos) == ["duplicate", "duplicate"])
        #expect(try bench.json("resources", id).count == 2)
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test(
        "a new sidecar gives no more permissions than the umask and its picture",
        arguments: [
            (0o644, "027", 0o640), (0o600, "022", 0o600), (0o444, "022", 0o644),
            (0o640, "007", 0o640),
        ])
    func newMode(_ picture: Int, _ mask: String, _ expected: Int) throws {
        try setMode(picture, of: path)
        let script = "umask \(mask); exec \"$0\" metadata write --all"
        let made = try runProgram(
            "/bin/sh", ["-c", script, Workbench.command], environment: bench.environment())
        #expect(made.status == 0, "\(made.errors)")
        let attributes = try FileManager.default.attributesOfItem(atPath: sidecar)
        #expect(attributes[.posixPermissions] as? Int == expected)
    }

    @Test("a read-only sidecar is not replaced")
    func readOnlySidecar() throws {
        _ = try bench.json("metadata", "write", id)
        try setMode(0o444, of: sidecar)
        #expect(try statuses("metadata", "write", id) == ["unchanged"])
        let before = try text()
        _ = try bench.json("set", id, "--rating", "1")
        for options in [[], ["--dry-run"]] {
            let result = try bench.run(["metadata", "write", id, "--json"] + options)
            let row = try #require(try result.objects.first)
            #expect(row["errorCode"] as? String == "fileFailed" && result.status == 73)
            #expect((row["error"] as? String)?.contains("read-only") == true)
        }
        #expect(try text() == before)
    }

    @Test("the mode of a replaced sidecar is kept")
    func mode() throws {
        _ = try bench.json("metadata", "write", id)
        let files = FileManager.default
        try setMode(0o604, of: sidecar)
        _ = try bench.json("set", id, "--rating", "1")
        #expect(try statuses("metadata", "write", id) == ["written"])
        #expect(try files.attributesOfItem(atPath: sidecar)[.posixPermissions] as? Int == 0o604)
    }

    @Test("the owner of a replaced sidecar is kept", .root)
    func owner() throws {
        _ = try bench.json("metadata", "write", id)
        #expect(chown(sidecar, 65534, 65533) == 0)
        _ = try bench.json("set", id, "--rating", "1")
        #expect(try statuses("metadata", "write", id) == ["written"])
        let now = try FileManager.default.attributesOfItem(atPath: sidecar)
        #expect(now[.ownerAccountID] as? Int == 65534 && now[.groupOwnerAccountID] as? Int == 65533)
    }

    @Test("a link is not followed or replaced")
    func link() throws {
        let target = bench.folder.file("target.xmp")
        try Data(Self.foreign.utf8).write(to: URL(fileURLWithPath: target))
        try FileManager.default.createSymbolicLink(
            atPath: sidecar, withDestinationPath: target)
        #expect(try failure()["errorCode"] as? String == "fileFailed")
        #expect(
            try String(contentsOf: URL(fileURLWithPath: target), encoding: .utf8) == Self.foreign)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: sidecar) == target)
    }

    @Test("photos in the library are skipped, and a missing original is an error among others")
    func unavailable() throws {
        let stored = try bench.importPicture(seed: 1)
        let row = try #require(try bench.json("metadata", "write", stored).first)
        #expect(row["status"] as? String == "skipped" && row["path"] is NSNull)
        #expect(row["reason"] as? String == "its original is stored in the library")
        try bench.folder.write(
            TestPicture.gradient(seed: 9).encoded(), to: "photos/b.png")
        let rows = try bench.json(
            "import", "--reference", bench.folder.file("photos/b.png"))
        let other = try #require(rows.first?["id"] as? String)
        _ = try bench.json("set", other, "--rating", "2")
        try FileManager.default.removeItem(atPath: path)
        #expect(try failure("--dry-run")["errorCode"] as? String == "originalMissing")
        #expect(try failure()["path"] as? String == sidecar)
        let result = try bench.run("metadata", "write", id, other, stored, "--json")
        #expect(
            try result.objects.compactMap { $0["status"] as? String }
                == ["failed", "written", "skipped"])
        #expect(result.status == 1)
    }

    @Test("a folder that cannot be written is an error, also in a dry run", .root)
    func readOnly() throws {
        let script =
            "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" && shift && exec \"$@\""
        for options in [[], ["--dry-run"]] {
            let result = try runProgram(
                "/usr/bin/unshare",
                ["-m", "/bin/sh", "-c", script, "sh", photos, Workbench.command]
                    + ["metadata", "write", id, "--json"] + options,
                environment: bench.environment())
            let row = try #require(try result.objects.first, "\(result.errors)")
            #expect(row["errorCode"] as? String == "fileFailed" && result.status == 73)
            #expect(row["path"] as? String == sidecar)
        }
        #expect(try names == ["a.png"])
    }
}
