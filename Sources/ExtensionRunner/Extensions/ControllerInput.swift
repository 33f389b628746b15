// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import Glibc
import RunnerProtocol
import RunnerSupport
import Vips

/// The input of an edit, `ee_input` in the C contract, valid until the controller is destroyed.
///
/// `@unchecked Sendable` is safe: the extension may call on any thread, so all mutable data is in monitors, and
/// `structure` is constant after `init`.
final class ControllerInput: @unchecked Sendable {
    private struct State: Sendable {
        var failure: RunnerFailure?
        /// The names of output files in the folder, by content type.
        var renderedNames: [String: String] = [:]
        /// The C strings that were returned to the extension.
        var paths: [ContractPath] = []
    }

    private let structure: UnsafeMutablePointer<ee_input>
    private let texts: [UnsafeMutableBufferPointer<CChar>]
    private let recipe: ContractAdjustment?
    private let capture: ContractCapture
    private let images: InputImages
    private let folder: RunnerFolder?
    /// The progress and cancellation interface for long work.
    let work: EditWork
    /// The files that parameters may refer to.
    let files: EditFiles
    /// The file of the original; `nil` if the extension has no access to it.
    let original: OriginalFile?
    /// The video of the input; `nil` if it has none or the controller renders.
    private let video: InputVideoReader?
    /// Whether the controller renders a stored recipe, which must contain the results of all measurements.
    private let isRendering: Bool
    private let sources: [PixelSources]
    private let state = LockedValue(State())
    /// The path of the full-size file. The first thread writes it, and the others wait.
    private let fullSizeFile = LazyValue<String>()
    private let written = LockedValue([String]())

    /// - Parameters:
    ///   - facts: The facts about the asset.
    ///   - recipe: The recipe to continue.
    ///   - images: The images of the input state.
    ///   - scales: The sizes of the images, in pixels and relative to the photo.
    ///   - folder: The folder for files; `nil` if there is none.
    ///   - work: The progress and cancellation interface for long work.
    ///   - files: The files that parameters may refer to.
    ///   - sources: The sources of the extension's images.
    ///   - video: The video of the input; `nil` if it has none or the controller renders.
    ///   - isRendering: Whether the controller renders a recipe.
    init(
        facts: AssetFacts, recipe: AdjustmentData?, images: InputImages, scales: InputScales,
        folder: RunnerFolder?, work: EditWork, files: EditFiles, sources: [PixelSources],
        video: InputVideoReader? = nil, isRendering: Bool = true
    ) {
        self.isRendering = isRendering
        self.video = video
        self.files = files
        self.work = work
        self.sources = sources
        self.images = images
        self.folder = folder
        self.recipe = recipe.map { ContractAdjustment($0) }
        capture = ContractCapture(facts)
        original = facts.original
        let contentType = UnsafeMutableBufferPointer<CChar>.copy(facts.contentType)
        let rendered = UnsafeMutableBufferPointer<CChar>.copy(facts.renderedContentType)
        let date = facts.creationDate.map { UnsafeMutableBufferPointer<CChar>.copy($0) }
        texts = [contentType, rendered] + [date].compactMap(\.self)
        structure = .allocate(capacity: 1)
        structure.initialize(to: ee_input())
        structure.pointee.struct_size = UInt32(MemoryLayout<ee_input>.size)
        structure.pointee.media_type = Int32(facts.mediaType.rawValue)
        structure.pointee.media_subtypes = UInt64(facts.mediaSubtypes.rawValue)
        structure.pointee.content_type = UnsafePointer(contentType.baseAddress)
        structure.pointee.creation_date = UnsafePointer(date?.baseAddress)
        structure.pointee.has_location = facts.location != nil
        structure.pointee.latitude = facts.location?.latitude ?? 0
        structure.pointee.longitude = facts.location?.longitude ?? 0
        structure.pointee.full_width = UInt32(clamping: scales.fullSize.width)
        structure.pointee.full_height = UInt32(clamping: scales.fullSize.height)
        structure.pointee.full_size_orientation = 1
        structure.pointee.full_scale = scales.fullScale
        structure.pointee.display_scale = scales.displayScale
        structure.pointee.adjustment = self.recipe?.pointer
        structure.pointee.capture = capture.pointer
        structure.pointee.default_rendered_content_type = UnsafePointer(rendered.baseAddress)
        addFunctions()
    }

