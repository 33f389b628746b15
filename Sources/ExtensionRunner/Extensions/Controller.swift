// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import FoundationEssentials
import RunnerProtocol
import Vips

/// A Swift interface to the controller of an extension. Not thread-safe, except for ``access``.
final class Controller {
    /// The extension of the controller.
    let library: ExtensionLibrary
    /// The calls that are allowed on any thread.
    let access: ControllerAccess
    private let calls: EditingCalls
    private let controller: OpaquePointer
    private let runtime: Runtime
    /// The input, which the contract keeps valid until the controller is destroyed.
    private var input: ControllerInput?
    private var isDestroyed = false
    /// Whether `finish` was called and will not be completed.
    private var isAbandoned = false

    /// Creates a controller.
    ///
    /// - Throws: `badExtension` without the capability, otherwise the failure of the extension.
    init(_ library: ExtensionLibrary, _ runtime: Runtime) throws(RunnerFailure) {
        self.library = library
        self.runtime = runtime
        let calls = try library.photoEditingCalls()
        self.calls = calls
        var created: OpaquePointer?
        var error = ee_error()
        let phase = RunnerPhase.calling(
            extensionIdentifier: library.identifier, call: "create")
        let status = runtime.phases.during(phase) {
            calls.create(library.host.pointer, &created, &error)
        }
        guard status == EE_OK else {
            throw RunnerFailure(status, error, "create", library.identifier)
        }
        guard let created else {
            throw RunnerFailure(
                code: .extensionFailed, message: "create returned no controller",
                extensionIdentifier: library.identifier)
        }
        controller = created
        access = ControllerAccess(
            library: library, calls: calls, controller: created, phases: runtime.phases)
    }

    /// Frees the controller. Its images must not be read afterwards. Idempotent.
    func destroy() {
        guard !isDestroyed else { return }
        isDestroyed = true
        // Cancels controllers of steps below, which a cancellation of the session does not reach.
        if isAbandoned { access.cancel() }
        access.retire()
        runtime.phases.during(phase("destroy")) {
            library.events?.serve()
            calls.destroy(controller)
        }
        input = nil
    }

    /// Returns whether the controller can continue from a recipe. A failure is logged and counts as no.
    func canHandle(_ recipe: AdjustmentData) -> Bool {
        var answer = false
        let adjustment = ContractAdjustment(recipe)
        defer { withExtendedLifetime(adjustment) {} }
        do {
            try call("can_handle") {
                calls.canHandle(controller, adjustment.pointer, &answer, $0)
            }
            return answer
        } catch {
            runtime.connection.log(
                "\(library.identifier): can_handle failed, so the edit is not continued: "
                    + "\(error.message)")
            return false
        }
    }

    /// Starts the edit with its input and the current version at display size.
    func start(_ input: ControllerInput, placeholder: Image) throws(RunnerFailure) {
        self.input = input
        try call("start") { calls.start(controller, input.pointer, placeholder, $0) }
    }

    /// Returns the values of all parameters as JSON.
    func parameters() throws(RunnerFailure) -> Data {
        var json: UnsafePointer<CChar>?
        try call("get_parameters") { calls.getParameters(controller, &json, $0) }
        // The message to the host is up to three quarters longer than the text.
        let limit = MessageBody.maximumText / 2
        guard let text = String(bounded: json, limit: limit) else {
            throw failure("get_parameters returned no text; set *json")
        }
        guard text.utf8.count < limit else {
            throw failure("get_parameters returned more than 1 MiB")
        }
        return Data(text.utf8)
    }

    /// Changes parameters from JSON.
    func setParameters(_ json: Data) throws(RunnerFailure) {
        // The text is terminated with NUL for extensions that ignore the size. The terminator is not counted.
        let text = json.map { CChar(bitPattern: $0) } + [0]
        try call("set_parameters") {
            calls.setParameters(controller, text, json.count, $0)
        }
    }

