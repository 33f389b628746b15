// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel

extension MetadataPrecedence: ExpressibleByArgument {}

extension ExportOptions.Version: ExpressibleByArgument {}

extension ExportOptions.LivePhotoPart: ExpressibleByArgument {}

extension ExportOptions.ModificationTime: ExpressibleByArgument {}

extension VideoExport.Preset: ExpressibleByArgument {}

extension ExportOptions.Metadata: ExpressibleByArgument {}

extension ExportOptions.StalePictures: ExpressibleByArgument {}

extension ExportOptions.Sidecar: ExpressibleByArgument {}

extension ExportOptions.Sharpening: ExpressibleByArgument {}

extension PixelSize: ExpressibleByArgument {
    /// Parses `WIDTHxHEIGHT`, each at least 1.
    public init?(argument: String) { self.init(argument) }
}

extension SHA256Digest: ExpressibleByArgument {
    /// Parses 64 hexadecimal digits.
    public init?(argument: String) { self.init(hex: argument.lowercased()) }
}

extension MediaFormat: ExpressibleByArgument {
    /// Parses a format name such as `jpg` or `png`.
    public init?(argument: String) { self.init(name: argument) }

    /// The writable formats, for help and completion.
    public static var allValueStrings: [String] { writtenNames }
}

extension WorkPlanOptions.Engine: ExpressibleByArgument {}

extension WorkPlan.ProbeMode: ExpressibleByArgument {}
