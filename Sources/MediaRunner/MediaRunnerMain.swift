// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import ImageMetadata
import RunnerProtocol
import RunnerSupport

/// The process that decodes videos with FFmpeg. It loads no extensions.
@main
enum MediaRunnerMain {
    static func main() {
        RunnerStart.run("edithost-media-runner") {
            cmedia_silence()
        } serve: { connection, _, sandbox in
            let facts = RunnerFacts(
                vipsVersion: "", formats: MediaFormat.allCases.filter { $0.mediaType == .video },
                loaders: String(cString: cmedia_containers).split(separator: ",").map(String.init),
                codecs: MediaLibraries.facts, sandbox: sandbox)
            try RequestLoop(connection: connection).run(facts)
        }
    }
}
