// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import FoundationEssentials
import RunnerProtocol
import Vips

/// An extension's controller: its calls, in Swift. Used by one thread at a time; what other
/// threads may do is ``access``.
final class Controller {
    /// The extension.
    let library: ExtensionLibrary
    /// The calls that may come from anywhere.
    let access: ControllerAccess
    private let calls: EditingCalls
    private let controller: OpaquePointer
    private let runtime: Runtime
    /// Kept until the controller is destroyed, as the contract promises.
    private var input: ControllerInput?
    private var isDestroyed = false
    /// Whether `finish` has begun and its completion has not come, nor will.
    private var isAbandoned = false

    /// Creates a controller.
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

    /// Frees the controller. No pixel may be pulled any more that comes from it.
    func destroy() {
        guard !isDestroyed else { return }
        isDestroyed = true
        // Those of steps below are not what a cancel of the session reaches.
        if isAbandoned { access.cancel() }
        access.retire()
        runtime.phases.during(phase("destroy")) {
            library.events?.serve()
            calls.destroy(controller)
        }
        input = nil
    }

    /// Whether the controller can continue a recipe; a failure counts as no.
    func canHandle(_ recipe: AdjustmentData) -> Bool {
        var answer = false
        let adjustment = ForeignAdjustment(recipe)
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

    /// Starts the edit.
    func start(_ input: ControllerInput, placeholder: Image) throws(RunnerFailure) {
        self.input = input
        try call("start") { calls.start(controller, input.pointer, placeholder, $0) }
    }

    /// The values of all parameters, JSON.
    func parameters() throws(RunnerFailure) -> Data {
        var json: UnsafePointer<CChar>?
        try call("get_parameters") { calls.getParameters(controller, &json, $0) }
        // In a message it takes up to three quarters more.
        let limit = MessageBody.maximumText / 2
        guard let text = String(bounded: json, limit: limit), text.utf8.count < limit else {
            throw failure("get_parameters returned no text, or more than 1 MiB")
        }
        return Data(text.utf8)
    }

    /// Changes parameters.
    func setParameters(_ json: Data) throws(RunnerFailure) {
        // The end mark is not counted: for extensions that overlook the size.
        let text = json.map { CChar(bitPattern: $0) } + [0]
        try call("set_parameters") {
            calls.setParameters(controller, text, json.count, $0)
        }
    }

    /// The edit as it stands.
    func renderPreview(_ preview: ControllerPreview) throws(RunnerFailure) -> Image {
        var image: Image?
        defer { withExtendedLifetime(preview) {} }
        try call("render_preview") { error in
            let (status, rendered) = calls.renderPreview(controller, preview.pointer, error)
            image = rendered
            return status
        }
        guard let image else { throw failure("render_preview returned no image") }
        return image
    }

    /// The edit as it stands, applied to a frame of a video.
    func processFrame(
        _ frame: ControllerFrame, with frames: FrameCalls
    ) throws(RunnerFailure) -> Image {
        var image: Image?
        try call("process_frame") { error in
            let (status, given) = frame.withC { frames.processFrame(controller, $0, error) }
            image = given
            return status
        }
        guard let image else { throw failure("process_frame returned no image") }
        return image
    }

    /// Tells it that the frames are those of a Live Photo's video.
    ///
    /// - Parameter first: the first of them.
    func beginVideo(
        of livePhoto: LivePhotoVideo, from first: FrameMoment, with calls: LivePhotoCalls
    ) throws(RunnerFailure) {
        try call("begin_video") { calls.beginVideo(controller, livePhoto, first, $0) }
    }

    /// Gives it the next frame of a video; nil: there are no more.
    func putFrame(_ frame: ControllerFrame?, with video: VideoCalls) throws(RunnerFailure) {
        try call("put_frame") { error in
            guard let frame else { return video.putFrame(controller, nil, error) }
            return frame.withC { video.putFrame(controller, $0, error) }
        }
    }

    /// The next frame that it has made; nil: there is none until it gets another.
    func takeFrame(with video: VideoCalls) throws(RunnerFailure) -> MadeFrame? {
        var made: MadeFrame?
        try call("take_frame") { error in
            let (status, frame) = video.takeFrame(controller, error)
            made = frame
            return status
        }
        return made
    }

    /// Finishes the edit; nil: there is nothing to commit.
    func finish() throws(RunnerFailure) -> ControllerOutput? {
        let completion = Completion(
            identifier: library.identifier, connection: runtime.connection, input: input,
            events: library.events)
        runtime.activity.waits(for: completion)
        defer { runtime.activity.waits(for: nil) }
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
        try runtime.activity.check()
        if let failure = input?.pixelFailure { throw failure }
        switch outcome {
        case .output(let output): return output
        case .discarded: return nil
        case .failed(let failure): throw input?.failure ?? failure
        case .cancelled: throw Activity.cancelled
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
        try runtime.activity.check()
        if status == EE_OK {
            if let failure = input?.pixelFailure { throw failure }
            return
        }
        // Where the input could not be read the extension is not to blame.
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
