// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing

/// Reported success is not accepted without checks.
@Suite("forged answers")
struct ForgeryTests {
    /// A studio whose runners tamper with their output once they have loaded an extension.
    private static func studio(_ mode: String, trusted: Bool) throws -> TestStudio {
        let program = try TestExtension.program("tampering_runner")
        return try TestStudio(
            extensions: { folder in
                try TestExtension.buildAdder(in: folder)
                let files = FileManager.default
                try files.copyItem(atPath: program, toPath: "\(folder)/\(mode)")
                try files.createSymbolicLink(
                    atPath: "\(folder)/runner", withDestinationPath: BuildProducts.runner)
            }, trusted: trusted,
            configure: { $0.runnerExecutable = "\($0.extensionFolders[0])/\(mode)" })
    }

    private static let modes = ["none", "empty", "short", "long", "garbage"]

    @Test(
        "missing, empty, truncated, overlong and garbage output is rejected",
        arguments: modes)
    func encoded(mode: String) async throws {
        try await expectRefused(mode, trusted: true)
    }

    @Test(
        "missing, truncated and excess pixels from untrusted extensions are rejected",
        // Large pictures use recycled memory.
        arguments: modes.filter { $0 != "garbage" },
        [40, 700])
    func pixels(mode: String, width: Int) async throws {
        try await expectRefused(mode, trusted: false, .gradient(width: width, height: 600))
    }

    private func expectRefused(
        _ mode: String, trusted: Bool, _ picture: TestPicture = .gradient()
    ) async throws {
        let studio = try Self.studio(mode, trusted: trusted)
        let asset = try await studio.add(picture)
        let token = try studio.library.currentChangeToken
        await #expect(throws: (any Error).self) { try await studio.edit(asset) }
        #expect(try studio.library.currentChangeToken == token)
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        #expect(try studio.current(asset) == picture)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("substituted pixels of the same size are encoded in another process")
    func otherPixels() async throws {
        let studio = try Self.studio("garbage", trusted: false)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset)
        #expect(try studio.current(asset) == picture.mapped { _ in 0xAB })
        await studio.host.shutDown()
    }

    @Test(
        "writes to the output after the answer do not change what was committed",
        arguments: ["late-writes", "late-maps"])
    func lateWrites(mode: String) async throws {
        for trusted in [true, false] {
            let studio = try TestStudio(trusted: trusted)
            let picture = TestPicture.gradient(width: 400, height: 300)
            let asset = try await studio.add(picture)
            do {
                try await studio.edit(asset, "adder", ["mode": mode])
            } catch let error as HostError {
                // The host detected that the memory is still in use. If the runner does more than the extension's work,
                // the write may end it during that work.
                let codes: [HostError.Code] =
                    trusted ? [.extensionFailed, .runnerFailed] : [.extensionFailed]
                #expect(codes.contains(error.code), "\(error), trusted: \(trusted)")
            }
            // The runner continues to run and to write.
            for _ in 0..<20 {
                let report = try studio.library.check(readingDataOf: 100)
                #expect(report.severity == .clean, "\(report.findings)")
                try await Task.sleep(for: .milliseconds(100))
            }
            await studio.host.shutDown()
        }
    }
}
