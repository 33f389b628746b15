// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel

/// The options for the one picture that a command writes.
struct OutputFileOption: ParsableArguments {
    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: ArgumentHelp(
            "The file to write; its extension selects the format. - writes to standard output.",
            valueName: "file"),
        completion: .file())
    var file: OutputFile

    @Option(help: ArgumentHelp("With --output -: the format.", valueName: "format"))
    var format: MediaFormat?

    /// The path as it was typed.
    var path: String { file.path }

    func validate() throws {
        guard file.isStandardOutput == (format != nil) else {
            throw ValidationError(
                format == nil
                    ? "--output - needs --format."
                    : "--format needs --output -; otherwise the extension of the file selects the "
                        + "format.")
        }
        try format?.validateWritten()
    }
}
