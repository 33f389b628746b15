// SPDX-License-Identifier: Apache-2.0

/// The extension in Swift and its test.
extension ExtensionTemplate {
    // Interpolated so that tools do not take it for an import of this module.
    static let swiftSource = #"""
        \#("import") EditingExtensionAPI

        /// Its stored properties are its parameters and its recipe. The manifest is generated from them.
        struct Filter: PhotoFilter {
            static let identifier = "@IDENTIFIER@"
            static let version = "1.0"
            static let manifest = FilterManifest(
                name: "@NAME@", author: "The authors of @NAME@", license: "MIT",
                description: "Multiplies the colours of a picture by a gain and adds a lift.")

            @Parameter(0...4, step: 0.01, label: "Gain", help: "The factor for red, green and blue.")
            var gain = 1.0

            @Parameter(
                -1...1, step: 0.01, label: "Lift",
                help: "What is added to red, green and blue; 1 is white.")
            var lift = 0.0

            /// Describes the result, whose samples may be floating point: the host rounds and clips them.
            func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
                let white = image.format == .uchar ? 255.0 : 65535.0
                // An image has 3 bands, or 4: the last is alpha and stays as it is.
                let factors = [gain, gain, gain, 1].prefix(image.bands)
                let offsets = [lift, lift, lift, 0].map { $0 * white }.prefix(image.bands)
                return try image.applying(
                    "linear", ["a": .doubles(Array(factors)), "b": .doubles(Array(offsets))])
            }
        }

        /// The one symbol that the library exports.
        @c(editing_extension_entry)
        public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
            EditingExtension.entry(Filter.self, host: host)
        }

        """#

    static let swiftTest = #"""
        \#("import") EditingExtensionAPI
        \#("import") EditingExtensionTesting
        \#("import") Glibc

        @main
        enum Tests {
            static func main() {
                do {
                    try testFilter()
                    print("passed")
                } catch {
                    print("failed: \(error)")
                    exit(1)
                }
            }

            private static func testFilter() throws {
                let filter = try TestedExtension(
                    editing_extension_entry, identifier: Filter.identifier, version: Filter.version)
                let input = try TestedPicture.gradient(width: 64, height: 48)

                // With the default values, nothing changes. Remove this if your filter changes the picture by default.
                try filter.render(input).expectSame(as: input)

                let edit = try filter.edit(input)
                try edit.set(["gain": .number(0.5), "lift": .number(0.1)])
                let output = try edit.finish()
                // In plain arithmetic. The host rounds.
                var expected = input
                for y in 0..<input.height {
                    for x in 0..<input.width {
                        for band in 0..<3 {
                            let value = Double(input[x, y, band]) * 0.5 + 255 * 0.1
                            expected[x, y, band] = UInt16(value.rounded())
                        }
                    }
                }
                try output.expectSame(as: expected, tolerance: 1)

                // The recipe gives the same pixels again.
                try filter.render(input, recipe: edit.recipe).expectSame(as: output)
                try edit.end()
            }
        }

        """#
}