    /// Renders a preview of the edit in its current state.
    func renderPreview(_ preview: ControllerPreview) throws(RunnerFailure) -> Image {
        var image: Image?
        defer { withExtendedLifetime(preview) {} }
        try call("render_preview") { error in
            let (status, rendered) = calls.renderPreview(controller, preview.pointer, error)
            image = rendered
            return status
        }
        guard let image else { throw failure("render_preview returned no image; set *image") }
        return image
    }

    /// Applies the edit in its current state to a video frame.
    func processFrame(
        _ frame: ControllerFrame, with frames: FrameCalls
    ) throws(RunnerFailure) -> Image {
        var image: Image?
        try call("process_frame") { error in
            let (status, processed) = frame.withC { frames.processFrame(controller, $0, error) }
            image = processed
            return status
        }
        guard let image else { throw failure("process_frame returned no image; set *image") }
        return image
    }

    /// Announces that the frames belong to the video of a Live Photo.
    ///
    /// - Parameter first: The first of the frames.
    func beginVideo(
        of livePhoto: LivePhotoVideo, from first: FrameIdentity, with calls: LivePhotoCalls
    ) throws(RunnerFailure) {
        try call("begin_video") { calls.beginVideo(controller, livePhoto, first, $0) }
    }

    /// Passes the next video frame to the controller; `nil` after the last one.
    func putFrame(_ frame: ControllerFrame?, with video: VideoCalls) throws(RunnerFailure) {
        try call("put_frame") { error in
            guard let frame else { return video.putFrame(controller, nil, error) }
            return frame.withC { video.putFrame(controller, $0, error) }
        }
    }

    /// Returns the next generated frame; `nil` if the controller needs another input frame first.
    func takeFrame(with video: VideoCalls) throws(RunnerFailure) -> GeneratedFrame? {
        var made: GeneratedFrame?
        try call("take_frame") { error in
            let (status, frame) = video.takeFrame(controller, error)
            made = frame
            return status
        }
        return made
    }

    /// Finishes the edit. Returns `nil` if there is nothing to commit.
    func finish() throws(RunnerFailure) -> ControllerOutput? {
        let completion = Completion(
            identifier: library.identifier, connection: runtime.connection, input: input,
            events: library.events)
        runtime.work.setCompletion(completion)
        defer { runtime.work.setCompletion(nil) }
        do {
            try call("finish") { error in
                let status = calls.finish(controller, completion.pointer, error)
                isAbandoned = status == EE_OK
                return status
            }
        } catch {
            completion.close("although finish had failed; ignored")
            throw error
        }
        let waiting = RunnerPhase.awaitingCompletion(extensionIdentifier: library.identifier)
        let outcome = runtime.phases.during(waiting) { completion.wait() }
        if case .cancelled = outcome {} else { isAbandoned = false }
        try runtime.work.check()
        if let failure = input?.pixelFailure { throw failure }
        switch outcome {
        case .output(let output): return output
        case .discarded: return nil
        case .failed(let failure): throw input?.failure ?? failure
        case .cancelled: throw CancellableWork.cancelled
        }
    }

    // MARK: - Calling

    private func call(
        _ name: String, _ body: (UnsafeMutablePointer<ee_error>) -> ee_status
    ) throws(RunnerFailure) {
        var error = ee_error()
        let status = runtime.phases.during(phase(name)) {
            library.events?.serve()
            return body(&error)
        }
        try runtime.work.check()
        if status == EE_OK {
            if let failure = input?.pixelFailure { throw failure }
            return
        }
        // A failure to read the input takes precedence, because the extension did not cause it.
        throw input?.failure ?? RunnerFailure(status, error, name, library.identifier)
    }

    private func phase(_ call: String) -> RunnerPhase {
        .calling(extensionIdentifier: library.identifier, call: call)
    }

    private func failure(_ message: String) -> RunnerFailure {
        RunnerFailure(
            code: .extensionFailed, message: message, extensionIdentifier: library.identifier)
    }
}
