// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput

/// The command `edithost convert-live`.
struct ConvertLiveCommand: AsyncParsableCommand {
    /// The forms of a Live Photo.
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case pair, motion
    }

    static let configuration = CommandConfiguration(
        commandName: "convert-live",
        abstract: "Convert between Apple's Live Photos and Motion Photos.",
        discussion: """
            No library is needed. A pair is a picture and a MOV with the same content identifier; \
            a Motion Photo is a JPEG with the video in the same file. Pixels and sound are \
            copied, except that a still that is not JPEG is re-encoded for a Motion Photo. \
            Existing files are never overwritten.
            """,
        examples: """
            edithost convert-live PXL_2023.MP.jpg --to pair --output live
            edithost convert-live IMG_1.HEIC IMG_1.MOV --to motion --output motion
            edithost convert-live DCIM --to pair --output live
            """)

    @Argument(
        help: ArgumentHelp(
            "Motion Photos, both files of Live Photos, or folders to search.",
            valueName: "file"),
        completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("The form to convert to: pair or motion.", valueName: "form"))
    var to: Form

    @Option(
        help: ArgumentHelp(
            "The output folder; created if it does not exist.", valueName: "folder"),
        completion: .directory)
    var output: String

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let batch = BatchRun(general, kept: "converted")
        try await batch.run(on: nil) { try await convert(with: $0, batch) }
        try batch.end()
    }

    private func convert(with host: ExtensionHost, _ batch: BatchRun) async throws {
        let output = batch.output
        try await host.convertLivePhotos(
            at: files, to: to == .pair ? .pair : .motion, in: self.output
        ) { result in
            switch result.files {
            case .success(let paths):
                try output.print(
                    ["path": result.path, "files": paths], paths.joined(separator: "  "))
                for warning in result.warnings { output.message("\(result.path): \(warning)") }
                batch.finish(result.path)
            case .failure(let error):
                try Task.checkCancellation()
                try batch.fail(
                    result.path, error,
                    [
                        "path": result.path, "files": nil,
                        "error": ExitStatus.words(for: error),
                    ])
            }
        }
    }
}
