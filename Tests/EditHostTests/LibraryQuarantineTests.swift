// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import Logging
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// Failures count per library, because its content can be their cause.
@Suite("quarantine by library")
struct LibraryQuarantineTests {
    /// An adder and its quarantine.
    private struct Bench {
        let folder: TemporaryFolder
        let quarantine: Quarantine
        private let binary: ExtensionBinary

        /// - Parameter earlier: returns the quarantine file of an earlier version.
        init(earlier: (ExtensionBinary) throws -> String? = { _ in nil }) throws {
            folder = try TemporaryFolder()
            try TestExtension.buildAdder(in: folder.path)
            binary = try ExtensionBinary(
                reading: ExtensionCatalogue.examine(folder.file("adder.editingextension")),
                trust: ExtensionTrust(shippedFile: nil, folder: nil))
            if let list = try earlier(binary) {
                try folder.write(Data(list.utf8), to: "quarantine.json")
            }
            quarantine = Quarantine(
                folder: folder.path,
                logger: Logger(label: "test") { _ in TestLog() })
        }

        /// The extension as it is run for a library.
        func serving(_ library: String?) -> ExtensionBinary {
            var binary = binary
            binary.servedLibrary = library
            return binary
        }

        func fail(_ count: Int = Quarantine.limit, for library: String?) {
            for _ in 0..<count { quarantine.recordFailure(of: serving(library), "crashed") }
        }

        func isRefused(for library: String?) -> Bool {
            (try? quarantine.requireNotQuarantined(serving(library))) == nil
        }
    }

    @Test("failures in one library quarantine an extension for that library only")
    func one() throws {
        let bench = try Bench()
        bench.fail(for: "/a")
        #expect(bench.isRefused(for: "/a") && !bench.isRefused(for: "/b"))
        #expect(!bench.isRefused(for: nil))
        // Fewer failures in each of many libraries are not consecutive.
        for number in 0..<10 { bench.fail(2, for: "/c\(number)") }
        #expect(!bench.isRefused(for: "/b"))
        let entries = bench.quarantine.entries.filter(\.isQuarantined)
        #expect(entries.map(\.library) == ["/a"])
        _ = try bench.quarantine.release("adder")
        #expect(!bench.isRefused(for: "/a"))
    }

    @Test("failures in two libraries, or without a library, quarantine it for all")
    func all() throws {
        let bench = try Bench()
        bench.fail(for: "/a")
        bench.fail(for: "/b")
        #expect(bench.isRefused(for: "/c") && bench.isRefused(for: nil))
        #expect(try bench.quarantine.release("adder").count == 2)
        #expect(!bench.isRefused(for: "/a"))
        bench.fail(for: nil)
        #expect(bench.isRefused(for: "/c") && bench.isRefused(for: nil))
    }

    @Test("the temporary libraries of apply count as one library")
    func temporary() throws {
        let bench = try Bench()
        for _ in 0..<2 {
            let place = try PrivateFolder(for: .work)
            bench.fail(for: "\(place.path)/Apply.editlibrary")
        }
        #expect(bench.quarantine.entries.map(\.library) == [Quarantine.temporaryLibrary])
        #expect(!bench.isRefused(for: "/a") && !bench.isRefused(for: nil))
        let place = try PrivateFolder(for: .work)
        #expect(bench.isRefused(for: "\(place.path)/Apply.editlibrary"))
    }

    @Test("a success counts for its library, also through a link")
    func success() throws {
        let bench = try Bench()
        let folder = bench.folder.file("library")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let link = bench.folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
        bench.fail(2, for: folder)
        bench.quarantine.recordSuccess(of: bench.serving("/b"))
        bench.fail(1, for: link)
        #expect(bench.isRefused(for: folder) && bench.isRefused(for: link))
        bench.fail(2, for: "/b")
        bench.quarantine.recordSuccess(of: bench.serving("/b"))
        #expect(bench.quarantine.entries.map(\.failures) == [3])
        bench.quarantine.removeFailure(bench.serving(folder))
        #expect(!bench.isRefused(for: folder))
    }

    @Test("a list of an earlier version applies to all libraries")
    func earlier() throws {
        let bench = try Bench { binary in
            let digest = String(
                decoding: try JSONEncoder().encode(binary.digest), as: UTF8.self)
            return """
                [{"identifier": "org.example.adder", "digest": \(digest), "libraryHash": \(digest),
                  "failures": 3, "reason": "crashed", "date": "2026-01-01T00:00:00Z"}]
                """
        }
        #expect(bench.isRefused(for: "/a") && bench.isRefused(for: nil))
    }

    @Test("a quarantined extension edits in another library and is rejected in the first")
    func hosts() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        for _ in 0..<Quarantine.limit {
            await #expect(throws: HostError.self) {
                try await studio.edit(asset, "adder", ["mode": "crash-finish"])
            }
        }
        let refused = await #expect(throws: HostError.self) { try await studio.edit(asset) }
        #expect(refused?.description.contains("in quarantine for this library") == true)
        let other = try PhotoLibrary.create(at: studio.folder.file("Other.editlibrary"))
        let path = try studio.folder.write(TestPicture.gradient().encoded(), to: "other.png")
        var identifier: String?
        try await studio.host.importPhotos(at: [path], into: other) {
            identifier = $0.assetIdentifier
        }
        let request = EditRequest(extensionName: "adder", values: ["amount": "3"])
        let result = try await studio.host.edit([try #require(identifier)], request, in: other)
        #expect(result.map(\.status) == [.committed])
        await studio.host.shutDown()
    }

    @Test("a large recipe extends the deadline by 2 s per MiB")
    func largeRecipes() {
        func time(_ byteCount: Int) -> Duration {
            RunnerTimeouts.reading(
                AdjustmentData(
                    formatIdentifier: "org.example.adder", formatVersion: "1",
                    data: Data(count: byteCount)))
        }
        #expect(time(1000) == .zero)
        #expect(time(1 << 20) == .seconds(2))
        #expect(time(16 << 20) == .seconds(32))
    }
}
