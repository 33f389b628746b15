// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Packaging extensions, and installing them from archives.
@Suite("packaging extensions")
struct PackageExtensionTests {
    private static let archive = "adder-1.0.editingextension.tar.gz"

    /// Builds an adder with a file that it hashes, an icon, and files that no archive includes.
    private static func build(in bench: Workbench) throws -> String {
        let folder = bench.folder.file("source")
        try TestExtension.buildAdder(
            manifest: ["hashedFiles": ["table.cube"], "icon": "icon.png"], in: folder)
        let path = "\(folder)/adder.editingextension"
        for name in ["table.cube", "icon.png", "adder.c", "notes"] {
            try Data(name.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        }
        return path
    }

    @Test("an archive has the declared files only, and tar lists them sorted and without owners")
    func content() throws {
        let bench = try Workbench()
        let path = try Self.build(in: bench)
        let row = try #require(try bench.json("extensions", "package", path).first)
        #expect(row["identifier"] as? String == "org.example.adder")
        #expect(row["version"] as? String == "1.0")
        #expect(row["path"] as? String == "./\(Self.archive)")
        let listed = try runProgram(
            "/usr/bin/env", ["tar", "--utc", "-tvzf", bench.folder.file(Self.archive)])
        try #require(listed.status == 0, "\(listed.errors)")
        let lines = listed.output.split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        let folder = "adder.editingextension"
        #expect(
            lines.compactMap(\.last) == [
                "\(folder)/", "\(folder)/icon.png", "\(folder)/libadder.so",
                "\(folder)/manifest.json", "\(folder)/table.cube",
            ])
        for line in lines {
            #expect(line.count > 3 && line[1] == "0/0" && line[3] == "1970-01-01", "\(line)")
        }
        let sum = try runProgram("/usr/bin/env", ["sha256sum", bench.folder.file(Self.archive)])
        #expect(sum.output.prefix(64) == row["sha256"] as? String ?? "")
    }

    @Test("an extension is packaged from the folder of its sources, too")
    func sourceFolder() throws {
        let bench = try Workbench()
        let path = try Self.build(in: bench)
        let folder = (path as NSString).deletingLastPathComponent
        // Hand-written sources have the manifest beside the folder that is built.
        try FileManager.default.copyItem(
            atPath: path + "/manifest.json", toPath: folder + "/manifest.json")
        let row = try #require(try bench.json("extensions", "package", folder).first)
        #expect(row["identifier"] as? String == "org.example.adder")
        #expect(row["path"] as? String == "./\(Self.archive)")
    }

    @Test("the folder of an archive is created with its parents, unless a file has its name")
    func outputFolder() throws {
        let bench = try Workbench()
        let path = try Self.build(in: bench)
        let folder = bench.folder.file("new/dist")
        let row = try #require(try bench.json("extensions", "package", path, "-o", folder).first)
        #expect(row["path"] as? String == "\(folder)/\(Self.archive)")
        #expect(FileManager.default.fileExists(atPath: "\(folder)/\(Self.archive)"))
        let file = try bench.folder.write(Data(), to: "file")
        let refused = try bench.run("extensions", "package", path, "-o", file)
        #expect(refused.status == 73, "\(refused.errors)")
        #expect(refused.errors.contains("\(file) is a file, not a folder"), "\(refused.errors)")
    }

