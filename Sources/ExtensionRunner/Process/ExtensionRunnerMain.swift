// SPDX-License-Identifier: Apache-2.0

import CInterposition
import Glibc
import RunnerProtocol
import RunnerSupport
import Vips

/// The entry point of the process that decodes, encodes and runs extensions.
@main
enum ExtensionRunnerMain {
    static func main() {
        RunnerStart.run("edithost-runner") {
            do {
                try startVips()
            } catch {
                throw RunnerStart.LibraryFailure("cannot start libvips: \(error)")
            }
        } serve: { connection, folder, sandbox in
            let facts = RunnerFacts(
                vipsVersion: VipsLibrary.version, formats: Decoder.formats,
                loaders: Decoder.operations, codecs: CodecLibraries.facts, sandbox: sandbox)
            try RequestReceiver(connection: connection, folder: folder).run(facts)
        }
    }

    /// Initialises libvips. The host sets the number of its threads with `VIPS_CONCURRENCY`.
    private static func startVips() throws {
        // Images are never spilled to temporary files, because a runner must not write any.
        setenv("VIPS_DISC_THRESHOLD", "1024g", 0)
        interposition_choose_modules(true)
        try VipsLibrary.initialize()
        interposition_choose_modules(false)
        guard interposition_works() else {
            throw VipsError(
                code: .operationFailed, operation: "vips_init",
                message: "cannot watch its errors: it does not call this program's functions")
        }
        VipsLibrary.blockUntrusted()
        // The only supported format that libvips 8.14 treats as untrusted.
        VipsLibrary.setBlocked(false, className: "VipsForeignLoadJxl")
        VipsLibrary.setBlocked(false, className: "VipsForeignSaveJxl")
    }
}
