// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import Synchronization
import Vips

/// The Swift object behind an `ee_controller` pointer.
final class ContractController {
    let controller: any ContentEditingController
    private var input: ContentEditingInput?
    private var parameterText: UnsafeMutableBufferPointer<CChar>?
    private let completion = HostCompletion()

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

    /// Returns the parameters as JSON, valid until the next call.
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
            completion.finishHasReturned()
        } catch {
            // A controller that throws must not complete.
            completion.end()
            throw error
        }
    }

    /// Cancels the edit. May be called on any thread.
    func cancel() {
        completion.cancel()
        controller.cancelContentEditing()
    }
}

/// Calls the host's completion at most once, and never after the edit has ended.
private final class HostCompletion: Sendable {
    /// `@unchecked Sendable` is safe: the contract allows `complete` on any thread.
    private struct Pending: @unchecked Sendable {
        let pointer: UnsafePointer<ee_completion>
        let input: ContentEditingInput?
    }

    private let pending = Mutex<Pending?>(nil)
    /// Whether a completion that arrives after a cancellation is still to be logged.
    private let isWarningPending = Mutex(false)
    private let hasReturned = Mutex(false)

    func begin(_ pointer: UnsafePointer<ee_completion>, input: ContentEditingInput?) {
        pending.withLock { $0 = Pending(pointer: pointer, input: input) }
    }

    func finishHasReturned() { hasReturned.withLock { $0 = true } }

    func end() { pending.withLock { $0 = nil } }

    /// Ends the completion. The first later call is logged.
    func cancel() {
        let wasPending = pending.withLock { pending in
            defer { pending = nil }
            return pending != nil
        }
        if wasPending { isWarningPending.withLock { $0 = true } }
    }

    private func logWarning() {
        let isFirst = isWarningPending.withLock { isWarningPending in
            defer { isWarningPending = false }
            return isWarningPending
        }
        guard isFirst else { return }
        // A call that `finishContentEditing` makes may cross a cancellation. Validation ignores it.
        let place = hasReturned.withLock { $0 } ? "" : "in finish "
        EditingExtension.log(
            "called its completion \(place)after cancel; its output was discarded")
    }

    // The lock is held during the host's callback, so the edit cannot end concurrently.
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
        if !wasPending { logWarning() }
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
