// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import RunnerSupport
import Vips

/// What is being done, as far as a cancel can stop it. The worker says what it does, the reader
/// stops it.
final class Activity: Sendable {
    private struct State: Sendable {
        var isBusy = false
        var cancellation = CancellationFlag()
        var controller: ControllerAccess?
        var completion: Completion?
        var image: Image?

        /// What comes now was not cancelled. Extensions keep the flag of their own edit.
        mutating func renewCancellation() {
            if cancellation.isSet { cancellation = CancellationFlag() }
        }
    }

    private let state = Monitor(State())

    /// The failure of what was cancelled.
    static let cancelled = RunnerFailure(code: .cancelled, message: "the edit was cancelled")

    /// What a cancel of what is under way sets.
    var cancellation: CancellationFlag { state.access { $0.cancellation } }

    // MARK: - The worker's side

    /// A request begins. Without a session, what was cancelled before does not concern it.
    func begin() {
        state.access { state in
            state.isBusy = true
            if state.controller == nil { state.renewCancellation() }
        }
    }

    /// A request has been carried out.
    func end() { state.access { $0.isBusy = false } }

    /// A session's controller comes or goes.
    func controls(_ controller: ControllerAccess?) {
        state.access { state in
            state.controller = controller
            state.renewCancellation()
        }
    }

    /// A completion is waited for, or no longer.
    func waits(for completion: Completion?) {
        let isCancelled = state.access { state in
            state.completion = completion
            return state.cancellation.isSet
        }
        if isCancelled { completion?.cancel() }
    }

    /// - Throws: ``cancelled`` after a cancel.
    func check() throws(RunnerFailure) {
        if state.access({ $0.cancellation.isSet }) { throw Self.cancelled }
    }

    /// Runs a body that pulls the pixels of an image; a cancel stops it.
    ///
    /// - Throws: ``cancelled`` where it was, else what the body throws.
    func pulling<Result>(
        _ image: Image, _ body: (Image) throws -> Result
    ) throws -> Result {
        // An image of our own: the mark that stops it stays on it.
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

    // MARK: - The reader's side

    /// Stops everything; false where nothing is under way and no edit is open.
    func cancel() -> Bool {
        let found: State? = state.access { state in
            guard state.isBusy || state.controller != nil else { return nil }
            state.cancellation.set()
            return state
        }
        guard let found else { return false }
        // Closed before the extension hears of it: what it completes from now on is too late.
        found.completion?.cancel()
        found.controller?.cancel()
        // The image may be another one by now.
        state.access { $0.image }?.setKilled(true)
        return true
    }

    /// Asks the session's controller; nil where there is none.
    func shouldConfirmCancel() -> Bool? {
        state.access { $0.controller }?.shouldConfirmCancel()
    }
}
