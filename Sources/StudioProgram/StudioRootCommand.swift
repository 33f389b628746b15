// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import FileAccess
import Foundation
import JSONOutput
import Library
import Logging
import RunnerHost
import Studio

/// `edithost-studio`, which `edithost studio` runs.
struct StudioRootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edithost studio",
        abstract: "Browse and edit the library in a browser.",
        discussion: """
            The server listens on this machine only, unless --listen is given with a certificate. \
            Ctrl-C stops it. Host name and port are kept for each library, so bookmarks work again \
            after the next start.
            """,
        version: HostVersion.current, subcommands: [ServeCommand.self, LoginCommand.self],
        defaultSubcommand: ServeCommand.self)
}
