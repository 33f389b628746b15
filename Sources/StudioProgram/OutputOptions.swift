// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import JSONOutput
import Logging

/// The options for the output of the program.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print diagnostics on standard error.")
    var verbose = false

    /// The log of the server, on standard error.
    var logger: Logger {
        var logger = Logger(label: "edithost-studio") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = verbose ? .debug : .error
        return logger
    }

    /// Prints a line: a JSON object or text.
    func print(_ row: JSONRow, _ text: String) {
        let line = json ? (try? JSONText.of(row)) ?? "{}" : text.printable
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
