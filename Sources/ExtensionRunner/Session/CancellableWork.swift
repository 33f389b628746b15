// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import RunnerSupport
import Vips

/// The cancellable state of the work in flight. The worker sets it, and the receiver cancels it from the main thread.
final class CancellableWork: Sendable {
    private struct State: Sendable {
        var isBusy = false
        var cancellation = CancellationFlag()
        var controller: ControllerAccess?
        var completion: Completion?
        var image: Image?

        /// Replaces a set flag for the work that follows. Extensions keep the flag of their own edit.
        mutating func renewCancellation() {
            if cancellation.isSet { cancellation = CancellationFlag() }
        }
    }

    private let state = LockedValue(State())

    /// The failure reported for cancelled work.
    static let cancelled = RunnerFailure(code: .cancelled, message: "the edit was cancelled")

    /// The flag that a cancellation of the work in flight sets.
    var cancellation: CancellationFlag { state.access { $0.cancellation } }

    // MARK: - The worker's side

    /// Marks the start of a request. Without a session, an earlier cancellation does not affect it.
    func begin() {
        state.access { state in
            state.isBusy = true
            if state.controller == nil { state.renewCancellation() }
        }
    }

    /// Marks the end of a request.
    func end() { state.access { $0.isBusy = false } }

    /// Sets the controller of the open session; `nil` once the session has ended.
    func setController(_ controller: ControllerAccess?) {
        state.access { state in
            state.controller = controller
            state.renewCancellation()
        }
    }

    /// Sets the completion that the worker waits for; `nil` once the wait has ended.
    func setCompletion(_ completion: Completion?) {
        let isCancelled = state.access { state in
            state.completion = completion
            return state.cancellation.isSet
        }
        if isCancelled { completion?.cancel() }
    }

    /// - Throws: ``cancelled`` after a cancellation.
    func check() throws(RunnerFailure) {
        if state.access({ $0.cancellation.isSet }) { throw Self.cancelled }
    }

    /// Runs a body that pulls the pixels of an image. A cancellation stops the pull.
    ///
    /// - Throws: ``cancelled`` after a cancellation, otherwise the error of the body.
    func pulling<Result>(
        _ image: Image, _ body: (Image) throws -> Result
    ) throws -> Result {
        // The image is copied, because the kill mark that stops an image cannot be removed.
        let own = try image.copying { _ in }
        state.access { $0.image = own }
        defer { state.access { $0.image = nil } }
        try check()
        do {
            let result = try body(own)
            try check()
            return result
        } catch {
            try check()
            throw error
        }
    }

    // MARK: - The receiver's side

    /// Cancels all work. Returns false if no request is in flight and no edit is open.
    func cancel() -> Bool {
        let found: State? = state.access { state in
            guard state.isBusy || state.controller != nil else { return nil }
            state.cancellation.set()
            return state
        }
        guard let found else { return false }
        // The completion is closed before the extension is notified. Anything that it completes from now on is too
        // late.
        found.completion?.cancel()
        found.controller?.cancel()
        // Read again, because the image may have been replaced in the meantime.
        state.access { $0.image }?.setKilled(true)
        return true
    }

    /// Returns whether the controller of the session requests confirmation; `nil` if no session is open.
    func shouldConfirmCancel() -> Bool? {
        state.access { $0.controller }?.shouldConfirmCancel()
    }
}
