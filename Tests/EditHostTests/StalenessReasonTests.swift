// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Hashing
import Library
import RunnerProtocol
import Testing

@testable import EditHost

/// The reasons for a stale rendition name what has changed.
@Suite("reasons for re-rendering")
struct StalenessReasonTests {
    private static func digest(_ number: Int) -> SHA256Digest {
        SHA256Digest(bytes: [UInt8](repeating: UInt8(number), count: 32))
    }

    private static func step(
        _ name: String = "look", version: String = "1.0", build: Int = 1, files: Int? = nil,
        format: String = "1", recipe: String = "{}", inPlace: Bool? = nil
    ) -> RenditionIngredients.Step {
        RenditionIngredients.Step(
            extension: EditingExtensionIdentity(
                identifier: "org.example.\(name)", version: version, binaryHash: digest(build),
                hashedFilesHash: files.map(digest)),
            formatIdentifier: "org.example.\(name)", formatVersion: format,
            recipe: SHA256Digest(bytes: SHA256.hash(data: Data(recipe.utf8))), files: nil,
            keepsPixelsInPlace: inPlace)
    }

    private static func ingredients(
        base: Int = 1, original: Int = 1, steps: [RenditionIngredients.Step] = [step()],
        settings: EncodeSettings = EncodeSettings(format: .jpeg, quality: 92), rendering: Int = 1,
        vips: String = "8.14.1", media: String? = nil
    ) -> RenditionIngredients {
        RenditionIngredients(
            base: digest(base), original: digest(original), steps: steps, settings: settings,
            hostRendering: rendering, vips: vips, media: media)
    }

    private static let cases: [(RenditionIngredients, String)] = [
        (ingredients(base: 2, original: 2), "the original has changed"),
        (ingredients(base: 2), "it is now rendered from a stored step, not from the original"),
        (
            ingredients(steps: [step(version: "1.1", build: 2)]),
            "org.example.look changed from 1.0 to 1.1"
        ),
        (ingredients(steps: [step(build: 2)]), "another build of org.example.look is installed"),
        (
            ingredients(steps: [step(files: 2)]),
            "files of org.example.look have changed"
        ),
        (
            ingredients(steps: [step(format: "2")]),
            "the recipe of org.example.look changed its format from org.example.look 1 to "
                + "org.example.look 2"
        ),
        (ingredients(steps: [step(recipe: "[]")]), "the recipe of org.example.look has changed"),
        (
            ingredients(steps: [step(inPlace: true)]),
            "the manifest of org.example.look changed keepsPixelsInPlace"
        ),
        (
            ingredients(steps: [step("sepia"), step()]),
            "the edits changed from org.example.look to org.example.sepia, org.example.look"
        ),
        (ingredients(steps: []), "the edits changed from org.example.look to none"),
        (
            ingredients(settings: EncodeSettings(format: .png)),
            "the format changed from JPEG to PNG; the quality changed from 92 to lossless"
        ),
        (
            ingredients(settings: EncodeSettings(format: .jpeg, quality: 92, fullChroma: true)),
            "the chroma changed from 4:2:0 to 4:4:4"
        ),
        (ingredients(vips: "8.16"), "libvips changed from 8.14.1 to 8.16"),
        (ingredients(media: "libavcodec 61"), "no FFmpeg changed to libavcodec 61"),
        (
            ingredients(rendering: 2),
            "the rendering of edithost changed from version 1 to 2"
        ),
        (ingredients(), ""),
    ]

    @Test("each differing ingredient is named with both values", arguments: cases.indices)
    func reason(index: Int) {
        let (now, words) = Self.cases[index]
        #expect(now.differences(from: Self.ingredients()).joined(separator: "; ") == words)
    }

    @Test("several differing ingredients are all named")
    func several() {
        let now = Self.ingredients(base: 3, steps: [Self.step(version: "2")], vips: "8.16")
        let reasons = now.differences(from: Self.ingredients(base: 2))
        #expect(
            reasons == [
                "the stored step that it is rendered from has been rendered again",
                "org.example.look changed from 1.0 to 2", "libvips changed from 8.14.1 to 8.16",
            ])
    }

    @Test("ingredients are stored as JSON with sorted keys, so that earlier keys stay valid")
    func encoding() throws {
        let odd = RenditionIngredients.Step(
            extension: EditingExtensionIdentity(
                identifier: "org.example/\"look\"", version: "é\n", binaryHash: Self.digest(1)),
            formatIdentifier: "a/b", formatVersion: "\\", recipe: Self.digest(2),
            files: [Self.digest(3), Self.digest(4)], keepsPixelsInPlace: true)
        let all =
            Self.cases.map(\.0)
            + [Self.ingredients(steps: [odd, odd], vips: "8/\"\u{1}", media: "m/\"")]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for ingredients in all {
            let data = try encoder.encode(ingredients)
            #expect(try ingredients.encoded == data)
            #expect(try ingredients.key == SHA256Digest(bytes: SHA256.hash(data: data)))
        }
    }
}
