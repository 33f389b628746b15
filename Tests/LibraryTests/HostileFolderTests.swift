// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Library

/// A library whose folder was prepared by an attacker.
final class HostileLibrary {
    let temporary: TemporaryLibrary
    let asset: Asset
    let victim: String
    private let record: FolderRecord

    var path: String { temporary.path }

    init(_ layout: HostileLayout) throws {
        temporary = try TemporaryLibrary()
        let library = temporary.library
        asset = try library.importAsset("original")
        try library.edit(asset.id, recipe: "one", render: "render of one")
        let hash = try #require(library.history(ofAsset: asset.id).original?.blob)
        try library.close()
        victim = try HostileLayout.makeVictim(beside: temporary.path)
        try layout.apply(
            to: .init(library: temporary.path, blob: "\(hash.hex.prefix(2))/\(hash.hex)"))
        record = try FolderRecord(victim)
    }

    deinit { try? removeDeepFolder(temporary.path) }

    func expectVictimUnharmed(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let harm = try FolderRecord(victim).differences(from: record)
        #expect(harm == [], sourceLocation: sourceLocation)
    }

    /// The error that opening throws, or nil if it succeeds.
    func error(opening open: (String) throws -> Void) throws -> LibraryError? {
        do {
            try open(path)
            return nil
        } catch let error as LibraryError {
            return error
        }
    }

    /// Opens the library read-only.
    func reader() throws -> PhotoLibrary {
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        return try temporary.reopen(options)
    }
}

/// Tests that no operation hangs or touches anything outside the library, and that each error
/// states its cause.
@Suite("hostile folders")
struct HostileFolderTests {
    @Test(
        "an untrusted folder is rejected, or its traps are ignored", arguments: HostileLayout.all)
    func opening(layout: HostileLayout) throws {
        let hostile = try HostileLibrary(layout)
        let writing = try hostile.error { try PhotoLibrary.openOrCreate(at: $0).close() }
        let reading = try hostile.error { _ in try hostile.reader().close() }
        switch layout.outcome {
        case .refused:
            #expect(writing?.code == .invalidLayout && reading?.code == .invalidLayout)
        case .refusedForWriting:
            #expect(writing?.code == .invalidLayout && reading == nil)
        case .unusable, .leftAlone:
            #expect(writing == nil && reading == nil)
        }
        for error in [writing, reading].compactMap({ $0 }) {
            #expect(error.path?.hasPrefix(hostile.path + "/") == true, "\(error)")
        }
        let creating = try hostile.error { _ = try PhotoLibrary.create(at: $0) }
        #expect([.alreadyExists, .invalidLayout].contains(creating?.code))
        try hostile.expectVictimUnharmed()
    }

