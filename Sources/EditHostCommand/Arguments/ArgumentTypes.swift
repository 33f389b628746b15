// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel

extension ExportOptions.Version: ExpressibleByArgument {}
extension ExportOptions.LivePhotoPart: ExpressibleByArgument {}
extension VideoExport.Preset: ExpressibleByArgument {}
extension ExportOptions.Metadata: ExpressibleByArgument {}

extension PixelSize: ExpressibleByArgument {
    /// Reads `WIDTHxHEIGHT`, each at least 1.
    public init?(argument: String) {
        let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            (1...maximumSide).contains(width), (1...maximumSide).contains(height)
        else { return nil }
        self.init(width: width, height: height)
    }
}

/// The longest side that a picture can have.
private let maximumSide = 1 << 20

extension MediaFormat: ExpressibleByArgument {
    /// Reads a format's name, such as `jpg` or `png`.
    public init?(argument: String) { self.init(name: argument) }

    /// The formats that can be written, for help and completions.
    public static var allValueStrings: [String] { writtenNames }
}
