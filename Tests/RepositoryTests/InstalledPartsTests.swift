// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// The files that `make install-media` installs.
@Suite("installed parts")
struct InstalledPartsTests {
    private func install(_ part: String, below folder: TemporaryFolder) throws -> ProcessResult {
        let configuration = URL(fileURLWithPath: BuildProducts.programs).lastPathComponent
        return try runProgram(
            "\(BuildProducts.packageFolder)/Scripts/install",
            [configuration, "/usr", folder.file("root"), part])
    }

    @Test("the media runner is a separate package with its licence")
    func media() throws {
        let folder = try TemporaryFolder()
        let result = try install("media", below: folder)
        #expect(result.status == 0, "\(result.errors)")
        let found = FileManager.default.enumerator(atPath: folder.file("root"))?
            .compactMap { $0 as? String }
            .filter { !FileManager.default.isFolder("\(folder.file("root"))/\($0)") }
        #expect(
            Set(found ?? []) == [
                "usr/lib/edithost/edithost-media-runner",
                "usr/share/doc/edithost-media-runner/LICENSE",
            ])
        let licence = try String(
            contentsOfFile: folder.file("root/usr/share/doc/edithost-media-runner/LICENSE"),
            encoding: .utf8)
        #expect(licence.contains("edithost-media-runner") && licence.contains("GNU"))
    }

    @Test("uninstalling removes what was installed, and keeps the files of others")
    func uninstall() throws {
        let folder = try TemporaryFolder()
        func uninstall() throws -> ProcessResult {
            try runProgram(
                "\(BuildProducts.packageFolder)/Scripts/uninstall", ["/usr", folder.file("root")])
        }
        #expect(try install("media", below: folder).status == 0)
        #expect(try uninstall().status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.file("root/usr/lib/edithost")))

        #expect(try install("media", below: folder).status == 0)
        let other = folder.file("root/usr/lib/edithost/extensions/Other.editingextension")
        let own = folder.file("root/usr/lib/edithost/extensions/SepiaFilter.editingextension")
        for path in [other, own] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }
        let page = folder.file("root/usr/share/man/man1/edithost-edit.1")
        let neighbour = folder.file("root/usr/share/man/man1/edit.1")
        try FileManager.default.createDirectory(
            atPath: folder.file("root/usr/share/man/man1"), withIntermediateDirectories: true)
        for path in [page, neighbour] { try Data().write(to: URL(fileURLWithPath: path)) }
        let result = try uninstall()
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(FileManager.default.isFolder(other) && !FileManager.default.isFolder(own))
        #expect(FileManager.default.fileExists(atPath: neighbour))
        #expect(!FileManager.default.fileExists(atPath: page))

        // A link to the folder is kept, even if the folder is empty.
        try FileManager.default.removeItem(atPath: folder.file("root/usr/lib/edithost"))
        let host = folder.file("root/usr/lib/edithost")
        try FileManager.default.createDirectory(
            atPath: "\(host)/elsewhere", withIntermediateDirectories: true)
        try #require(symlink("elsewhere", "\(host)/extensions") == 0)
        let linked = try uninstall()
        #expect(linked.status == 0 && linked.errors.isEmpty, "\(linked.errors)")
        #expect(FileManager.default.isFolder("\(host)/extensions"))
    }

    /// Runs some lines of the script, because an installation needs all products.
    private func runLines(
        from first: String, through last: String, _ variables: [String: String],
        in folder: String = BuildProducts.packageFolder
    ) throws {
        let script = try String(
            contentsOfFile: "\(BuildProducts.packageFolder)/Scripts/install", encoding: .utf8)
        let start = try #require(script.range(of: "\n\(first)\n")?.lowerBound)
        let end = try #require(
            script.range(of: "\n\(last)\n", range: start..<script.endIndex)?.upperBound)
        let result = try runProgram(
            "/usr/bin/env",
            variables.map { "\($0)=\($1)" } + ["sh", "-euc", String(script[start..<end])],
            folder: folder)
        try #require(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }

    @Test(
        "installing replaces the extensions of edithost, and keeps those of other packages",
        arguments: [false, true])
    func extensions(isLink: Bool) throws {
        let folder = try TemporaryFolder()
        if isLink {
            for name in ["host", "elsewhere"] {
                try FileManager.default.createDirectory(
                    atPath: folder.file(name), withIntermediateDirectories: true)
            }
            try #require(symlink("../elsewhere", folder.file("host/extensions")) == 0)
        }
        let files = [
            "build/extensions/SepiaFilter.editingextension/new",
            "build/extensions/trusted.sha256",
            "host/extensions/SepiaFilter.editingextension/old",
            "host/extensions/Other.editingextension/manifest.json",
        ]
        for file in files {
            try FileManager.default.createDirectory(
                atPath: (folder.file(file) as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try folder.write(Data(), to: file)
        }
        try runLines(
            from: "# Other packages install extensions to this folder too.",
            through: "cp -R \"$build/extensions/.\" \"$host/extensions\"",
            ["build": folder.file("build"), "host": folder.file("host")])
        let installed = folder.file(isLink ? "elsewhere" : "host/extensions")
        let found = FileManager.default.enumerator(atPath: installed)?
            .compactMap { $0 as? String }
            .filter { !FileManager.default.isFolder("\(installed)/\($0)") }
        #expect(
            Set(found ?? []) == [
                "SepiaFilter.editingextension/new", "trusted.sha256",
                "Other.editingextension/manifest.json",
            ])
    }

    @Test("every relative link of the installed documentation leads to an installed file")
    func links() throws {
        let folder = try TemporaryFolder()
        try runLines(
            from: "doc=$target/share/doc/edithost",
            through: "# The schema with which editors check manifests.",
            ["target": folder.path])
        let root = folder.file("share/doc/edithost")
        let pages =
            FileManager.default.enumerator(atPath: root)?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".md") } ?? []
        #expect(pages.contains("README.md") && pages.contains("docs/reference/promises.md"))
        for page in pages {
            let text = try String(contentsOfFile: "\(root)/\(page)", encoding: .utf8)
            let place = NSString(string: "\(root)/\(page)").deletingLastPathComponent
            for match in text.matches(of: #/\]\(([^)\s]+)\)/#) {
                let link = match.1
                guard !link.contains("://"), !link.hasPrefix("#") else { continue }
                let path = "\(place)/\(link.prefix { $0 != "#" })"
                #expect(FileManager.default.fileExists(atPath: path), "\(page): \(link)")
            }
        }
    }

    @Test("the API documentation is installed, readable by all users, if it was written")
    func documentation() throws {
        let folder = try TemporaryFolder()
        func install() throws {
            try FileManager.default.createDirectory(
                atPath: folder.file("doc"), withIntermediateDirectories: true)
            try runLines(
                from: "# The API documentation, if `make docs` has written it.", through: "fi",
                ["doc": folder.file("doc")], in: folder.path)
        }
        try install()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("doc")) == [])
        let page = try folder.write(Data("page".utf8), to: ".build/docs/EditHost/index.html")
        try #require(chmod(page, 0o600) == 0)
        try install()
        var status = stat()
        try #require(stat(folder.file("doc/api/EditHost/index.html"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o644)
    }

    /// Reads the file from the script, because an installation needs all products.
    @Test("the prefix of edithost.pc is relative to it, so that it can be moved")
    func prefix() throws {
        let script = try String(
            contentsOfFile: "\(BuildProducts.packageFolder)/Scripts/install", encoding: .utf8)
        let start = try #require(script.range(of: "/pkgconfig/edithost.pc\" <<PC\n")?.upperBound)
        let end = try #require(script.range(of: "\nPC\n", range: start..<script.endIndex))
        // As the shell would write it.
        let text = script[start..<end.lowerBound].replacingOccurrences(of: "\\$", with: "$")
            .replacingOccurrences(of: "$(\"$build/edithost\" --version)", with: "1.0")
        let folder = try TemporaryFolder()
        let pkgconfig = folder.file("moved/lib/pkgconfig")
        try FileManager.default.createDirectory(
            atPath: pkgconfig, withIntermediateDirectories: true)
        try folder.write(Data("\(text)\n".utf8), to: "moved/lib/pkgconfig/edithost.pc")
        let result = try runProgram(
            "/usr/bin/env",
            [
                "PKG_CONFIG_PATH=\(pkgconfig)", "pkg-config", "--variable=extensionsdir",
                "edithost",
            ])
        try #require(result.status == 0, "\(result.errors)")
        let path = result.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(
            URL(fileURLWithPath: path).standardizedFileURL.path
                == folder.file("moved/lib/edithost/extensions"))
    }

    @Test("an unknown part is rejected, and nothing is written")
    func unknown() throws {
        let folder = try TemporaryFolder()
        let result = try install("nothing", below: folder)
        #expect(result.status == 64 && result.errors.contains("nothing"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("root")))
    }
}

extension FileManager {
    fileprivate func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