    @Test(
        "every operation on a library stays inside it",
        arguments: HostileLayout.all.filter { [.unusable, .leftAlone].contains($0.outcome) })
    func using(layout: HostileLayout) throws {
        let hostile = try HostileLibrary(layout)
        var options = PhotoLibrary.Options()
        options.usesReserve = true
        let library = try hostile.temporary.reopen(options)
        let history = try library.history(ofAsset: hostile.asset.id)
        let original = try #require(history.original)
        if layout.outcome == .unusable {
            #expect(
                try libraryError { _ = try library.openOriginal(original) }.code == .invalidLayout)
            #expect(!library.isLocallyAvailable(original))
        } else {
            #expect(try library.text(original.blob) == "original")
        }
        let another = try library.importAsset("another")
        // A photo without its original cannot be edited.
        _ = try? library.edit(hostile.asset.id, recipe: "two", render: "render of two")
        _ = try? library.prune(emptyingTrash: true)
        try hostile.expectVictimUnharmed()
        let report = try library.check(readingDataOf: 100)
        if layout.outcome == .unusable { #expect(report.severity == .damage) }
        _ = try? library.repair(report)
        _ = try? library.importAsset("original")
        _ = try? library.prune(emptyingTrash: true)
        // Whatever failed before, usable files remain usable.
        #expect(
            try library.text(library.history(ofAsset: another.id).original?.blob) == "another")
        try library.close()
        try hostile.expectVictimUnharmed()
    }

    @Test(
        "check reports foreign items in a library",
        arguments: HostileLayout.all.filter { $0.outcome != .refused })
    func check(layout: HostileLayout) throws {
        let hostile = try HostileLibrary(layout)
        let report = try hostile.reader().check(readingDataOf: 100)
        #expect((report.severity == .damage) == layout.isDamage, "\(report.findings)")
        for finding in report.findings where finding.kind == .misplaced {
            #expect(!finding.isRepairable && finding.severity == .damage)
        }
        try hostile.expectVictimUnharmed()
    }

    @Test(
        "a folder without a library may also contain traps",
        arguments: [
            "staging", "blobs", "cache", "wake", "lock", "reserve",
        ])
    func creating(name: String) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.file("New.editlibrary")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let victim = try HostileLayout.makeVictim(beside: path)
        let record = try FolderRecord(victim)
        for target in ["../victim", "../victim/file", "../victim/new"] {
            try? FileManager.default.removeItem(atPath: path + "/" + name)
            #expect(symlink(target, path + "/" + name) == 0)
            let error = try libraryError { _ = try PhotoLibrary.openOrCreate(at: path) }
            #expect(error.code == .invalidLayout)
        }
        #expect(try FolderRecord(victim) == record)
    }

    @Test("only the path to a library may be a symbolic link")
    func linkToLibrary() throws {
        let temporary = try TemporaryLibrary()
        try temporary.library.importAsset("a")
        let link = temporary.folder + "/link"
        #expect(symlink(temporary.path, link) == 0)
        let library = try PhotoLibrary.open(at: link)
        try library.importAsset("b")
        #expect(try library.check(readingDataOf: 100).severity == .clean)
        #expect(try Asset.fetchAssets(in: temporary.reopen()).count == 2)
    }

    @Test("a library whose folder is moved while open stays in it")
    func replacedFolder() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let victim = try HostileLayout.makeVictim(beside: temporary.path)
        let record = try FolderRecord(victim)
        let away = temporary.folder + "/away"
        #expect(rename(temporary.path, away) == 0)
        #expect(symlink("victim", temporary.path) == 0)
        let staged = try library.stage(path: temporary.folder + "/victim/file")
        #expect(try Folders.names(in: away + "/staging").count == 1)
        _ = try? library.performChanges {
            _ = try AssetCreationRequest.photo(staged, .sample())
        }
        _ = try? library.prune(emptyingTrash: true)
        #expect(try FolderRecord(victim) == record)
        #expect(unlink(temporary.path) == 0 && rename(away, temporary.path) == 0)
    }

    @Test("only names in the library's own format are accepted")
    func names() {
        let hash = String(repeating: "0a", count: 32)
        let identifier = UUID().uuidString
        #expect(LibraryName.isBlob(hash) && LibraryName.isShard("0a"))
        for name in ["", hash + "0", hash.uppercased(), "../" + hash, hash.dropLast() + "g"] {
            #expect(!LibraryName.isBlob(String(name)))
        }
        for name in ["", "0", "0A", "..", "0a0", "zz"] { #expect(!LibraryName.isShard(name)) }
        for ending in ["", "." + identifier, "." + identifier.lowercased()] {
            #expect(LibraryName.blob(ofKeptFile: hash + ending) == hash)
        }
        for ending in [".", ".txt", identifier, "." + identifier + "0", "/"] {
            #expect(LibraryName.blob(ofKeptFile: hash + ending) == nil)
        }
        #expect(LibraryName.isSession(identifier.lowercased()))
        for name in ["", "..", "dead", identifier, identifier.lowercased() + "0"] {
            #expect(!LibraryName.isSession(name))
        }
        for name in [
            "lock", "backup.sqlite", "backup.sqlite-wal", identifier.lowercased() + ".link",
        ] {
            #expect(LibraryName.isInSession(name))
        }
        for name in ["precious", "lock.link.link", "backup", ".link"] {
            #expect(!LibraryName.isInSession(name))
        }
        #expect(LibraryName.isDay("2026-11-21"))
        for name in [
            "2026-11-2", "2026-1121", "20261-1-21", "----------", "2026-11-2 ", "..........)",
        ] {
            #expect(!LibraryName.isDay(name))
        }
    }

    @Test("a name that leads elsewhere is rejected")
    func severalParts() throws {
        let temporary = try TemporaryLibrary()
        let root = temporary.library.root
        for name in ["", ".", "..", "blobs/00", "/etc/passwd", "wake\0x"] {
            #expect(throws: SystemError.self) { _ = try root.status(name) }
            #expect(throws: SystemError.self) { _ = try root.file(name, O_RDONLY) }
            #expect(throws: SystemError.self) { _ = try root.folder(name) }
            #expect(throws: SystemError.self) { _ = try root.makeFile(name, mode: 0o600) }
            #expect(throws: SystemError.self) { try root.removeFile(name) }
            #expect(throws: SystemError.self) { try root.removeFolderIfEmpty(name) }
            #expect(throws: SystemError.self) { try root.move("wake", to: root, as: name) }
        }
    }
}
