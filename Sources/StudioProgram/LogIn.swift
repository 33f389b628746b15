// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import JSONOutput
import Library
import Studio

/// `edithost studio login`: logs another browser in.
struct LogIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Log a browser in to the running server.",
        discussion: "The login token is valid once, for 5 minutes.")

    @OptionGroup var libraryOptions: LibraryOption
    @OptionGroup var output: OutputOptions

    @Flag(name: .customLong("no-open"), help: "Do not open the browser.")
    var noOpen = false

    func run() async throws {
        let library = try libraryOptions.open(readOnly: true)
        defer { try? library.close() }
        let place = try StudioPlace(of: library, ProcessInfo.processInfo.environment)
        guard place.port != 0 else {
            throw HostError(
                .noSuchFile, "no studio has been started for this library; run edithost studio")
        }
        let address = StudioAddress(hostName: place.hostName, port: place.port, isSecure: false)
        let page = try LoginTokens(folder: place.tokenFolder).issuePage(for: address.url)
        output.print(
            ["url": address.url, "port": address.port, "login": page],
            noOpen ? "open \(page)" : "\(address.url) is open")
        if !noOpen { Browser.open(page) }
    }
}