    deinit {
        let rendered = state.access { $0.renderedNames.values.map { $0 } }
        folder?.remove(written.access { $0 })
        if let folder { folder.remove(rendered.map(folder.path)) }
        texts.forEach { $0.deallocate() }
        structure.deallocate()
    }

    /// Whether the asset is a video.
    var isVideo: Bool { structure.pointee.media_type == Int32(MediaType.video.rawValue) }

    /// The structure passed to the extension.
    var pointer: UnsafePointer<ee_input> { UnsafePointer(structure) }

    /// The first failure of a request by the extension or of its input pixels.
    var failure: RunnerFailure? { pixelFailure ?? state.access { $0.failure } }

    /// The failure of input pixels that were read, even if the extension ignored it.
    var pixelFailure: RunnerFailure? {
        (sources + images.additionalSources).lazy.compactMap(\.failure).first
    }

    /// Opens the output file of a content type.
    ///
    /// - Throws: `Unusable` if it does not exist or no path was requested.
    func openRenderedFile(
        _ contentType: String
    ) throws(ControllerOutput.Unusable) -> RenderedFile {
        guard let folder, let name = state.access({ $0.renderedNames[contentType] }) else {
            throw ControllerOutput.Unusable(
                reason: "it announced a file of the type \(contentType) without asking for a path")
        }
        let path = folder.path(for: name)
        guard let file = RenderedFile(path: path, contentType: contentType) else {
            let own = written.access { $0 }
            let found = folder.files().filter { !own.contains(folder.path(for: $0)) }
            let others = found.prefix(3).joined(separator: ", ")
            throw ControllerOutput.Unusable(
                reason: "its output is missing: no file at \(path)"
                    + (found.isEmpty ? "" : "; found \(others)"))
        }
        return file
    }

    // MARK: - Calls from the extension

    private func addFunctions() {
        // The object is not retained, because the structure is freed with it.
        structure.pointee.host_data = Unmanaged.passUnretained(self).toOpaque()
        structure.pointee.display_image = { input, image, error in
            guard let image else { return ee_status(EE_FAILED) }
            return ControllerInput.answer(input, error) { input in
                image.pointee = try input.images.display().passRetained()
            }
        }
        structure.pointee.full_size_image = { input, access, image, error in
            guard let image else { return ee_status(EE_FAILED) }
            return ControllerInput.answer(input, error) { input in
                let isRandom = Int(access) == Int(EE_ACCESS_RANDOM)
                image.pointee = try input.images.fullSize(isRandom ? .random : .sequential)
                    .passRetained()
            }
        }
        structure.pointee.full_size_path = { input, path, error in
            guard let path else { return ee_status(EE_FAILED) }
            return ControllerInput.answer(input, error) { input in
                path.pointee = try input.fullSizePath()
            }
        }
        structure.pointee.rendered_content_path = { input, contentType, path, error in
            guard let path else { return ee_status(EE_FAILED) }
            return ControllerInput.answer(input, error) { input in
                path.pointee = try input.renderedPath(contentType)
            }
        }
    }

