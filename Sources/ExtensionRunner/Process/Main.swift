// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Glibc
import Vips

/// The process that decodes, encodes and runs extensions.
///
/// Its first argument is the process identifier of the host that started it. It takes requests
/// on the descriptor `CSANDBOX_CONTROL` and ends with status 0 when the host closes that. Where it
/// cannot have its sandbox it ends with status 70, unless the second argument says to do without.
@main
enum Main {
    static func main() {
        guard let (host, isSandboxed) = arguments() else {
            leave("edithost-runner is started by edithost, with its process identifier", 64)
        }
        guard csandbox_enter_runner(host) == 0 else {
            leave("cannot become a runner: \(String(cString: strerror(errno)))", 71)
        }
        let folder = RunnerFolder.fromEnvironment()
        do {
            // Landlock holds for threads that start after it: this comes before the first.
            let sandbox = isSandboxed ? try Sandbox(folder: folder?.path) : .none
            try startVips()
            try sandbox.close()
            let facts = RunnerFacts(
                vipsVersion: VipsLibrary.version, formats: Decoder.formats, sandbox: sandbox.facts)
            try Reader(connection: Connection(socket: CSANDBOX_CONTROL), folder: folder).run(facts)
        } catch let error as Sandbox.Unavailable {
            leave("\(RunnerArguments.sandboxUnavailable)\(error)", 70)
        } catch let error as WorkerThread.StartError {
            leave("no thread can be started: \(String(cString: strerror(error.errno)))", 71)
        } catch {
            leave("libvips cannot be started: \(error)", 70)
        }
        // Not exit(): handlers of extensions would run beside the worker's thread.
        _exit(0)
    }

    private static func arguments() -> (host: pid_t, isSandboxed: Bool)? {
        let arguments = CommandLine.arguments.dropFirst()
        guard let first = arguments.first, let host = pid_t(first) else { return nil }
        switch Array(arguments.dropFirst()) {
        case []: return (host, true)
        case [RunnerArguments.noSandbox]: return (host, false)
        default: return nil
        }
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
