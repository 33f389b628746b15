// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import RunnerSupport

/// The calls on a controller that are allowed on any thread, even while the worker is about to destroy it.
///
/// `@unchecked Sendable` is safe: the constants are accessed only in `use`, and `retire` waits for all calls in
/// flight before the controller is destroyed.
final class ControllerAccess: @unchecked Sendable {
    private let library: ExtensionLibrary
    private let calls: EditingCalls
    private let controller: OpaquePointer
    private let phases: PhaseReporter
    private let state = LockedValue((users: 0, isRetired: false, isCancelled: false))

    init(
        library: ExtensionLibrary, calls: EditingCalls, controller: OpaquePointer,
        phases: PhaseReporter
    ) {
        self.library = library
        self.calls = calls
        self.controller = controller
        self.phases = phases
    }

    /// Cancels the work of the controller. Idempotent.
    func cancel() {
        let isFirst = state.access { state in
            defer { state.isCancelled = true }
            return !state.isCancelled
        }
        if isFirst { use("cancel") { calls.cancel(controller) } }
    }

    /// Returns whether a cancellation needs confirmation; `nil` after the controller has been retired.
    func shouldConfirmCancel() -> Bool? {
        use("should_show_cancel_confirmation") {
            calls.shouldShowCancelConfirmation(controller)
        }
    }

    /// Waits for calls in flight and rejects further ones.
    func retire() {
        state.access { $0.isRetired = true }
        state.wait { $0.users == 0 ? () : nil }
    }

    // Calls the extension without holding a lock.
    @discardableResult
    private func use<Result>(_ call: String, _ body: () -> Result) -> Result? {
        let isActive = state.access { state in
            if !state.isRetired { state.users += 1 }
            return !state.isRetired
        }
        guard isActive else { return nil }
        defer { state.access { $0.users -= 1 } }
        let phase = RunnerPhase.calling(extensionIdentifier: library.identifier, call: call)
        return phases.interrupting(with: phase, body)
    }
}
