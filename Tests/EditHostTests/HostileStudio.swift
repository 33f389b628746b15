// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Glibc
import Library
import TestSupport
import Testing

/// A studio whose only extension is `hostile.c`, with a file outside the library as a target.
struct HostileStudio {
    /// The place in the runner from which attacks are made.
    enum Place: Int {
        case start, constructor, workers, parameters
    }

    let studio: TestStudio
    let asset: String
    private let before: [String: FileState]

    /// - Parameters:
    ///   - attacks: Groups and names of `hostile.c`.
    ///   - victim: The process that is attacked.
    ///   - trusted: Whether the plug-in is trusted and gets files.
    init(
        _ attacks: [String], from place: Place = .start, victim: pid_t = getpid(),
        port: UInt16 = 9, name: String = "edithost-nobody", defines: [String] = [],
        trusted: Bool = true, configure: (inout HostConfiguration) -> Void = { _ in }
    ) async throws {
        studio = try TestStudio(
            extensions: { folder in
                let parent = (folder as NSString).deletingLastPathComponent
                let list = attacks.joined(separator: " ")
                try Self.build(
                    [
                        "ATTACKS=\" \(list) \"", "FOLDER=\"\(parent)\"", "VICTIM=\(victim)",
                        "PORT=\(port)", "NAME=\"\(name)\"", "WHERE=\(place.rawValue)",
                    ] + defines, in: folder)
                try Data("Do not touch".utf8)
                    .write(to: URL(fileURLWithPath: "\(parent)/sentinel"))
            }, trusted: trusted,
            configure: {
                $0.configurationFolder = nil
                configure(&$0)
            })
        asset = try await studio.add(TestPicture.gradient())
        before = try Self.states(in: studio.folder.path)
    }

    private static func build(_ defines: [String], in folder: String) throws {
        let target = "\(folder)/hostile.editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try TestExtension.compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/hostile.c",
            to: "\(target)/libhostile.so", defines: defines)
        let manifest: [String: Any] = [
            "identifier": "org.example.hostile", "name": "Hostile", "version": "1.0",
            "abi": "1.0", "library": "libhostile.so", "supportedMediaTypes": ["image"],
            "reads": [["formatIdentifier": "org.example.hostile"]],
            "writes": [["formatIdentifier": "org.example.hostile"]],
            "parameters": [["name": "attacks", "type": "text", "default": ""]],
        ]
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    }

    // MARK: - The attack

    /// The plug-in's report of its attacks.
    struct Outcome {
        /// The number of runs through all attacks; `inputs` is the number of inputs found.
        let threads: Int
        let inputs: Int
        /// The names of the successful attacks.
        let succeeded: [String]
        /// The last attempt of each attack.
        let attempts: [Attempt]
    }

    /// The result of one attack.
    struct Attempt {
        let name: String
        let isSuccess: Bool
        /// The value of `errno` after the attack.
        let error: Int32
        let nanoseconds: Int

        /// - Parameter text: `NAME:SUCCESS:ERRNO:NANOSECONDS`.
        init?(_ text: Substring) {
            let parts = text.split(separator: ":")
            guard parts.count == 4, let error = Int32(parts[2]), let nanoseconds = Int(parts[3])
            else { return nil }
            name = String(parts[0])
            isSuccess = parts[1] == "1"
            self.error = error
            self.nanoseconds = nanoseconds
        }
    }

    /// Edits with the plug-in and reads the results of its attacks from the recipe.
    ///
    /// - Parameters:
    ///   - name: The attack to make, if attacks are chosen by a parameter.
    ///   - picture: An asset to edit instead of the studio's own.
    func attack(with name: String? = nil, on picture: String? = nil) async throws -> Outcome {
        let asset = picture ?? asset
        try await studio.edit(asset, "hostile", name.map { ["attacks": $0] } ?? [:])
        let recipe = try #require(try studio.recipe(asset))
        var fields: [String: String] = [:]
        for field in recipe.split(separator: " ") {
            let parts = field.split(separator: "=", omittingEmptySubsequences: false)
            if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
        }
        return Outcome(
            threads: try #require(fields["threads"].flatMap { Int($0) }),
            inputs: try #require(fields["inputs"].flatMap { Int($0) }),
            succeeded: try #require(fields["succeeded"]).split(separator: ",").map(String.init),
            attempts: try #require(fields["report"]).split(separator: ",").compactMap(Attempt.init))
    }

    /// Expects that all attacks failed: no existing file has changed, and none was made.
    func expectUnharmed(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let after = try Self.states(in: studio.folder.path)
        for (path, state) in before {
            #expect(after[path] == state, "\(path)", sourceLocation: sourceLocation)
        }
        let made = after.keys.filter { before[$0] == nil && !$0.hasPrefix("Test.editlibrary/") }
        #expect(made == [], sourceLocation: sourceLocation)
    }

    // MARK: - Files

    /// The properties of a file that an attack can change. Extended attributes change `changed`.
    struct FileState: Equatable {
        var content: Data?
        var mode: mode_t
        var owner: uid_t
        var modified: Int
        var changed: Int
    }

    /// The state of everything in the folder except the library's database and its locks.
    private static func states(in folder: String) throws -> [String: FileState] {
        let paths = try #require(FileManager.default.enumerator(atPath: folder))
        var states: [String: FileState] = [:]
        for case let path as String in paths {
            let isLibrary = path.hasPrefix("Test.editlibrary")
            guard !isLibrary || path.contains("/blobs/"), let state = state("\(folder)/\(path)")
            else { continue }
            states[path] = state
        }
        return states
    }

    private static func state(_ path: String) -> FileState? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        // The times of a folder also change when the host adds files.
        let isFile = status.st_mode & S_IFMT == S_IFREG
        return FileState(
            content: isFile ? FileManager.default.contents(atPath: path) : nil,
            mode: status.st_mode, owner: status.st_uid,
            modified: isFile ? nanoseconds(status.st_mtim) : 0,
            changed: isFile ? nanoseconds(status.st_ctim) : 0)
    }

    private static func nanoseconds(_ time: timespec) -> Int {
        time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
