// SPDX-License-Identifier: Apache-2.0

import CInterposition
import CSandbox
import EditingModel
import Glibc
import RunnerProtocol
import Vips

/// The process that decodes, encodes and runs extensions.
///
/// It is started with ``RunnerArguments``. It takes requests on the descriptor `CSANDBOX_CONTROL`
/// and ends with status 0 when the host closes that. Where it cannot have the sandbox that it must
/// have it ends with status 70.
@main
enum Main {
    static func main() {
        guard let arguments = RunnerArguments(words: CommandLine.arguments.dropFirst()) else {
            leave("edithost-runner is started by edithost, with its process identifier", 64)
        }
        csandbox_volunteer()
        let folder = RunnerFolder.fromEnvironment()
        do {
            // Landlock holds for threads that start after it: this comes before the first.
            let sandbox = try Sandbox(arguments, folder: folder?.path)
            try startVips()
            try sandbox.close()
            let facts = RunnerFacts(
                vipsVersion: VipsLibrary.version, formats: Decoder.formats,
                loaders: Decoder.operations, codecs: CodecLibraries.facts, sandbox: sandbox.facts)
            try Reader(connection: Connection(socket: CSANDBOX_CONTROL), folder: folder).run(facts)
        } catch let error as Sandbox.Unavailable {
            leave("\(RunnerArguments.sandboxUnavailable)\(error)", 70)
        } catch let error as Sandbox.NoRunner {
            leave("cannot become a runner: \(error)", 71)
        } catch let error as WorkerThread.StartError {
            leave("no thread can be started: \(String(cString: strerror(error.errno)))", 71)
        } catch {
            leave("libvips cannot be started: \(error)", 70)
        }
        // Not exit(): handlers of extensions would run beside the worker's thread.
        _exit(0)
    }

    /// The number of libvips' threads is the host's to say, by `VIPS_CONCURRENCY`.
    private static func startVips() throws {
        // Pictures are never spilled to temporary files: a runner may write none.
        setenv("VIPS_DISC_THRESHOLD", "1024g", 0)
        try VipsLibrary.initialize()
        guard interposition_works() else {
            throw VipsError(
                code: .operationFailed, operation: "vips_init",
                message: "its errors cannot be watched: it does not call this program's functions")
        }
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
