// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import FoundationEssentials
import Testing

@Suite("The example in C")
struct InvertTests {
    private let plugin: TestPlugin

    init() throws { plugin = try TestPlugin.invert.get() }

    @Test(
        "Every sample is inverted, alpha stays", arguments: [BandFormat.uchar, .ushort], [3, 4])
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

    @Test("It continues its own recipes and no others")
    func recipes() throws {
        let (image, _) = try Pictures.make(width: 3, height: 3, bands: 3)
        let session = try plugin.session(TestInput(image))
        let recipe = try session.finish().recipe
        #expect(try session.canHandle(recipe))
        #expect(
            try !session.canHandle(
                AdjustmentData(
                    formatIdentifier: "com.example.other", formatVersion: "1.0",
                    data: recipe.data)))
        #expect(!session.asksBeforeCancel)
        #expect(try session.parameters() == "{}")
    }

    @Test("What the library says of itself is what the manifest says")
    func names() throws {
        #expect(plugin.identifier == "com.example.invert")
        #expect(plugin.version == "1.0")
    }
}
