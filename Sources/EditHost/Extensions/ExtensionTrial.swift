// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import Logging
import RunnerHost
import RunnerProtocol

/// Runs an extension over a file, without a library. For authors of extensions.
///
/// The extension need not be installed. It runs as untrusted, even if the user trusts it. Its failures do not count
/// towards quarantine, and it is not tested for reproducibility.
public struct ExtensionTrial: Sendable {
    /// The path of a folder `Name.editingextension`, or of a folder that contains exactly one.
    public var extensionPath: String
    /// The path of a picture or video.
    public var inputPath: String
    /// The path of the picture to write. Its extension determines the format. An existing file is replaced.
    public var outputPath: String
    /// The values of parameters, as text.
    public var values: [String: String] = [:]
    /// The path of a file to start from: a JSON object of parameter values, or a recipe.
    public var recipePath: String?
    /// The box that a preview is fitted into. If nil, the finished edit is rendered at full size.
    public var size: PixelSize?
    /// The time of a video's frame, in seconds from the first; nil means the first frame.
    public var time: Double?
    /// Called with the process identifier of the extension's runner, which has been stopped with SIGSTOP before it
    /// loads the library. A debugger can attach to it. If this is not nil, there is no sandbox and no limit on time or
    /// memory.
    public var debuggerHandler: (@Sendable (_ processIdentifier: Int32) -> Void)?
    /// The parent of this process, if it becomes the extension's runner. There is no sandbox and no limit on time or
    /// memory.
    package var parent: RunnerParent?

    /// The format of the picture and the function that receives it, if it is not written to a file.
    package var receiver: (format: MediaFormat, receive: @Sendable (Data) throws -> Void)?

    /// Whether the extension's runner is for debugging: without a sandbox and limits, and with the library loaded from
    /// its own file.
    private var isForDebugging: Bool { debuggerHandler != nil || parent != nil }

    /// Creates a trial.
    public init(of extensionPath: String, on inputPath: String, to outputPath: String) {
        self.extensionPath = extensionPath
        self.inputPath = inputPath
        self.outputPath = outputPath
    }

    /// Runs the extension and writes the picture.
    ///
    /// If the input is a video, one of its frames is edited. An extension that edits videos gets it as a frame of a
    /// video, and the output is its preview. Any other extension gets it as a photo.
    ///
    /// - Parameters:
    ///   - configuration: The runners, limits and sandbox. Its extensions and the user's settings for them are ignored.
    ///   - cancellation: Cancels the edit from another task.
    ///   - outputHandler: Receives each line that the extension logs or prints. The text is untrusted. Called on a
    ///     background thread.
    /// - Throws: `HostError`. In that case, no file has been written.
    public func run(
        _ configuration: HostConfiguration, logger: Logger = Logger(label: "edithost"),
        cancellation: EditCancellation = EditCancellation(),
        outputHandler: @escaping @Sendable (String) -> Void
    ) async throws -> ExtensionTrialResult {
        let settings = try outputSettings()
        var own = configuration
        own.extensionFolders = []
        own.shippedTrustFile = nil
        own.configurationFolder = nil
        own.outputHandler = outputHandler
        if isForDebugging {
            own.debuggerHandler = debuggerHandler
            own.parent = parent
            own.sandbox = .off
            own.timeouts = .none
        }
        let host = ExtensionHost(own, logger: logger)
        let result = await Result.capturing {
            try await run(settings, in: host, cancellation)
        }
        await host.shutDown()
        return try result.get()
    }

    private func outputSettings() throws -> EncodeSettings {
        let format = try receiver?.format ?? MediaFormat(ofOutput: outputPath)
        if receiver == nil { try requireReplaceableOutput() }
        var settings = try EncodeSettings(preview: format, size: nil)
        // An upper bound: 8-bit pixels stay 8-bit.
        settings.bitsPerSample = 16
        return settings
    }

    /// Checks the output path before any work.
    private func requireReplaceableOutput() throws {
        try PhotoLibrary.requireOutsideLibraries(outputPath)
        // The output can be a link to the input, or both the same link.
        if let input = Self.status(of: inputPath), let output = Self.status(of: outputPath),
            input.isSameFile(as: output)
        {
            throw HostError(.badRequest, "\(outputPath) is the input; choose another output file")
        }
        try NewFile.requireReplaceable(outputPath)
    }

    /// Returns the status of a file. Follows symbolic links.
    private static func status(of path: String) -> stat? {
        var status = stat()
        return path.withPath { stat($0, &status) } == 0 ? status : nil
    }

    private func run(
        _ settings: EncodeSettings, in host: ExtensionHost, _ cancellation: EditCancellation
    ) async throws -> ExtensionTrialResult {
        // One runner decodes and encodes, another runs the extension.
        await host.pool.warmUp(parent == nil ? 2 : 1)
        let folder = try Self.extensionFolder(in: extensionPath)
        var binary = try host.binary(inFolder: folder, from: extensionPath)
        if isForDebugging { binary.debuggedPath = "\(folder)/\(binary.manifest.library)" }
        let recipe = try await recipePath.map {
            try StartingRecipe(ofFile: $0, of: binary.manifest)
        }?.resolvingForeignNames(of: binary, host)
        let texts = try binary.manifest.values(fromTexts: values)
        let input = try await TrialInput(
            inputPath, for: binary.manifest, at: time, by: host.pool)
        let edit = TrialEdit(
            host: host, binary: binary, input: input, size: size,
            recipe: recipe?.hasData == true ? recipe : nil,
            values: (recipe?.values ?? [:]).merging(texts) { _, text in text },
            cancellation: cancellation)
        let edited = try await edit.run()
        let picture = try await edit.encoded(edited.picture, settings)
        try cancellation.check()
        if let receiver {
            try receiver.receive(picture.bytes.read(count: picture.byteCount))
        } else {
            try NewFile.replace(outputPath, with: picture.bytes)
        }
        return ExtensionTrialResult(
            extensionIdentifier: binary.manifest.identifier, parameters: edited.parameters,
            adjustmentData: edited.adjustmentData, pixelSize: picture.size,
            warnings: picture.omissions)
    }

    /// Returns the folder of the extension that a path refers to.
    ///
    /// - Throws: `HostError` with `noSuchFile`, `unusableExtension`, or `badRequest` if there are several, or if the
    ///   path is not that of a folder.
    package static func extensionFolder(in path: String) throws -> String {
        let source = URL(fileURLWithPath: path).standardizedFileURL.path
        if let kind = status(of: source).map({ FileKind($0) }), kind != .folder {
            throw HostError(
                .badRequest,
                "\(path) is \(kind.rawValue); give the folder of an extension, such as "
                    + "Sepia.editingextension")
        }
        _ = try ExtensionFolder(source)
        if source.hasSuffix(ending) { return source }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: source)) ?? []
        let found = names.filter { $0.hasSuffix(ending) }.sorted()
        guard found.count < 2 else {
            throw HostError(
                .badRequest,
                "\(path) contains several extensions; use one of "
                    + found.joined(separator: ", "))
        }
        guard let name = found.first else {
            throw HostError(
                .unusableExtension,
                "\(path) contains no extension; build one there, or give a folder with a name like "
                    + "Sepia.editingextension")
        }
        return "\(source)/\(name)"
    }

    private static let ending = ".editingextension"
}
