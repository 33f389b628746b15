// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Foundation

/// The one file that a command writes, or `-` for standard output.
struct OutputFile: ExpressibleByArgument {
    /// The path as it was typed.
    let path: String

    init?(argument: String) { path = argument }

    var isStandardOutput: Bool { path == "-" }

    /// Validates the use of standard output.
    ///
    /// - Throws: `ValidationError` with `--json`, whose rows would be mixed with the file.
    func validate(_ general: GeneralOptions) throws {
        guard isStandardOutput, general.json else { return }
        throw ValidationError(
            "- writes the file to standard output, so --json cannot be printed there; leave out "
                + "--json.")
    }

    /// Throws an error if the bytes of a picture or video would be written to a terminal.
    ///
    /// - Throws: `CommandEnd` with the status 64.
    func requireNoTerminal() throws {
        guard isStandardOutput, StandardStream.output.isTerminal else { return }
        throw CommandEnd(
            status: .usage,
            message: "standard output is a terminal, to which files are not written; redirect it "
                + "to a file, or pipe it to another program")
    }

    /// Returns the written format that the extension of a path selects; `nil` if it is none of them.
    var format: MediaFormat? {
        MediaFormat(name: (path as NSString).pathExtension).flatMap { $0.isWritten ? $0 : nil }
    }

    /// The format of a contact sheet that the extension selects, SVG on standard output; `nil` if it is none of them.
    var contactSheetFormat: ContactSheetFormat? {
        if isStandardOutput { return .svg }
        return ContactSheetFormat(filenameExtension: (path as NSString).pathExtension)
    }
}
