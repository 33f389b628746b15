// SPDX-License-Identifier: Apache-2.0
//
// in_process FOLDER JPEG... - the baseline for edits in runners.
//
// Applies the compiled-in sepia filter to each file in one process without host, runner or sandbox. Files
// are decoded, computed and encoded as by edithost, with libvips' threads, and written to FOLDER.

import EditingExtensionAPI
import Glibc
import Vips

@main
enum InProcess {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first else { exit(64) }
        try VipsLibrary.initialize()
        for path in arguments.dropFirst() { try edit(path, into: folder) }
    }

    private static func edit(_ path: String, into folder: String) throws {
        let input = open(path, O_RDONLY)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let output = open("\(folder)/\(name)", O_RDWR | O_CREAT | O_TRUNC, 0o644)
        guard input >= 0, output >= 0 else { exit(66) }
        defer {
            close(input)
            close(output)
        }
        let image = try Image(
            source: ImageSource(fileDescriptor: input), loader: "jpegload_source",
            options: ["access": "sequential", "fail_on": "truncated"])
        let sepia = try Sepia().apply(to: image, context: PhotoFilterContext(scale: 1))
        try sepia.write(
            to: ImageTarget(fileDescriptor: output), saver: "jpegsave_target",
            options: ["Q": 92, "subsample_mode": "on"])
    }
}
