// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import RunnerHost

/// The user's presets, stored as files `NAME.json` in the `presets` folder of the configuration folder.
public struct PresetFolder: Sendable {
    /// The path of the folder, which need not exist.
    public let path: String

    /// Creates the preset folder of a configuration.
    ///
    /// - Throws: `HostError` with `badConfiguration` if there is no configuration folder.
    public init(_ configuration: HostConfiguration) throws {
        guard let folder = configuration.configurationFolder else {
            throw HostError(
                .badConfiguration,
                "no folder for presets; set HOME or XDG_CONFIG_HOME")
        }
        path = "\(folder)/presets"
    }

    /// The names of the presets, sorted. Other files in the folder are ignored.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    public var names: [String] {
        get throws {
            let found: [String]
            do {
                found = try Folder(root: path).names()
            } catch  where error.number == ENOENT {
                return []
            } catch {
                throw HostError(
                    .fileFailed, "\(path) cannot be read: \(error)", underlying: error)
            }
            return found.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
                .filter(Self.isName).sorted()
        }
    }

    /// Returns the preset with a name.
    ///
    /// - Throws: `HostError` with `badRequest` if there is none, or the name is ambiguous; the errors of
    ///   ``EditPreset/init(file:)``.
    public func preset(named name: String) throws -> EditPreset {
        do {
            return try EditPreset(file: file(self.stored(name) ?? name))
        } catch let error as HostError where error.code == .noSuchFile {
            throw try missing(name, error)
        }
    }

    /// Returns the preset with a name, or the preset in a file. A name that contains a slash is a path. A name that ends
    /// with `.json` is a path if a file exists there and no preset has that name.
    ///
    /// - Throws: The errors of ``init(_:)`` unless the name contains a slash, and those of ``preset(named:)``.
    public static func preset(
        namedOrAt name: String, _ configuration: HostConfiguration
    ) throws -> EditPreset {
        if name.contains("/") { return try EditPreset(file: name) }
        let folder = try PresetFolder(configuration)
        let isFile = name.hasSuffix(".json") && FileManager.default.fileExists(atPath: name)
        guard isFile, try !folder.contains(name) else { return try folder.preset(named: name) }
        return try EditPreset(file: name)
    }

    private func missing(_ name: String, _ cause: HostError? = nil) throws -> HostError {
        let known = try names
        return HostError(
            .badRequest,
            "there is no preset \"\(name)\""
                + (known.isEmpty ? "" : "; your presets are \(known.joined(separator: ", "))"),
            underlying: cause)
    }

    /// Stores a preset.
    ///
    /// - Parameter replaces: Whether an existing preset of that name is replaced.
    /// - Throws: `HostError` with `badRequest` for an invalid name, or one that is taken; `fileFailed`.
    public func save(_ preset: EditPreset, as name: String, replaces: Bool = false) throws {
        let stored = try self.stored(name)
        let file = try file(stored ?? name)
        let bytes = try encoded(preset)
        _ = try NewFile.folder(path)
        guard !replaces else { return try NewFile.replace(file, with: bytes) }
        if let stored { throw taken(stored) }
        guard try NewFile.makeIfAbsent(file, with: OutgoingFile(bytes)) else { throw taken(name) }
    }

    private func encoded(_ preset: EditPreset) throws -> OpenFile {
        let data = try preset.encoded
        guard data.count <= SharedFile.maximumBytes else {
            throw HostError(
                .badRequest,
                "the recipes are too long for a preset; its file can be at most "
                    + "\(SharedFile.maximumBytes >> 20) MiB"
            )
        }
        return try OpenFile.memory("preset", holding: data)
    }

    private func taken(_ name: String) -> HostError {
        HostError(
            .badRequest,
            "the preset \"\(name)\" already exists; use --replace to replace it")
    }

    /// Renames a preset.
    ///
    /// - Throws: `HostError` with `badRequest` if there is no such preset, or the other name is taken; `fileFailed`.
    public func rename(_ name: String, to other: String) throws {
        let preset = try preset(named: name)
        let stored = try self.stored(name) ?? name
        if !stored.isSameName(as: other), let match = try self.stored(other) { throw taken(match) }
        let (from, to) = (try file(stored), try file(other))
        if try NewFile.makeIfAbsent(to, with: OutgoingFile(encoded(preset))) {
            return try removeFile(stored)
        }
        // On a file system that ignores case, the new name is the preset's own.
        guard try !names.contains(where: { $0.utf8.elementsEqual(other.utf8) }) else {
            throw taken(other)
        }
        guard Glibc.rename(from, to) == 0 else {
            throw HostError.file("cannot be renamed", path: from)
        }
    }

    /// Returns whether a name matches a preset, or is ambiguous.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    public func contains(_ name: String) throws -> Bool {
        NameMatch(name, among: try names) != .none
    }

    /// Returns the stored name that a name matches, or nil if there is none.
    private func stored(_ name: String) throws -> String? {
        switch NameMatch(name, among: try names) {
        case .one(let stored): return stored
        case .none: return nil
        case .several(let names):
            throw HostError(
                .badRequest,
                "\"\(name)\" is ambiguous; use one of "
                    + "\(names.map { "\"\($0)\"" }.joined(separator: ", "))"
            )
        }
    }

    /// Removes a preset.
    ///
    /// - Throws: `HostError` with `badRequest` if there is no such preset; `fileFailed`.
    public func remove(_ name: String) throws {
        try removeFile(stored(name) ?? name)
    }

    private func removeFile(_ name: String) throws {
        let file = try file(name)
        guard unlink(file) != 0 else { return }
        guard errno == ENOENT else { throw HostError.file("cannot be removed", path: file) }
        throw try missing(name)
    }

    private func file(_ name: String) throws -> String {
        guard Self.isName(name) else {
            throw HostError(
                .badRequest,
                "\"\(name)\" is not a preset name (at most 100 bytes; no slashes, control "
                    + "characters, line separators or bidirectional controls; no dot at the "
                    + "start)")
        }
        return "\(path)/\(name).json"
    }

    private static func isName(_ name: String) -> Bool {
        let bytes = name.utf8
        return (1...100).contains(bytes.count) && name.isName
            && bytes.first != UInt8(ascii: ".") && !bytes.contains(UInt8(ascii: "/"))
    }
}
