// SPDX-License-Identifier: Apache-2.0

import CInterposition
import EditingModel
import Glibc
import RunnerProtocol
import RunnerSupport
import Vips

/// The process that decodes, encodes and runs extensions.
@main
enum Main {
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
            try Reader(connection: connection, folder: folder).run(facts)
        }
    }

    /// The number of libvips' threads is the host's to say, by `VIPS_CONCURRENCY`.
    private static func startVips() throws {
        // Pictures are never spilled to temporary files: a runner may write none.
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
        // The one format among those that 8.14 calls untrusted which is opened.
        VipsLibrary.setBlocked(false, className: "VipsForeignLoadJxl")
        VipsLibrary.setBlocked(false, className: "VipsForeignSaveJxl")
    }
}
