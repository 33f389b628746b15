// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options of `edithost studio`, for the command and for the program that it runs.
package struct StudioArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use this TCP port (default: that of the last start, or a free one).",
            valueName: "number"))
    package var port: Int?

    @Flag(name: .customLong("no-open"), help: "Do not open the browser.")
    package var noOpen = false

    @Flag(help: "Do not allow changes.")
    package var readOnly = false

    @Option(
        help: ArgumentHelp(
            "Listen on this address for other machines; needs --certificate, --key and --host.",
            valueName: "address"))
    package var listen: String?

    @Option(
        help: ArgumentHelp("The certificate chain for --listen, in PEM format.", valueName: "file"),
        completion: .file())
    package var certificate: String?

    @Option(
        help: ArgumentHelp("The private key for --listen, in PEM format.", valueName: "file"),
        completion: .file())
    package var key: String?

    @Option(
        help: ArgumentHelp(
            "The host name in URLs (default: a random name, kept for each library).",
            valueName: "name"))
    package var host: String?

    /// Creates arguments without values, as the parser requires.
    package init() {}

    package func validate() throws {
        if let port, !(0...65535).contains(port) {
            throw ValidationError("--port must be from 0 to 65535.")
        }
        let parts = [listen, certificate, key, host].compactMap(\.self)
        guard listen == nil && certificate == nil && key == nil || parts.count == 4 else {
            throw ValidationError("--listen needs --certificate, --key and --host.")
        }
    }

    /// The arguments as words of a command line.
    package var words: [String] {
        let options: [(String, String?)] = [
            ("--port", port.map(String.init)), ("--listen", listen), ("--certificate", certificate),
            ("--key", key), ("--host", host),
        ]
        return options.flatMap { name, value in value.map { ["\(name)=\($0)"] } ?? [] }
            + (noOpen ? ["--no-open"] : []) + (readOnly ? ["--read-only"] : [])
    }
}
