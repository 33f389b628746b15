// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// Extension folders with invalid content: the host neither blocks on it nor reads it, and reports the fault.
@Suite("hostile extension folders")
struct HostileFolderTests {
    /// Items in the place of a file.
    enum Item: CaseIterable {
        case fifo, socket, folder, linkOut, linkToDevice, linkToSibling, dangling

        func make(at path: String, in folder: TemporaryFolder) throws {
            switch self {
            case .fifo: try #require(mkfifo(path, 0o644) == 0)
            case .socket: try Self.makeSocket(path)
            case .folder: try #require(mkdir(path, 0o755) == 0)
            case .linkOut:
                try folder.write(Data("{}".utf8), to: "outside")
                try #require(symlink(folder.file("outside"), path) == 0)
            case .linkToDevice: try #require(symlink("/dev/zero", path) == 0)
            case .linkToSibling: try #require(symlink("sibling", path) == 0)
            case .dangling: try #require(symlink("nothing", path) == 0)
            }
        }

        private static func makeSocket(_ path: String) throws {
            let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(number) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let length = MemoryLayout.size(ofValue: address.sun_path)
            try #require(path.utf8.count < length)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
        }
    }

    private static let files = ["manifest.json", "libadder.so", "table.cube"]

    private static func build(in folder: TemporaryFolder) throws -> String {
        try TestExtension.buildAdder(manifest: ["hashedFiles": ["table.cube"]], in: folder.path)
        let path = folder.file("adder.editingextension")
        try folder.write(Data("table".utf8), to: "adder.editingextension/table.cube")
        try folder.write(Data("sibling".utf8), to: "adder.editingextension/sibling")
        return path
    }

    private static func read(_ path: String) throws -> ExtensionBinary {
        try ExtensionBinary(
            reading: ExtensionCatalogue.examine(path),
            trust: ExtensionTrust(shippedFile: nil, folder: nil))
    }

    @Test(
        "a special file makes the extension unusable without blocking", arguments: files,
        Item.allCases)
    func items(file: String, item: Item) throws {
        let folder = try TemporaryFolder()
        let path = try Self.build(in: folder)
        _ = try Self.read(path)
        try FileManager.default.removeItem(atPath: "\(path)/\(file)")
        try item.make(at: "\(path)/\(file)", in: folder)
        let error = #expect(throws: HostError.self) { try Self.read(path) }
        #expect(error?.code == .unusableExtension)
        #expect(error?.description.contains(file) == true, "\(error?.description ?? "")")
    }

    @Test("an extension's folder may be a symbolic link")
    func linkedFolder() throws {
        let folder = try TemporaryFolder()
        let path = try Self.build(in: folder)
        let link = folder.file("link.editingextension")
        try #require(symlink(path, link) == 0)
        #expect(try Self.read(link).digest == Self.read(path).digest)
    }

    @Test("overlong and deeply nested manifests are rejected")
    func manifests() throws {
        let folder = try TemporaryFolder()
        let path = try Self.build(in: folder)
        let count = ExtensionManifest.maximumSize / 2
        let texts = [
            String(repeating: "[", count: 2 * count),
            String(repeating: "[", count: count - 8) + String(repeating: "]", count: count - 8),
            String(repeating: "{\"a\":", count: count / 4),
            "{\"identifier\":" + String(repeating: "[", count: 2 * count - 100),
            String(repeating: " ", count: ExtensionManifest.maximumSize) + "{}",
        ]
        for text in texts {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/manifest.json"))
            let examined = ExtensionCatalogue.examine(path)
            #expect(examined.status == .unusable)
            #expect(examined.reason?.contains("manifest") == true, "\(examined.reason ?? "")")
        }
    }

    @Test("hashedFiles are limited in number, size and total size")
    func sizes() throws {
        let folder = try TemporaryFolder()
        let path = try Self.build(in: folder)
        // The file is sparse: nothing is written, but all of it would be read.
        for (file, size) in [("table.cube", 257 << 20), ("table.cube", 1 << 43)] {
            try #require(truncate("\(path)/\(file)", off_t(size)) == 0)
            let error = #expect(throws: HostError.self) { try Self.read(path) }
            #expect(error?.description.contains("256 MiB") == true, "\(error?.description ?? "")")
        }
        let names = (0...ExtensionManifest.maximumHashedFiles).map { "table\($0)" }
        try TestExtension.buildAdder(manifest: ["hashedFiles": names], in: folder.path)
        let examined = ExtensionCatalogue.examine(path)
        #expect(examined.reason?.contains("more than 256 files") == true)
        // The file is within its limit, but counts each time it is listed, so the total is not.
        try TestExtension.buildAdder(
            manifest: ["hashedFiles": ["table.cube", "table.cube"]], in: folder.path)
        try #require(truncate("\(path)/table.cube", 129 << 20) == 0)
        let error = #expect(throws: HostError.self) { try Self.read(path) }
        #expect(error?.description.contains("in total") == true)
    }

    @Test("a library over 1 GiB is not read to its end")
    func largeLibrary() throws {
        let folder = try TemporaryFolder()
        let path = try Self.build(in: folder)
        try #require(truncate("\(path)/libadder.so", off_t(2) << 30) == 0)
        let error = #expect(throws: HostError.self) { try Self.read(path) }
        #expect(error?.description.contains("1 GiB") == true)
    }

    @Test(
        "names that lead outside the folder are invalid",
        arguments: ["../libadder.so", "a/b", "..", ".", "", "a/\u{301}b", "a\u{0}b", "a\nb"])
    func names(name: String) throws {
        let folder = try TemporaryFolder()
        for key in ["library", "hashedFiles"] {
            try TestExtension.buildAdder(
                manifest: [key: key == "library" ? name : [name]], in: folder.path)
            let examined = ExtensionCatalogue.examine(folder.file("adder.editingextension"))
            #expect(examined.status == .unusable)
            #expect(examined.reason?.contains(key) == true, "\(examined.reason ?? "")")
        }
    }

    @Test(
        "a FIFO in place of a configuration file is an error and does not block",
        arguments: [["trusted.sha256", "quarantine.json"], ["extensions.jsonl"]])
    func configuration(lists: [String]) throws {
        let folder = try TemporaryFolder()
        for name in ["config.json"] + lists {
            try #require(mkfifo(folder.file(name), 0o600) == 0)
        }
        var configuration = HostConfiguration(runnerExecutable: "", extensionFolders: [])
        configuration.configurationFolder = folder.path
        let error = #expect(throws: HostError.self) { try configuration.readConfigurationFile() }
        #expect(error?.code == .badConfiguration)
        let host = ExtensionHost(configuration)
        #expect(host.quarantine.entries == [])
    }
}
