// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Glibc
import Vips

/// The process that decodes, encodes and runs extensions.
///
/// Its one argument is the process identifier of the host that started it. It takes requests on
/// the descriptor `CSANDBOX_CONTROL` and ends with status 0 when the host closes that.
@main
enum Main {
    static func main() {
        guard CommandLine.arguments.count == 2, let host = pid_t(CommandLine.arguments[1]) else {
            leave("edithost-runner is started by edithost, with its process identifier", 64)
        }
        guard csandbox_enter_runner(host) == 0 else {
            leave("cannot become a runner: \(String(cString: strerror(errno)))", 71)
        }
        // Lock-down, first half: Landlock goes here, before the first thread.
        do {
            try startVips()
        } catch {
            leave("libvips cannot be started: \(error)", 70)
        }
        // Lock-down, second half: seccomp goes here, before any request.
        let connection = Connection(socket: CSANDBOX_CONTROL)
        do {
            try Reader(connection: connection).run()
        } catch {
            leave("no thread can be started: \(error)", 71)
        }
        // Not exit(): handlers of extensions would run beside the worker's thread.
        _exit(0)
    }

    /// The number of libvips' threads is the host's to say, by `VIPS_CONCURRENCY`.
    private static func startVips() throws {
        // Pictures are never spilled to temporary files: a runner may write none.
        setenv("VIPS_DISC_THRESHOLD", "1024g", 0)
        try VipsLibrary.initialize()
        VipsLibrary.blockUntrusted()
        // The one format among those that 8.14 calls untrusted which is opened.
        VipsLibrary.setBlocked(false, className: "VipsForeignLoadJxl")
        VipsLibrary.setBlocked(false, className: "VipsForeignSaveJxl")
    }

    /// Ends with a line for the host's log.
    private static func leave(_ message: String, _ status: Int32) -> Never {
        let line = Array("edithost-runner: \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(status)
    }
}
