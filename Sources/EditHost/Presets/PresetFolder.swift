// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc

/// The user's presets, each in a file `NAME.json` of one folder: `presets` in the configuration folder.
public struct PresetFolder: Sendable {
    /// Where it is; it need not be there.
    public let path: String

    /// The user's.
    ///
    /// - Throws: `HostError` with `badConfiguration` where there is no configuration folder.
    public init(_ configuration: HostConfiguration) throws {
        guard let folder = configuration.configurationFolder else {
            throw HostError(
                .badConfiguration,
                "no folder for presets; set HOME or XDG_CONFIG_HOME")
        }
        path = "\(folder)/presets"
    }

    /// The presets' names, sorted. What is no file of a preset is left out.
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

    /// The preset of a name.
    ///
    /// - Throws: `HostError` with `badRequest` where there is none; as ``EditPreset/init(file:)``.
    public func preset(named name: String) throws -> EditPreset {
        do {
            return try EditPreset(file: file(self.stored(name) ?? name))
        } catch let error as HostError where error.code == .noSuchFile {
            let known = try names
            throw HostError(
                .badRequest,
                "there is no preset \"\(name)\""
                    + (known.isEmpty ? "" : "; your presets are \(known.joined(separator: ", "))"),
                underlying: error)
        }
    }

    /// Stores a preset.
    ///
    /// - Parameter replaces: where there is one of that name, it is replaced.
    /// - Throws: `HostError` with `badRequest` for an unusable name, or one that is taken; `fileFailed`.
    public func save(_ preset: EditPreset, as name: String, replaces: Bool = false) throws {
        let stored = try self.stored(name)
        let file = try file(stored ?? name)
        let data = try preset.encoded
        guard data.count <= SharedFile.maximumBytes else {
            throw HostError(
                .badRequest,
                "the recipes are too long for a preset; its file can have "
                    + "\(SharedFile.maximumBytes >> 20) MiB"
            )
        }
        _ = try NewFile.folder(path)
        let bytes = try OpenFile.memory("preset", holding: data)
        guard !replaces else { return try NewFile.replace(file, with: bytes) }
        if let stored { throw taken(stored) }
        guard try NewFile.makeIfAbsent(file, with: OutgoingFile(bytes)) else { throw taken(name) }
    }

    private func taken(_ name: String) -> HostError {
        HostError(
            .badRequest,
            "the preset \"\(name)\" already exists; use --replace to replace it")
    }

    /// Gives a preset another name.
    ///
    /// - Throws: `HostError` with `badRequest` where there is none, or one of the other name; `fileFailed`.
    public func rename(_ name: String, to other: String) throws {
        let preset = try preset(named: name)
        guard let stored = try self.stored(name), stored.isSameName(as: other),
            try !names.contains(where: { $0.utf8.elementsEqual(other.utf8) })
        else {
            try save(preset, as: other)
            return try remove(name)
        }
        let (from, to) = (try file(stored), try file(other))
        guard Glibc.rename(from, to) == 0 else {
            throw HostError.file("cannot be renamed", path: from)
        }
    }

    /// Whether there is a preset that a name means, or several.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    public func contains(_ name: String) throws -> Bool {
        MeantName(name, among: try names) != .none
    }

    /// The name of the preset that is meant by a name; nil: there is none.
    private func stored(_ name: String) throws -> String? {
        switch MeantName(name, among: try names) {
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
    /// - Throws: `HostError` with `badRequest` where there is none; `fileFailed`.
    public func remove(_ name: String) throws {
        let file = try file(self.stored(name) ?? name)
        guard unlink(file) != 0 else { return }
        guard errno == ENOENT else { throw HostError.file("cannot be removed", path: file) }
        _ = try preset(named: name)
    }

    private func file(_ name: String) throws -> String {
        guard Self.isName(name) else {
            throw HostError(
                .badRequest,
                "\"\(name)\" is not a preset name (at most 100 bytes; no slashes, control "
                    + "characters, line separators or bidirectional controls; no dot at the "
                    + "start); to use a file, run \"edithost preset import\"")
        }
        return "\(path)/\(name).json"
    }

    private static func isName(_ name: String) -> Bool {
        let bytes = name.utf8
        return (1...100).contains(bytes.count) && name.isName
            && bytes.first != UInt8(ascii: ".") && !bytes.contains(UInt8(ascii: "/"))
    }
}
