// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import RunnerHost
import Synchronization
import TestSupport
import Testing

@testable import EditHost

/// Programs that change a sidecar while it is being replaced.
@Suite("sidecars that change while they are written")
struct SidecarRaceTests {
    private let studio: TestStudio
    private let sidecar: String

    init() throws {
        studio = try TestStudio(extensions: { _ in }, trusted: false)
        let picture = try studio.folder.write(
            TestPicture.slope(width: 60, height: 40).encoded(), to: "photos/a.png")
        sidecar = picture + ".xmp"
    }

    private static func text(rating: Int) -> String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
         xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(rating)"/></rdf:RDF></x:xmpmeta>
        """
    }

    /// Imports the picture, with a sidecar if a rating is given, and sets another rating.
    private func imported(rating: Int?) async throws -> String {
        if let rating { try write(Self.text(rating: rating)) }
        let found = Mutex<String?>(nil)
        try await studio.host.importPhotos(
            at: [studio.folder.file("photos")], into: studio.library, by: .reference
        ) { result in found.withLock { $0 = $0 ?? result.assetIdentifier } }
        let identifier = try #require(found.withLock { $0 })
        let asset = try studio.library.asset(withLocalIdentifier: identifier)
        try await studio.library.performChanges {
            try AssetChangeRequest(for: asset).rating = 3
        }
        return identifier
    }

    private func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: sidecar))
    }

    private func read() throws -> String {
        try String(contentsOf: URL(fileURLWithPath: sidecar), encoding: .utf8)
    }

    private var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                atPath: studio.folder.file("photos")
            ).sorted()
        }
    }

    /// Writes the sidecar, and runs a step of another program right before it is replaced.
    private func result(
        _ identifier: String, times: Int = 1, _ step: @escaping @Sendable (String) throws -> Void
    ) async throws -> SidecarResult {
        let count = Mutex(0)
        var writer = SidecarWriter(
            library: studio.library, pool: studio.host.pool, isDryRun: false)
        writer.willWrite = { path in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number <= times { try step(path) }
        }
        return try await writer.write(identifier)
    }

    /// How another program writes a file.
    enum Method: CaseIterable {
        case inPlace, renamed, sameSizeAndTime
    }

    @Test("a change of another program is kept and reported", arguments: Method.allCases)
    func changed(_ method: Method) async throws {
        let identifier = try await imported(rating: 1)
        let new = Self.text(rating: 5)
        let result = try await result(identifier) { path in
            let url = URL(fileURLWithPath: path)
            switch method {
            case .inPlace:
                let file = try FileHandle(forWritingTo: url)
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: Data(new.utf8))
                try file.close()
            case .renamed: try Data(new.utf8).write(to: url, options: .atomic)
            case .sameSizeAndTime:
                let date = try FileManager.default.attributesOfItem(atPath: path)[
                    .modificationDate]
                try Data(new.utf8).write(to: url)
                try FileManager.default.setAttributes(
                    [.modificationDate: date as Any], ofItemAtPath: path)
            }
        }
        #expect(result.status == .failed)
        #expect((result.error as? HostError)?.code == .sidecarChanged)
        #expect(try read() == new)
        #expect(try names == ["a.png", "a.png.xmp"])
        await studio.host.shutDown()
    }

    @Test("a sidecar that another program makes meanwhile is kept and reported")
    func made() async throws {
        let identifier = try await imported(rating: nil)
        let new = Self.text(rating: 5)
        let result = try await result(identifier) { path in
            try Data(new.utf8).write(to: URL(fileURLWithPath: path))
        }
        #expect((result.error as? HostError)?.code == .sidecarChanged)
        #expect(try read() == new && names == ["a.png", "a.png.xmp"])
        await studio.host.shutDown()
    }

    @Test("a sidecar that another program removes meanwhile is made again")
    func removed() async throws {
        let identifier = try await imported(rating: 1)
        let result = try await result(identifier) { path in
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(result.status == .written)
        #expect(try read().contains("xmp:Rating>3<") && names == ["a.png", "a.png.xmp"])
        await studio.host.shutDown()
    }

    @Test("a sidecar that gets the library's values meanwhile is unchanged, and is stored")
    func same() async throws {
        let identifier = try await imported(rating: 1)
        let new = Self.text(rating: 3)
        let result = try await result(identifier) { path in
            try Data(new.utf8).write(to: URL(fileURLWithPath: path))
        }
        #expect(result.status == .unchanged)
        #expect(try read() == new)
        let again = Mutex<[ImportResult.Status]>([])
        try await studio.host.importPhotos(
            at: [studio.folder.file("photos")], into: studio.library
        ) { result in again.withLock { $0.append(result.status) } }
        #expect(again.withLock { $0 } == [.duplicate, .duplicate])
        await studio.host.shutDown()
    }

    private struct Ended: Error {}

    @Test("a write that ends before the library stores the sidecar is completed by the next one")
    func ended() async throws {
        let identifier = try await imported(rating: 1)
        var writer = SidecarWriter(
            library: studio.library, pool: studio.host.pool, isDryRun: false)
        writer.didWrite = { throw Ended() }
        await #expect(throws: Ended.self) { _ = try await writer.write(identifier) }
        let written = try read()
        #expect(written.contains("xmp:Rating>3<"))
        #expect(try stored(identifier) == [Data(Self.text(rating: 1).utf8)])
        let result = try await result(identifier) { _ in Issue.record("it is written again") }
        #expect(result.status == .unchanged)
        #expect(try read() == written && names == ["a.png", "a.png.xmp"])
        #expect(try stored(identifier) == [Data(written.utf8)])
        await studio.host.shutDown()
    }

    /// The sidecars in the library.
    private func stored(_ identifier: String) throws -> [Data] {
        try studio.library.history(ofAsset: identifier).sidecars.map { sidecar in
            let file = try studio.library.openOriginal(sidecar)
            return try file.read(count: 1 << 20, at: 0)
        }
    }

    @Test("a file that an interrupted write left is reported until it is removed")
    func leftover() async throws {
        let identifier = try await imported(rating: 1)
        let name = UnnamedFile.replacingPrefix + "1"
        let path = try studio.folder.write(
            Data(Self.text(rating: 5).utf8), to: "photos/" + name)
        func result(age: Int) async throws -> SidecarResult {
            try await SidecarWriter(
                library: studio.library, pool: studio.host.pool, isDryRun: false,
                finder: SidecarFinder(leftoverAge: age)
            ).write(identifier)
        }
        let failed = try await result(age: 0)
        #expect((failed.error as? HostError)?.code == .sidecarChanged)
        #expect((failed.error as? HostError)?.message.contains(path) == true)
        #expect(try read() == Self.text(rating: 1) && names == [name, "a.png", "a.png.xmp"])
        // Another process may still be writing a new file.
        #expect(try await result(age: 3600).status == .written)
        try FileManager.default.removeItem(atPath: path)
        #expect(try await result(age: 0).status == .unchanged)
        await studio.host.shutDown()
    }
}
