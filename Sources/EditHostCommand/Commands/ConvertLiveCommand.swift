// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost convert-live`
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

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let (count, failures) = try await general.withHost { host in
            try await Interruption().run { try await convert(with: host, general.output) }
        }
        let status = ExitStatus(failures: failures, of: count)
        if status != .done { throw CommandEnd(status: status) }
    }

    private func convert(
        with host: ExtensionHost, _ output: CommandOutput
    ) async throws -> (count: Int, failures: [any Error]) {
        var failures: [any Error] = []
        var count = 0
        try await host.convertLivePhotos(
            at: files, to: to == .pair ? .pair : .motion, in: self.output
        ) { result in
            count += 1
            switch result.files {
            case .success(let paths):
                try output.print(
                    [
                        "path": result.path,
                        "files": paths,
                    ], paths.joined(separator: "  "))
                for warning in result.warnings { output.message("\(result.path): \(warning)") }
            case .failure(let error):
                try Task.checkCancellation()
                failures.append(error)
                try output.printJSON([
                    "path": result.path, "files": nil, "error": ExitStatus.words(for: error),
                ])
                output.failure(error, of: result.path)
            }
        }
        return (count, failures)
    }
}
