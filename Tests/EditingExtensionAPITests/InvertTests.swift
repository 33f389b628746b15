// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import EditingModel
import Foundation
import Testing

@Suite("C example")
struct InvertTests {
    private let plugin: TestPlugin

    init() throws { plugin = try TestPlugin.invert.get() }

    @Test(
        "every sample is inverted, and alpha stays", arguments: [BandFormat.uchar, .ushort], [3, 4])
    func pixels(format: BandFormat, bands: Int) throws {
        let (image, numbers) = try Pictures.make(
            width: 33, height: 21, bands: bands, format: format)
        let largest: UInt16 = format == .uchar ? 255 : 65535
        let expected = numbers.enumerated().map { index, number in
            bands == 4 && index % 4 == 3 ? number : largest - number
        }
        let result = try plugin.edit(image, "{}")
            .applying("cast", ["format": .string(format.name)])
        #expect(try result.samples() == expected)
        let preview = try plugin.session(TestInput(image)).preview()
            .applying("cast", ["format": .string(format.name)])
        #expect(try preview.samples() == expected)
    }

    @Test("only recipes of its own format and version are continued")
    func recipes() throws {
        let (image, _) = try Pictures.make(width: 3, height: 3, bands: 3)
        let session = try plugin.session(TestInput(image))
        let recipe = try session.finish().recipe
        #expect(try session.canHandle(recipe))
        for (identifier, version) in [
            ("com.example.other", recipe.formatVersion), (recipe.formatIdentifier, "2.0"),
        ] {
            let other = AdjustmentData(
                formatIdentifier: identifier, formatVersion: version, data: recipe.data)
            #expect(try !session.canHandle(other), "\(identifier) \(version)")
        }
        #expect(!session.asksBeforeCancel)
        #expect(try session.parameters() == "{}")
    }

    @Test("the library's names match the manifest")
    func names() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Examples/InvertC/manifest.json")
        let manifest = try ExtensionManifest(json: Data(contentsOf: file))
        #expect(plugin.identifier == manifest.identifier)
        #expect(plugin.version == manifest.version)
    }
}
