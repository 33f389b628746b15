// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Properties of a photo that an extension gets besides its pixels.
@Suite("original properties for extensions")
struct OriginalFactTests {
    @Test(
        "sessions and jobs use the original's properties, so a re-render has the same bytes",
        arguments: [true, false], ["png", "gif"])
    func rerender(trusted: Bool, format: String) async throws {
        let studio = try TestStudio(trusted: trusted)
        let picture = TestPicture.gradient(bands: 3)
        let asset = try await studio.add(picture.encoded(format), named: "picture.\(format)")
        // The adder adds a number computed from the date, the location and the output type.
        try await studio.edit(asset, "adder", ["mode": "facts"])
        let first = try studio.currentBytes(asset)
        try await studio.library.performChanges {
            let request = try AssetChangeRequest(for: studio.asset(asset))
            request.creationDate = Date(timeIntervalSince1970: 1_000_000_000)
            request.location = Location(latitude: 40, longitude: 8)
        }
        #expect(try await rerendered(asset, studio) == first)
        try await studio.edit(asset, "adder", ["mode": "facts", "amount": "11"])
        let second = try studio.currentBytes(asset)
        #expect(second != first)
        #expect(try await rerendered(asset, studio) == second)
        try await studio.edit(asset, "adder", ["amount": "10"])
        #expect(try studio.currentBytes(asset) == first)
        await studio.host.shutDown()
    }

    @Test(
        "extensions get the capture properties in sessions and jobs alike",
        arguments: [true, false])
    func capture(trusted: Bool) async throws {
        let studio = try TestStudio(trusted: trusted)
        let picture = TestPicture.gradient(bands: 3)
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(try picture.encoded("png")), to: "tagged.png")
        let tags = ["-Model=A camera", "-ISO=400", "-Flash#=1", "-Lens=A lens"]
        let tagged = try runProgram(
            "/usr/bin/env", ["exiftool", "-q", "-overwrite_original"] + tags + [path])
        #expect(tagged.status == 0, "\(tagged.errors)")
        let plain = try await studio.add(picture.encoded("png"), named: "plain.png")
        let asset = try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)), named: "tagged.png")
        for identifier in [plain, asset] {
            try await studio.edit(identifier, "adder", ["mode": "facts"])
        }
        #expect(try studio.current(asset) != studio.current(plain))
        let first = try studio.currentBytes(asset)
        #expect(try await rerendered(asset, studio) == first)
        await studio.host.shutDown()
    }

    private func rerendered(_ asset: String, _ studio: TestStudio) async throws -> Data {
        var statuses: [RerenderResult.Status] = []
        try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) {
            statuses.append($0.status)
        }
        #expect(statuses == [.rendered])
        return try studio.currentBytes(asset)
    }
}
