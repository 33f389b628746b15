// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import Synchronization
import Vips

/// A controller on its way through C: what `ee_controller` points to.
final class ControllerBox {
    let controller: any ContentEditingController
    private var input: ContentEditingInput?
    private var parameterText: UnsafeMutableBufferPointer<CChar>?
    private let completion = Completion()

    init(_ controller: any ContentEditingController) { self.controller = controller }

    deinit {
        completion.end()
        input?.end()
        parameterText?.deallocate()
    }

    func start(_ pointer: UnsafePointer<ee_input>, placeholder: Image) throws {
        let input = try ContentEditingInput(pointer)
        self.input = input
        try controller.startContentEditing(with: input, placeholderImage: placeholder)
    }

    /// The parameters as JSON, valid until the next call.
    func parameters() throws -> UnsafePointer<CChar>? {
        let json = try JSON.encode(controller.parameters())
        let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: json.count + 1)
        text.initialize(repeating: 0)
        json.withUnsafeBytes { UnsafeMutableRawBufferPointer(text).copyBytes(from: $0) }
        parameterText?.deallocate()
        parameterText = text
        return UnsafePointer(text.baseAddress)
    }

    func finish(_ pointer: UnsafePointer<ee_completion>) throws {
        let completion = completion
        completion.begin(pointer, input: input)
        do {
            let handler: ContentEditingController.CompletionHandler = { completion.complete($0) }
            try controller.finishContentEditing(completionHandler: handler)
        } catch {
            // Whoever throws must not complete.
            completion.end()
            throw error
        }
    }

    /// Any thread.
    func cancel() {
        completion.cancel()
        controller.cancelContentEditing()
    }
}

/// Sees to it that the host's completion is called at most once and never after its end.
private final class Completion: Sendable {
    /// `@unchecked Sendable` is safe: the contract allows `complete` on any thread.
    private struct Pending: @unchecked Sendable {
        let pointer: UnsafePointer<ee_completion>
        let input: ContentEditingInput?
    }

    private let pending = Mutex<Pending?>(nil)
    /// Whether a call after a cancel is still to be told of.
    private let complains = Mutex(false)

    func begin(_ pointer: UnsafePointer<ee_completion>, input: ContentEditingInput?) {
        pending.withLock { $0 = Pending(pointer: pointer, input: input) }
    }

    func end() { pending.withLock { $0 = nil } }

    /// Ends it; the first call that comes all the same is logged.
    func cancel() {
        let wasPending = pending.withLock { pending in
            defer { pending = nil }
            return pending != nil
        }
        if wasPending { complains.withLock { $0 = true } }
    }

    private func complain() {
        let isFirst = complains.withLock { complains in
            defer { complains = false }
            return complains
        }
        if isFirst {
            EditingExtension.log("called its completion after cancel; its output was discarded")
        }
    }

    // The lock is held while the host is told, so that no edit ends in between.
    func complete(_ result: Result<ContentEditingOutput?, any Error>) {
        let wasPending = pending.withLock { pending in
            guard let (pointer, input) = pending.map({ ($0.pointer, $0.input) }) else {
                return false
            }
            pending = nil
            do {
                try Self.succeed(pointer, with: result.get(), input: input)
            } catch {
                var message = ee_error()
                let status = EditingExtensionError(error).write(to: &message)
                pointer.pointee.complete(pointer, status, nil, &message)
            }
            return true
        }
        if !wasPending { complain() }
    }

    private static func succeed(
        _ pointer: UnsafePointer<ee_completion>, with output: ContentEditingOutput?,
        input: ContentEditingInput?
    ) throws {
        guard let output else {
            throw EditingExtensionError(code: .failed, message: "it gave no output")
        }
        guard !output.isEmpty else { throw EditingExtensionError.discarded }
        guard output.contentEditingInput === input else {
            throw EditingExtensionError(
                code: .failed, message: "the output was not made from the input of this edit")
        }
        try output.withC { output in
            withUnsafePointer(to: output) {
                pointer.pointee.complete(pointer, ee_status(EE_OK), $0, nil)
            }
        }
    }
}