    /// Returns the object of a structure from the extension; `nil` for a null pointer.
    static func object(for input: UnsafePointer<ee_input>?) -> ControllerInput? {
        input?.pointee.host_data.map {
            Unmanaged<ControllerInput>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Runs the body of a callback and converts its error to a status and a message.
    static func answer(
        _ input: UnsafePointer<ee_input>?, _ error: UnsafeMutablePointer<ee_error>?,
        _ body: (ControllerInput) throws -> Void
    ) -> ee_status {
        guard let input = object(for: input) else { return ee_status(EE_FAILED) }
        do {
            try body(input)
            return ee_status(EE_OK)
        } catch let failure as RunnerFailure {
            error?.fill(failure.message)
            // An invalid request is an error of the extension, so it is not recorded.
            guard failure.code != .badRequest else { return ee_status(EE_UNSUPPORTED) }
            input.state.access { $0.failure = $0.failure ?? failure }
            return ee_status(failure.code == .cancelled ? EE_CANCELLED : EE_FAILED)
        } catch let other {
            error?.fill(abbreviated("\(other)"))
            return ee_status(EE_FAILED)
        }
    }

    private func fullSizePath() throws -> UnsafePointer<CChar>? {
        let path = try fullSizeFile.value {
            let folder = try requireFolder()
            let path = folder.path(for: folder.newName("input", "tif"))
            written.access { $0.append(path) }
            try images.writeLossless(to: path)
            return path
        }
        return pointer(to: path)
    }

    private func renderedPath(_ contentType: UnsafePointer<CChar>?) throws -> UnsafePointer<CChar>?
    {
        let type = String(bounded: contentType, limit: 64) ?? ""
        let extensions = ["image/jpeg": "jpg", "image/png": "png", "image/tiff": "tif"]
        guard let filenameExtension = extensions[type] else {
            throw RunnerFailure(
                code: .badRequest, message: "files of the type \(type) are not supported")
        }
        let folder = try requireFolder()
        let name = state.access { state in
            let name = state.renderedNames[type] ?? folder.newName("rendered", filenameExtension)
            state.renderedNames[type] = name
            return name
        }
        return pointer(to: folder.path(for: name))
    }

    /// Returns the folder for temporary files. The string is valid until `destroy`.
    func temporaryFolder() throws -> UnsafePointer<CChar>? { pointer(to: try requireFolder().path) }

    /// Returns the filename of the original. The string is valid until `destroy`.
    func originalFilename() throws -> UnsafePointer<CChar>? {
        pointer(to: try readableOriginal().filename)
    }

    /// Returns the file of the original.
    ///
    /// - Throws: `RunnerFailure` with `badRequest` if the extension has no access to it.
    func readableOriginal() throws(RunnerFailure) -> OriginalFile {
        if let original { return original }
        throw RunnerFailure(
            code: .badRequest,
            message: "originals can be read only by trusted extensions, and by those with "
                + "readsOriginal that the user has allowed")
    }

    /// Returns the video of the input.
    ///
    /// - Throws: `RunnerFailure` with `badRequest` if the controller cannot read one.
    func readableVideo() throws(RunnerFailure) -> InputVideoReader {
        if let video { return video }
        throw RunnerFailure(
            code: .badRequest,
            message: "the input has no video, or the controller renders, which can use only what "
                + "its recipe contains")
    }

    /// Returns the input with its longer side at most `longerSide` pixels, for measuring.
    ///
    /// - Throws: `RunnerFailure` with `badRequest` if the controller renders.
    func reducedImage(longerSide: Int) throws(RunnerFailure) -> Image {
        guard !isRendering else {
            throw RunnerFailure(
                code: .badRequest,
                message: "the controller renders, which can use only what its recipe contains")
        }
        return try images.reduced(longerSide: longerSide)
    }

    /// Returns a frame in a pixel layout that the extension accepts.
    func frame(_ frame: InputVideoReader.Frame) throws(RunnerFailure) -> ControllerFrame {
        ControllerFrame(
            image: try images.acceptable(frame.image), moment: frame.moment, scale: 1)
    }

    private func requireFolder() throws -> RunnerFolder {
        guard let folder else {
            throw RunnerFailure(
                code: .badRequest,
                message: "this runner has no folder for output files")
        }
        return folder
    }

    private func pointer(to path: String) -> UnsafePointer<CChar>? {
        let copy = ContractPath(path)
        state.access { $0.paths.append(copy) }
        return copy.pointer
    }
}

/// An immutable C string with a path.
private final class ContractPath: @unchecked Sendable {
    private let copy: UnsafeMutableBufferPointer<CChar>
    init(_ path: String) { copy = .copy(path) }
    deinit { copy.deallocate() }
    var pointer: UnsafePointer<CChar>? { UnsafePointer(copy.baseAddress) }
}
