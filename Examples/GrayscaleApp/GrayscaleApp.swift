// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Glibc
import Library
import Vips

/// Converts photos to gray without an extension: it reads their pixels, computes its own, and commits
/// them. It edits all photos in one change, or none.
///
///     GrayscaleApp LIBRARY STRENGTH ID...
///
/// The strength is a percentage. When run again, it replaces its own edit instead of graying the gray
/// pixels. EDITHOST names the installed program, by default /usr/local/lib/edithost/edithost.
@main
struct GrayscaleApp {
    /// The stored recipe of an edit, from which it can be re-rendered or changed.
    struct Recipe: Codable {
        static let formatIdentifier = "org.example.grayscale"
        static let formatVersion = "1.0"
        var strength: Int
    }

    let host: ExtensionHost
    let library: PhotoLibrary
    let recipe: Recipe

    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count > 2, let strength = Int(words[2]), (0...100).contains(strength) else {
            print("usage: GrayscaleApp LIBRARY STRENGTH ID...")
            exit(64)
        }
        try VipsLibrary.initialize()
        let environment = ProcessInfo.processInfo.environment
        let program = environment["EDITHOST"] ?? "/usr/local/lib/edithost/edithost"
        let app = GrayscaleApp(
            host: ExtensionHost(.standard(executable: program, environment: environment)),
            library: try .open(at: words[1]), recipe: Recipe(strength: strength))
        do {
            try await app.edit(Array(words.dropFirst(2)))
        } catch {
            print("nothing was changed: \(error)")
            exit(1)
        }
        await app.host.shutDown()
    }

    func edit(_ identifiers: [String]) async throws {
        var outputs: [ContentEditingOutput] = []
        for identifier in identifiers {
            let asset = try library.asset(withIdentifierPrefix: identifier)
            outputs.append(try await output(for: asset))
        }
        // 5. Commit, in one change block.
        try await library.performChanges { [outputs] in
            for output in outputs {
                try AssetChangeRequest(for: output.input.asset).contentEditingOutput = output
            }
        }
    }

    private func output(for asset: Asset) async throws -> ContentEditingOutput {
        // 1. Request the input. If this program edited the photo before, it gets the pixels from
        //    before that edit; otherwise the current ones.
        var options = ContentEditingInputRequestOptions()
        options.canHandleAdjustmentData = {
            $0.formatIdentifier == Recipe.formatIdentifier
                && $0.formatVersion == Recipe.formatVersion
        }
        options.skipsDisplaySizeImage = true
        // 2. Receive it. Programs with a UI use the form with a completion handler, and can cancel it.
        let input = try await host.requestContentEditingInput(
            for: asset, in: library, options: options)

        // 3. Apply the edit to the full-size pixels, and record it in adjustment data.
        guard let url = input.fullSizeImageURL else { throw CocoaError(.fileNoSuchFile) }
        let file = try FileHandle(forReadingFrom: url)
        let gray = try Image(source: try ImageSource(fileDescriptor: file.fileDescriptor))
            .mapping(Grayscale(strength: recipe.strength))
        let adjustmentData = try AdjustmentData(
            formatIdentifier: Recipe.formatIdentifier, formatVersion: Recipe.formatVersion,
            data: JSONEncoder().encode(recipe))

        // 4. Build the output: the recipe, and a lossless file. The host validates both when they are
        //    committed.
        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = adjustmentData
        let rendered = try output.renderedContentURL(for: .tiff)
        try Data(gray.encoded(saver: "tiffsave_buffer", options: ["compression": "deflate"]))
            .write(to: rendered)
        return output
    }
}

/// Moves each colour towards the mean of its pixel; alpha does not change.
struct Grayscale: PixelKernel {
    let strength: Int

    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ source: UnsafePointer<Sample>, to destination: UnsafeMutablePointer<Sample>,
        pixels: Int, bands: Int
    ) {
        for pixel in 0..<pixels {
            let from = source + pixel * bands
            let to = destination + pixel * bands
            let mean = (Int(from[0]) + Int(from[1]) + Int(from[2])) / 3
            for band in 0..<3 {
                let mixed = mean * strength + Int(from[band]) * (100 - strength)
                to[band] = Sample(truncatingIfNeeded: mixed / 100)
            }
            if bands == 4 { to[3] = from[3] }
        }
    }
}
