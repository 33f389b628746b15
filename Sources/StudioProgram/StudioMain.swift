// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The entry point of the program.
@main
enum StudioMain {
    static func main() async {
        // A closed connection then causes a write error.
        signal(SIGPIPE, SIG_IGN)
        // A file size limit then causes a write error, as a full disk does.
        signal(SIGXFSZ, SIG_IGN)
        await StudioCommand.main()
    }
}