    @Test("the same files give the same archive, whatever their times, modes and folder")
    func deterministic() throws {
        let bench = try Workbench()
        let path = try Self.build(in: bench)
        func archive(_ path: String, _ output: String) throws -> Data {
            let target = bench.folder.file(output)
            try FileManager.default.createDirectory(
                atPath: target, withIntermediateDirectories: true)
            let result = try bench.run("extensions", "package", path, "--output", target)
            try #require(result.status == 0, "\(result.errors)")
            return try Data(contentsOf: URL(fileURLWithPath: "\(target)/\(Self.archive)"))
        }
        let one = try archive(path, "one")
        let copy = bench.folder.file("copy")
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: path, toPath: "\(copy)/adder.editingextension")
        var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        let table = "\(copy)/adder.editingextension/table.cube"
        try #require(utimensat(AT_FDCWD, table, &times, 0) == 0 && chmod(table, 0o600) == 0)
        #expect(try archive("\(copy)/adder.editingextension", "two") == one)
        #expect(try archive(path, "one") == one)
    }

    @Test("an archive is installed as its folder is, and edits with it")
    func install() throws {
        let bench = try Workbench()
        let path = try Self.build(in: bench)
        let row = try #require(try bench.json("extensions", "package", path).first)
        let hash = try #require(row["sha256"] as? String)
        let archive = bench.folder.file(Self.archive)
        let wrong = String(repeating: "0", count: 64)
        let refused = try bench.run("extensions", "install", archive, "--sha256", wrong)
        #expect(refused.status == 69 && refused.errors.contains(hash), "\(refused.errors)")
        #expect(try Self.installed(bench) == [])
        let folderWithHash = try bench.run("extensions", "install", path, "--sha256", hash)
        #expect(folderWithHash.status == 64)
        let missing = try bench.run("extensions", "install", "/nope.tar.gz", "--sha256", hash)
        #expect(missing.status == 66 && missing.errors.contains("No such file"))

        let installed = try bench.json("extensions", "install", archive, "--sha256", hash)
        #expect(installed.first?["identifier"] as? String == "org.example.adder")
        #expect(try Self.installed(bench) == ["adder.editingextension"])
        #expect(try bench.run("extensions", "install", archive).status == 64)
        let url = URL(fileURLWithPath: archive).absoluteString
        let again = try bench.run("extensions", "install", "--replace", url)
        #expect(again.status == 0, "\(again.errors)")
        let shown = try #require(try bench.json("extensions", "show", "adder").first)
        #expect(shown["trust"] as? String == "none")
        let id = try bench.importPicture()
        let edited = try bench.run("edit", id, "--with", "adder")
        #expect(edited.status == 0, "\(edited.errors)")
    }

    @Test("an extension that cannot be used is not packaged, and a damaged archive not installed")
    func refuses() throws {
        let bench = try Workbench()
        let path = try Self.build(in: bench)
        try #require(try bench.run("extensions", "package", path).status == 0)
        let archive = bench.folder.file(Self.archive)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: archive))
        let damaged = try bench.folder.write(bytes.dropLast(20), to: "damaged.tar.gz")
        let plain = try bench.folder.write(Data("no archive".utf8), to: "plain")
        for file in [damaged, plain] {
            let result = try bench.run("extensions", "install", file)
            #expect(result.status == 69 && result.errors.contains(file), "\(result.errors)")
        }
        #expect(try Self.installed(bench) == [])
        let insecure = try bench.run("extensions", "install", "http://localhost/a.tar.gz")
        #expect(insecure.status == 64 && insecure.errors.contains("https"))

        try #require(unlink("\(path)/table.cube") == 0)
        try #require(symlink("/etc/hostname", "\(path)/table.cube") == 0)
        #expect(try bench.run("extensions", "package", path).status == 73)
        try #require(unlink("\(path)/manifest.json") == 0)
        #expect(try bench.run("extensions", "package", path).status == 69)
    }

    // MARK: - Debian packages

    /// Builds an adder with an author, and returns its path.
    private static func buildWithAuthor(in bench: Workbench) throws -> String {
        let folder = bench.folder.file("authored")
        try TestExtension.buildAdder(
            manifest: ["author": "Ann <ann@example.org>", "name": "Adder"],
            in: folder)
        return "\(folder)/adder.editingextension"
    }

    @Test(
        "a Debian package installs the archive's files and depends on what the library needs",
        .enabled(
            if: ["dpkg-deb", "dpkg-shlibdeps"].allSatisfy {
                (try? runProgram("/usr/bin/env", [$0, "--version"]))?.status == 0
            }, "dpkg-dev is not installed"))
    func debianPackage() throws {
        let bench = try Workbench()
        let path = try Self.buildWithAuthor(in: bench)
        let package = bench.folder.file("adder-1.0.deb")
        var packages: [Data] = []
        for _ in 0..<2 {
            let row = try #require(try bench.json("extensions", "package", path, "--deb").first)
            #expect(row["debianPackage"] as? String == "./adder-1.0.deb")
            packages.append(try Data(contentsOf: URL(fileURLWithPath: package)))
        }
        #expect(packages[0] == packages[1])

        let root = bench.folder.file("root")
        let unpacked = try runProgram("/usr/bin/env", ["dpkg-deb", "--extract", package, root])
        try #require(unpacked.status == 0, "\(unpacked.errors)")
        let installed = "\(root)/usr/lib/edithost/extensions/adder.editingextension"
        for file in ["manifest.json", "libadder.so"] {
            #expect(
                FileManager.default.contents(atPath: "\(installed)/\(file)")
                    == FileManager.default.contents(atPath: "\(path)/\(file)"))
        }
        func field(_ name: String) throws -> String {
            try runProgram("/usr/bin/env", ["dpkg-deb", "--field", package, name]).output
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(try field("Package") == "edithost-extension-adder")
        #expect(try field("Version") == "1.0")
        #expect(try field("Maintainer") == "Ann <ann@example.org>")
        let needs = try field("Depends")
        #expect(needs.hasPrefix("edithost (>= 0), ") && needs.contains("libvips42"), "\(needs)")
    }

    @Test("a Debian package needs an author, and the tools of Debian")
    func withoutDebianTools() throws {
        let bench = try Workbench()
        let anonymous = try bench.run(
            "extensions", "package", try Self.build(in: bench), "--deb")
        #expect(anonymous.status == 64 && anonymous.errors.contains("\"author\""))
        let archive = "adder-1.0.editingextension.tar.gz"
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file(archive)))
        let folder = bench.folder.file("programs")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for (name, path) in [("sh", "/bin/sh"), ("env", "/usr/bin/env")] {
            try #require(symlink(path, "\(folder)/\(name)") == 0)
        }
        let result = try bench.run(
            "extensions", "package", try Self.buildWithAuthor(in: bench), "--deb",
            environment: ["PATH": folder])
        #expect(result.status == 73 && result.errors.contains("dpkg-dev"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("adder-1.0.deb")))
    }

    // MARK: - Downloads

    /// Writes a program `curl` into a folder, which has the archive but no signature, and records its arguments.
    private static func fakeCurl(in bench: Workbench) throws -> String {
        let folder = bench.folder.file("programs")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let script = """
            #!/bin/sh
            echo "$@" >>"\(bench.folder.file("arguments"))"
            ulimit -f >>"\(bench.folder.file("limits"))"
            while [ $# -gt 0 ]; do
                case $1 in
                --output) output=$2 ;;
                --url) url=$2 ;;
                esac
                shift
            done
            case $url in
            *page*.minisig) printf '<!DOCTYPE html>%20000s' '' >"$output"; exit ;;
            *.minisig) exit 22 ;;
            *missing*) exit 22 ;;
            *broken*) exit 56 ;;
            esac
            cp "\(bench.folder.file(archive))" "$output"
            """
        try bench.folder.writeProgram(script, to: "programs/curl")
        return folder
    }

    @Test("an https URL is downloaded by curl, with https only and limits on size and time")
    func download() throws {
        let bench = try Workbench()
        _ = try bench.json("extensions", "package", try Self.build(in: bench))
        let programs = try Self.fakeCurl(in: bench)
        func install(_ name: String) throws -> ProcessResult {
            try bench.run(
                "extensions", "install", "https://localhost/\(name)",
                environment: ["PATH": "\(programs):/usr/bin:/bin"])
        }
        let result = try install("a.tar.gz")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(try Self.installed(bench) == ["adder.editingextension"])
        let lines = try String(contentsOfFile: bench.folder.file("arguments"), encoding: .utf8)
            .split(separator: "\n")
        #expect(lines.count == 2)
        for (line, url) in zip(lines, ["a.tar.gz", "a.tar.gz.minisig"]) {
            #expect(line.hasPrefix("--disable "), "\(line)")
            for option in ["--proto =https", "--max-time", "--max-filesize", "--fail"] {
                #expect(line.contains(option), "\(line)")
            }
            #expect(line.hasSuffix("--url https://localhost/\(url)"), "\(line)")
        }
        let limits = try String(contentsOfFile: bench.folder.file("limits"), encoding: .utf8)
        #expect(limits == "\((2 << 30) / 512)\n\((1 << 20) / 512)\n")

        let page = try bench.run(
            "extensions", "install", "--replace", "https://localhost/page.tar.gz",
            environment: ["PATH": "\(programs):/usr/bin:/bin"])
        #expect(page.status == 0, "\(page.errors)")
        #expect(page.errors.contains("page.tar.gz.minisig is not a signature"), "\(page.errors)")

        #expect(try install("missing.tar.gz").status == 66)
        let broken = try install("broken.tar.gz")
        #expect(broken.status == 73 && broken.errors.contains("https://localhost/broken.tar.gz"))
    }

    @Test("without curl, a download names what is missing")
    func withoutCurl() throws {
        let bench = try Workbench()
        let folder = bench.folder.file("programs")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try #require(symlink("/bin/sh", "\(folder)/sh") == 0)
        let result = try bench.run(
            "extensions", "install", "https://localhost/a.tar.gz", environment: ["PATH": folder])
        #expect(result.status == 73 && result.errors.contains("curl is not installed"))
    }

    // MARK: - Publishers

    private static let publicKey = "RWQ/7W5oztOQOSfijO4PKWNrANOUc80uh1rWWQcm6pk7o+bIhbtelCXz"
    private static let secretKey = """
        untrusted comment: minisign encrypted secret key
        RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP+1uaM7T\
        kDl664iG6D3cLz+KWsBUKvA2DzhSnb6M9urjlDY7x/scMifijO4PKWNrANOUc80uh1rWWQcm6pk7o+bI\
        hbtelCXzAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
        """

    /// The key of another publisher, 0123456789ABCDEF.
    static let otherPublicKey = "RWTvzauJZ0UjAVOzEIu1lIRI9oeAkqk/g2RfZf1U3eAaTSMZxNLnH9iB"
    static let otherSecretKey = """
        untrusted comment: minisign encrypted secret key
        RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA782riWdFIwEp\
        6cTp43Ch6WUYAu+4SabAR4rv1tozt9colFX3hkg821OzEIu1lIRI9oeAkqk/g2RfZf1U3eAaTSMZxNLnH9iB\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
        """

    @Test("a signed archive of a trusted publisher is trusted until the publisher is revoked")
    func publisher() throws {
        let bench = try Workbench()
        let path = try Self.build(in: bench)
        let key = try bench.folder.write(Data(Self.secretKey.utf8), to: "key")
        func trust() throws -> String? {
            try bench.json("extensions", "show", "adder").first?["trust"] as? String
        }
        let row = try #require(
            try bench.json("extensions", "package", path, "--key", key).first)
        #expect(row["publisher"] as? String == "3990D3CE686EED3F")
        let archive = bench.folder.file(Self.archive)
        let foreign = try bench.run("extensions", "install", archive)
        #expect(foreign.status == 0 && foreign.errors.contains("3990D3CE686EED3F"))
        #expect(try trust() == "none")

        let trusted = try bench.run("extensions", "trust-publisher", Self.publicKey)
        #expect(trusted.status == 0, "\(trusted.errors)")
        #expect(try trust() == "none")
        let installed = try bench.run("extensions", "install", "--replace", archive)
        #expect(installed.status == 0 && installed.errors.isEmpty, "\(installed.errors)")
        #expect(try trust() == "user")
        let listed = try bench.json("extensions", "trust-publisher", "--list")
        #expect(listed.count == 1 && listed[0]["key"] as? String == Self.publicKey)
        #expect(listed[0]["extensions"] as? [String] == ["org.example.adder"])

        let revoked = try bench.json(
            "extensions", "trust-publisher", "--revoke", Self.publicKey)
        #expect(revoked.first?["extensions"] as? [String] == ["org.example.adder"])
        #expect(try trust() == "none")
        #expect(try bench.json("extensions", "trust-publisher", "--list").isEmpty)
        let again = try bench.run("extensions", "trust-publisher", "--revoke", Self.publicKey)
        #expect(again.status == 64)
    }

    @Test("trust in an extension does not pass to another publisher or to an unsigned build")
    func otherPublisher() throws {
        let bench = try Workbench()
        let path = try Self.build(in: bench)
        let archive = bench.folder.file(Self.archive)
        /// Packages a build with this content, and installs it.
        func install(_ content: String, key: String? = nil) throws -> ProcessResult {
            try Data(content.utf8).write(to: URL(fileURLWithPath: "\(path)/table.cube"))
            var arguments = ["extensions", "package", path]
            if let key {
                arguments += ["--key", try bench.folder.write(Data(key.utf8), to: "key")]
            }
            _ = try bench.json(arguments)
            return try bench.run("extensions", "install", archive, "--replace")
        }
        func trust() throws -> String? {
            try bench.json("extensions", "show", "adder").first?["trust"] as? String
        }
        _ = try bench.json("extensions", "trust-publisher", Self.publicKey)
        _ = try bench.json("extensions", "trust-publisher", Self.otherPublicKey)
        #expect(try install("one", key: Self.secretKey).status == 0)
        #expect(try trust() == "user")
        let foreign = try install("two", key: Self.otherSecretKey)
        #expect(foreign.status == 0, "\(foreign.errors)")
        for name in ["3990D3CE686EED3F", "0123456789ABCDEF"] {
            #expect(foreign.errors.contains(name), "\(foreign.errors)")
        }
        #expect(try trust() == "none")
        // A later build of that publisher is not trusted either.
        #expect(try install("three", key: Self.otherSecretKey).errors.contains("not trusted"))
        #expect(try trust() == "none")

        let own = try install("four", key: Self.secretKey)
        #expect(own.status == 0 && own.errors.isEmpty, "\(own.errors)")
        #expect(try trust() == "user")
        let unsigned = try install("five")
        #expect(unsigned.status == 0 && unsigned.errors.contains("3990D3CE686EED3F"))
        #expect(try trust() == "none")

        #expect(try bench.run("extensions", "trust", "adder").status == 0)
        #expect(try install("six", key: Self.secretKey).errors.contains("not trusted"))
        #expect(try trust() == "none")
        // Without trust in earlier builds, either publisher is accepted.
        #expect(try bench.run("extensions", "untrust", "adder").status == 0)
        let accepted = try install("seven", key: Self.otherSecretKey)
        #expect(accepted.status == 0 && accepted.errors.isEmpty, "\(accepted.errors)")
        #expect(try trust() == "user")
    }

    @Test("packaging the same files again without a key keeps the signature")
    func keepsSignature() throws {
        let bench = try Workbench()
        let path = try Self.build(in: bench)
        let key = try bench.folder.write(Data(Self.secretKey.utf8), to: "key")
        _ = try bench.json("extensions", "package", path, "--key", key)
        let file = bench.folder.file("\(Self.archive).minisig")
        let signature = try Data(contentsOf: URL(fileURLWithPath: file))
        let again = try bench.run("extensions", "package", path)
        #expect(again.status == 0 && again.errors.isEmpty, "\(again.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == signature)
    }

    @Test("after an extension is removed, the warning names an earlier build as trusted")
    func distrustOfRemoved() throws {
        let bench = try Workbench()
        let path = try Self.build(in: bench)
        _ = try bench.json("extensions", "trust-publisher", Self.publicKey)
        _ = try bench.json("extensions", "trust-publisher", Self.otherPublicKey)
        let archive = bench.folder.file(Self.archive)
        let key = try bench.folder.write(Data(Self.secretKey.utf8), to: "key")
        let otherKey = try bench.folder.write(Data(Self.otherSecretKey.utf8), to: "other-key")
        _ = try bench.json("extensions", "package", path, "--key", key)
        _ = try bench.json("extensions", "install", archive)
        #expect(try bench.run("extensions", "remove", "adder").status == 0)
        try Data("other".utf8).write(to: URL(fileURLWithPath: "\(path)/table.cube"))
        _ = try bench.json("extensions", "package", path, "--key", otherKey)
        let result = try bench.run("extensions", "install", archive)
        let words =
            "an earlier build of org.example.adder is trusted as signed by the publisher "
            + "3990D3CE686EED3F, but the build in \(archive) is signed by the publisher "
            + "0123456789ABCDEF"
        #expect(result.status == 0 && result.errors.contains(words), "\(result.errors)")
    }

    @Test("an archive that does not match the signature of a trusted publisher is not installed")
    func forged() throws {
        let bench = try Workbench()
        let path = try Self.build(in: bench)
        let key = try bench.folder.write(Data(Self.secretKey.utf8), to: "key")
        _ = try bench.json("extensions", "package", path, "--key", key)
        _ = try bench.json("extensions", "trust-publisher", Self.publicKey)
        let archive = bench.folder.file(Self.archive)
        let signature = try Data(contentsOf: URL(fileURLWithPath: "\(archive).minisig"))
        // Another build, which removes the signature of the first one.
        try Data("other".utf8).write(to: URL(fileURLWithPath: "\(path)/table.cube"))
        let packaged = try bench.run("extensions", "package", path)
        #expect(packaged.status == 0, "\(packaged.errors)")
        #expect(packaged.errors.contains("removed ./\(Self.archive).minisig"))
        #expect(!FileManager.default.fileExists(atPath: "\(archive).minisig"))
        try signature.write(to: URL(fileURLWithPath: "\(archive).minisig"))
        let result = try bench.run("extensions", "install", archive)
        #expect(result.status == 69 && result.errors.contains("signature"), "\(result.errors)")
        #expect(try Self.installed(bench) == [])
        try #require(unlink("\(archive).minisig") == 0)
        #expect(try bench.run("extensions", "install", archive).status == 0)
        #expect(
            try bench.json("extensions", "show", "adder").first?["trust"] as? String == "none")
    }

    /// The names in the user's extension folder, including those of unfinished installations.
    private static func installed(_ bench: Workbench) throws -> [String] {
        let folder = bench.folder.file("data/edithost/extensions")
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
}
