// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Results of applications' edits that are committed without having been prepared.
@Suite("unprepared outputs")
struct UnpreparedOutputTests {
    private func commit(
        _ outputs: [ContentEditingOutput], in library: PhotoLibrary
    ) async throws {
        try await library.performChanges {
            for output in outputs {
                try AssetChangeRequest(for: output.input.asset).contentEditingOutput = output
            }
        }
    }

    @Test(
        "A-12 a commit verifies an unprepared output as prepare does",
        arguments: [MediaFormat.jpeg, .png])
    func fiveSteps(type: MediaFormat) async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient(seed: 5)
        let assets = [try await studio.add(.gradient()), try await studio.add(.gradient(seed: 1))]
        let file = try picture.encoded(type.rawValue)
        // 1. and 2. Request and receive the input. 3. and 4. Write the result and its recipe.
        let output = try await studio.output(assets[0], file, as: type)
        // 5. Commit.
        try await commit([output], in: studio.library)
        try await studio.apply(file, as: type, to: assets[1])
        for asset in assets {
            let edit = try #require(try studio.library.history(ofAsset: asset).chain.last)
            #expect(edit.adjustmentData == output.adjustmentData && edit.editingExtension == nil)
            #expect((edit.base == nil) == (type == .jpeg))
        }
        #expect(try studio.currentBytes(assets[0]) == studio.currentBytes(assets[1]))
        #expect(try await studio.host.check(studio.library, readingDataOf: 100).findings.isEmpty)
        await studio.host.shutDown()
    }

    @Test("A-12 an invalid output fails the whole block and leaves nothing behind")
    func damaged() async throws {
        let studio = try TestStudio()
        let assets = [try await studio.add(.gradient()), try await studio.add(.gradient(seed: 1))]
        let good = try TestPicture.gradient(width: 100, height: 100).encoded("jpeg")
        let token = try studio.library.currentChangeToken
        for (bad, code) in [
            (Data("not a picture".utf8), HostError.Code.invalidRenderedContent),
            (good.prefix(good.count / 2), .invalidRenderedContent),
            (try TestPicture.gradient().encoded(), .invalidRenderedContent),
        ] {
            let outputs = [
                try await studio.output(assets[0], good, as: .jpeg),
                try await studio.output(assets[1], Data(bad), as: .jpeg),
            ]
            let error = await #expect(throws: HostError.self) {
                try await commit(outputs, in: studio.library)
            }
            #expect(error?.code == code && error?.assetIdentifier == assets[1])
        }
        var nothing = ContentEditingOutput(contentEditingInput: try await studio.input(assets[0]))
        nothing.adjustmentData = try TestStudio.recipe()
        let empty = nothing
        let missing = await #expect(throws: HostError.self) {
            try await commit([empty], in: studio.library)
        }
        #expect(missing?.code == .missingRenderedContent)
        nothing.adjustmentData = nil
        let silent = nothing
        let mute = await #expect(throws: LibraryError.self) {
            try await commit([silent], in: studio.library)
        }
        #expect(mute?.code == .missingAdjustmentData)
        #expect(try studio.library.currentChangeToken == token)
        #expect(try await studio.host.check(studio.library).findings.isEmpty)
        await studio.host.shutDown()
    }
}
