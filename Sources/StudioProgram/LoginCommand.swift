// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import JSONOutput
import Library
import Studio

/// `edithost studio login`: logs another browser in.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Log in to the running server in a browser.",
        discussion: "The login link can be used once, within 5 minutes.")

    @OptionGroup var libraryOptions: LibraryOption
    @OptionGroup var output: OutputOptions

    @Flag(name: .customLong("no-open"), help: "Do not open the browser.")
    var noOpen = false

    func run() async throws {
        let library = try libraryOptions.open(readOnly: true)
        defer { try? library.close() }
        let preferredAddress = try PreferredStudioAddress(
            of: library, ProcessInfo.processInfo.environment)
        let folder = preferredAddress.tokenFolder
        guard let address = try RunningStudios(folder: folder).address else {
            throw HostError(
                .noSuchFile, "no studio is running for this library; start it with edithost studio")
        }
        let page = try LoginTokens(folder: folder).issuePage(for: address)
        output.print(
            ["url": address, "login": page], noOpen ? "open \(page)" : "\(address) is open")
        if !noOpen { Browser.open(page) }
    }
}
