// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Foundation
import JSONOutput
import Library
import RunnerHost

/// The command `edithost extensions run`.
struct RunExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Try an extension on a file, without a library and without installing it.",
        discussion: """
            The extension always runs as untrusted, and its failures are not counted. Its output \
            and log messages are shown on standard error, line by line. With --size, its preview \
            is rendered instead of the finished edit. An existing output file is replaced. With \
            --wait-for-debugger, the process identifier is printed, and the process is stopped \
            before the library is loaded; the process has no sandbox and no limits on time and \
            memory. With --in-process, the process that you started loads the library itself, so \
            that you can start it in a debugger or a profiler; a crash ends the command. With \
            --watch, the extension is built with make, and built and run again whenever a file in \
            the source folder changes; press Ctrl-C to stop.
            """,
        examples: """
            edithost extensions run Glow.editingextension --input fig.jpg -o out.png
            edithost extensions run Glow --input fig.jpg -o glow.png --set gain=1.5
            edithost extensions run Glow --input fig.jpg -o preview.png --size 640x640
            edithost extensions run Glow --input fig.jpg -o out.png --wait-for-debugger
            edithost extensions run Glow --input fig.jpg -o glow.png --watch
            edithost extensions run Glow --input fig.jpg -o out.png --in-process
            """)

    @Argument(
        help: ArgumentHelp(
            "A folder named Name.editingextension, or a folder that contains one.",
            valueName: "path"), completion: .directory)
    var path: String

    @Option(
        help: ArgumentHelp("The picture or video to edit.", valueName: "file"),
        completion: .file())
    var input: String

    @OptionGroup var values: ParameterOptions

    @OptionGroup var recipe: RecipeFileOption

    @OptionGroup var destination: OutputFileOption

    @Option(
        help: ArgumentHelp(
            "Render a preview that fits into this box (default: the finished edit).",
            valueName: "widthxheight"))
    var size: PixelSize?

    @Option(
        help: ArgumentHelp(
            "For a video: the time of the frame, such as 2.5s or 1:30 (default: the first "
                + "frame).", valueName: "time"))
    var time: VideoTime?

    @Flag(help: "Stop the extension's process until a debugger attaches. There is no sandbox.")
    var waitForDebugger = false

    @Flag(help: "Run the extension in this process. A crash ends the command.")
    var inProcess = false

    @Flag(help: "Build with make, and build and run again when a source changes.")
    var watch = false

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        guard [watch, waitForDebugger, inProcess].count(where: \.self) < 2 else {
            throw ValidationError(
                "Use only one of --watch, --wait-for-debugger and --in-process.")
        }
        try destination.file.validate(general)
        if watch, destination.file.isStandardOutput {
            throw ValidationError("--watch needs a file; give --output the path of one.")
        }
    }

    /// The option for debugging that was given, which excludes a sandbox.
    private var debuggingOption: String? {
        waitForDebugger ? "--wait-for-debugger" : inProcess ? "--in-process" : nil
    }

    func run() async throws {
        try destination.file.requireNoTerminal()
        guard inProcess else { return try await run(in: nil) }
        guard let parent = try RunnerParent.ofThisProcess() else { try RunnerParent.becomeRunner() }
        do {
            try await run(in: parent)
        } catch {
            // The debugger or the shell reports the end of the parent.
            if parent.isGone { throw CommandEnd(status: .failed) }
            throw error
        }
    }

    /// - Parameter parent: The process that runs the extension; nil means a runner.
    private func run(in parent: RunnerParent?) async throws {
        var trial = ExtensionTrial(of: path, on: input, to: destination.path)
        trial.values = values.texts
        trial.recipePath = recipe.path
        trial.size = size
        trial.time = time?.seconds
        trial.parent = parent
        trial.receiver = destination.format.map { ($0, { try StandardStream.output.print($0) }) }
        if waitForDebugger {
            trial.debuggerHandler = { process in
                general.output.message(
                    "process \(process) waits for a debugger; attach one and continue, or use "
                        + "kill -CONT \(process)")
            }
        }
        let wanted = trial
        let configuration = try general.configuration(unsandboxedBy: debuggingOption)
        let cancellation = EditCancellation()
        // An extension in a debugger may not answer.
        let interruption = Interruption(
            cancelling: debuggingOption == nil ? cancellation : nil)
        try await interruption.run {
            if watch {
                try await keepRunning { try await run(wanted, configuration, cancellation) }
            } else {
                try await run(wanted, configuration, cancellation)
            }
        }
    }

    private func run(
        _ trial: ExtensionTrial, _ configuration: HostConfiguration,
        _ cancellation: EditCancellation
    ) async throws {
        let result = try await trial.run(
            configuration, logger: general.logger, cancellation: cancellation
        ) { line in
            StandardStream.error.write(lines: line)
        }
        let file = destination.path
        for warning in result.warnings { general.output.message("\(file): \(warning)") }
        guard !destination.file.isStandardOutput else { return }
        let recipe = result.adjustmentData
        let text = String(data: recipe.data, encoding: .utf8)
        try general.output.print(
            [
                "extension": result.extensionIdentifier, "path": file,
                "pixelWidth": result.pixelSize.width, "pixelHeight": result.pixelSize.height,
                "values": result.parameters, "formatIdentifier": recipe.formatIdentifier,
                "formatVersion": recipe.formatVersion, "recipe": text,
                "recipeBytes": text == nil ? recipe.data.base64EncodedString() : nil,
                "warnings": result.warnings,
            ],
            "\(file)  \(result.pixelSize)")
    }

    /// Builds the extension and calls a closure whenever the sources have changed, until the task is cancelled.
    private func keepRunning(_ body: () async throws -> Void) async throws {
        let source = try SourceFolder(of: path, except: destination.path)
        general.output.message("watching \(source.path); press Ctrl-C to stop")
        var state: [String: SourceFolder.Stamp] = [:]
        while true {
            do {
                try await source.build(&state)
                try await body()
            } catch let end as CommandEnd {
                throw end
            } catch {
                try Task.checkCancellation()
                general.output.message(ExitStatus.words(for: error))
            }
            while source.state == state { try await Task.sleep(for: .milliseconds(200)) }
        }
    }
}
