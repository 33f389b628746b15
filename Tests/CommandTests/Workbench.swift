// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// The built command in a test's own folder, which contains home, library, extensions and temporary files.
struct Workbench {
    let folder: TemporaryFolder
    private let environment: [String: String]

    /// A folder with the programs but no extensions, since each test chooses its own.
    private static let programs = Result {
        let folder = try TemporaryFolder.untilExit()
        let files = FileManager.default
        for program in [
            BuildProducts.command, BuildProducts.runner, BuildProducts.mediaRunner,
            BuildProducts.studio,
        ] {
            let target = "\(folder)/\((program as NSString).lastPathComponent)"
            do {
                try files.linkItem(atPath: program, toPath: target)
            } catch {
                // The file is on another file system or belongs to another user.
                try files.copyItem(atPath: program, toPath: target)
            }
        }
        try files.createSymbolicLink(
            atPath: "\(folder)/studio", withDestinationPath: "\(BuildProducts.programs)/studio")
        return folder
    }

    /// The command's path.
    static var command: String {
        get throws { "\(try programs.get())/edithost" }
    }

    /// - Parameter extensions: The names of the shipped extensions to install.
    init(extensions: [String] = []) throws {
        folder = try TemporaryFolder()
        for name in ["extensions", "photos", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
        for name in extensions {
            try TestExtension.assemble(name, in: folder.file("extensions"))
        }
        var environment = ProcessInfo.processInfo.environment
        environment["HOME"] = folder.path
        environment["TMPDIR"] = folder.file("tmp")
        environment["XDG_DATA_HOME"] = folder.file("data")
        environment["XDG_CONFIG_HOME"] = folder.file("config")
        environment["EDITHOST_EXTENSION_PATH"] = folder.file("extensions")
        environment["EDITHOST_LIBRARY"] = folder.file("Photos.editlibrary")
        // A busy machine may take longer than a user would wait.
        environment["EDITHOST_COMPLETION_SECONDS"] = "300"
        // An engine's queue is not drained here.
        environment["EDITHOST_WORK_DELAY_SECONDS"] = "0"
        self.environment = environment
    }

    /// A workbench with some photos imported.
    ///
    /// - Returns: The workbench and the identifiers of the photos.
    static func withPhotos(
        _ count: Int, extensions: [String] = []
    ) throws -> (Workbench, [String]) {
        let bench = try Workbench(extensions: extensions)
        let (template, ids) = try template(count)
        for name in ["photos", "Photos.editlibrary"] {
            let copied = try runProgram(
                "/bin/cp", ["-a", "\(template)/\(name)", bench.folder.path])
            try #require(copied.status == 0, "\(copied.errors)")
        }
        return (bench, ids)
    }

    private static let templates = Mutex<[Int: (String, [String])]>([:])

    /// A folder with a library of some photos, and their identifiers. It is imported once and copied by each test.
    private static func template(_ count: Int) throws -> (String, [String]) {
        try templates.withLock { templates in
            if let made = templates[count] { return made }
            let bench = try Workbench()
            // Imported serially, so that they were added in this order.
            let ids = try (0..<count).map { try bench.importPicture(seed: $0) }
            let folder = try TemporaryFolder.untilExit()
            for name in ["photos", "Photos.editlibrary"] {
                try FileManager.default.moveItem(
                    atPath: bench.folder.file(name), toPath: "\(folder)/\(name)")
            }
            templates[count] = (folder, ids)
            return (folder, ids)
        }
    }

    /// The environment with some changes.
    func environment(_ changes: [String: String?] = [:]) -> [String: String] {
        var result = environment
        for (name, value) in changes { result[name] = value }
        return result
    }

    /// Runs the command until it exits.
    func run(_ arguments: String..., environment changes: [String: String?] = [:]) throws
        -> ProcessResult
    {
        try runProgram(
            Self.command, arguments, environment: environment(changes), folder: folder.path)
    }

    /// Runs the command with an array of arguments.
    func run(_ arguments: [String]) throws -> ProcessResult {
        try runProgram(Self.command, arguments, environment: environment, folder: folder.path)
    }

    /// Runs the command subject to file permissions: as another user if the tests run as root.
    func runUnprivileged(_ arguments: [String]) throws -> ProcessResult {
        let nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        return try runProgram(
            "/usr/bin/env", (geteuid() == 0 ? nobody : []) + [Self.command] + arguments,
            environment: environment)
    }

    /// Runs the command with `--json`, which must succeed, and returns the objects it prints.
    func json(_ arguments: String...) throws -> [[String: Any]] { try json(arguments) }

    /// Runs the command with an array of arguments and `--json`, which must succeed, and returns the objects it prints.
    func json(_ arguments: [String]) throws -> [[String: Any]] {
        let result = try runProgram(
            Self.command, arguments + ["--json"], environment: environment, folder: folder.path)
        try #require(result.status == 0, "\(arguments): \(result.errors)")
        return try result.objects
    }

    /// Records the current extensions as reproducible in the user's configuration, so that an edit runs each of them
    /// only once.
    func assumeReproducing() throws {
        let extensions = folder.file("extensions")
        let folders = try FileManager.default.contentsOfDirectory(atPath: extensions)
            .filter { $0.hasSuffix(".editingextension") }.map { "\(extensions)/\($0)" }
        try FileManager.default.createDirectory(
            atPath: folder.file("config/edithost"), withIntermediateDirectories: true)
        let digests = try TestExtension.trustList(of: folders).split(separator: "\n")
            .map { $0.prefix(64) }
        let records = zip(digests, folders).map {
            #"{"digest":"\#($0)","identifier":"\#($1)","kind":"reproducing"}"# + "\n"
        }
        let path = "config/edithost/extensions.jsonl"
        let known = (try? Data(contentsOf: URL(fileURLWithPath: folder.file(path)))) ?? Data()
        try folder.write(known + Data(records.joined().utf8), to: path)
    }

    /// Writes a picture and imports it.
    ///
    /// - Returns: The identifier of the asset.
    func importPicture(seed: Int = 0, name: String? = nil) throws -> String {
        let path = try picture(seed: seed, name: name)
        return try #require(try json("import", path).first?["id"] as? String)
    }

    /// Writes a picture with a seed and returns its path.
    func picture(seed: Int = 0, name: String? = nil) throws -> String {
        try folder.write(
            TestPicture.gradient(seed: seed).encoded(),
            to: "photos/\(name ?? "picture\(seed).png")")
    }

    /// The index of an asset's current state, and the number of states after the original.
    func position(_ id: String) throws -> (current: Int, count: Int) {
        let states = try json("history", id)
        let current = try #require(states.first { $0["isCurrent"] as? Bool == true })
        return (try #require(current["state"] as? Int), states.count - 1)
    }

    /// A version of an asset, as exported.
    func exported(_ id: String, _ version: String) throws -> (bytes: Data, picture: TestPicture) {
        let object = try #require(
            try json("export", id, "--version", version, "--to", folder.file("out")).first)
        let path = try #require(object["path"] as? String)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        return (bytes, try TestPicture(decoding: bytes))
    }
}

extension ProcessResult {
    /// The output lines as JSON objects.
    var objects: [[String: Any]] {
        get throws {
            try output.split(separator: "\n").map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return try #require(object as? [String: Any], "not an object: \(line)")
            }
        }
    }
}
