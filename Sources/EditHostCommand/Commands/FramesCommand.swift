// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Library

/// The command `edithost frames`.
struct FramesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames",
        abstract: "Export frames of a video as pictures.",
        discussion: "The frames include all edits. Existing files are never overwritten.",
        examples: """
            edithost frames 3f2a --every 1s --to frames
            edithost frames 3f2a --every 500ms --to frames --size 640x640 --format png
            """)

    @Argument(
        help: ArgumentHelp(
            "The video's identifier, or a unique prefix of it.", valueName: "id"),
        completion: .asset)
    var id: String

    @Option(
        help: ArgumentHelp(
            "The interval between frames, such as 1s, 500ms or 1:30; the first frame is at 0 s.",
            valueName: "time"))
    var every: VideoTime

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "The output folder; created if it does not exist.", valueName: "folder"),
        completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "Reduce each frame to fit into this box (default: the size of the video).",
            valueName: "widthxheight"))
    var size: PixelSize?

    @Option(help: ArgumentHelp("The format of the pictures.", valueName: "format"))
    var format = MediaFormat.jpeg

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let identifier = try library.asset(named: id).localIdentifier
        let batch = BatchRun(general, kept: "written")
        try await batch.run(on: nil) { host in
            try await host.exportFrames(
                of: identifier, every: every.seconds, in: library, to: folder,
                format: format, size: size
            ) { path, time in
                batch.finish(path)
                try batch.output.print(
                    ["id": identifier, "path": path, "time": time],
                    "\(path)  \((time * 1000).rounded() / 1000) s")
            }
        }
    }
}
