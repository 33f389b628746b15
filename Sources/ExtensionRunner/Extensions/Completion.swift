// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import CSandbox
import EditingModel
import FileAccess
import Glibc
import RunnerProtocol
import RunnerSupport

/// Waits for the single call with which a controller completes its `finish`.
///
/// An extension may call too often or too late, even after its controller was destroyed. Therefore every completion
/// lives as long as the process. It is small and releases everything it was passed.
///
/// `@unchecked Sendable` is safe: the structure is initialised before it is shared and constant afterwards.
final class Completion: @unchecked Sendable {
    /// The outcome of a `finish`.
    enum Outcome: Sendable {
        case output(ControllerOutput)
        case discarded
        case failed(RunnerFailure)
        case cancelled
    }

    private enum State: Sendable {
        case waiting
        /// The output of a call is being copied.
        case taking
        case ended(Outcome)
        /// The outcome was returned. Holds the log message for further calls.
        case closed(String)
    }

    private static let late = "after cancel; its output was discarded"

    /// The structure passed to the extension. It lives as long as the process.
    let pointer: UnsafePointer<ee_completion>
    private let identifier: String
    private let connection: Connection
    private let state = LockedValue(State.waiting)
    /// Whether the extension's `finish` has returned.
    private let hasReturned = LockedValue(false)
    /// The input, which holds the paths of output files. Released when the wait ends.
    private let input: LockedValue<ControllerInput?>

    private let events: EventLoop?
    /// The event that ends the wait for an event loop.
    private let wake = LockedValue<OpenFile?>(nil)

    init(
        identifier: String, connection: Connection, input: ControllerInput?, events: EventLoop?
    ) {
        self.events = events
        self.input = LockedValue(input)
        self.identifier = identifier
        self.connection = connection
        let structure = UnsafeMutablePointer<ee_completion>.allocate(capacity: 1)
        pointer = UnsafePointer(structure)
        structure.initialize(to: ee_completion())
        structure.pointee.struct_size = UInt32(MemoryLayout<ee_completion>.size)
        structure.pointee.host_data = Unmanaged.passRetained(self).toOpaque()
        structure.pointee.complete = { completion, status, output, error in
            guard let data = completion?.pointee.host_data else { return }
            Unmanaged<Completion>.fromOpaque(data).takeUnretainedValue()
                .complete(status, output, error)
        }
    }

    // MARK: - The runner's side

    /// Waits for the call or for a cancellation, after `finish` has returned.
    func wait() -> Outcome {
        hasReturned.access { $0 = true }
        defer { input.access { $0 = nil } }
        if let events { serve(events) }
        return state.wait { state in
            guard case .ended(let outcome) = state else { return nil }
            if case .cancelled = outcome {
                state = .closed(Self.late)
            } else {
                state = .closed("a second time; ignored")
            }
            return outcome
        }
    }

    /// Serves an event loop until the wait is over or the loop fails.
    private func serve(_ events: EventLoop) {
        let number = csandbox_event()
        guard number >= 0 else { return }
        // Not a pipe: a late wake-up could find the reader closed, and a write into a pipe without a reader ends the
        // process.
        let event = OpenFile(descriptor: number)
        wake.access { $0 = event }
        while !hasEnded, events.serve(waitingFor: event.descriptor) {}
        wake.access { $0 = nil }
    }

    private var hasEnded: Bool {
        state.access { if case .ended = $0 { true } else { false } }
    }

    private func wakeUp() {
        guard let wake = wake.access({ $0 }) else { return }
        var one: UInt64 = 1
        _ = write(wake.descriptor, &one, MemoryLayout.size(ofValue: one))
    }

    /// Ends the wait after a cancellation.
    func cancel() {
        state.access { state in
            switch state {
            case .waiting, .taking, .ended: state = .ended(.cancelled)
            case .closed: break
            }
        }
        wakeUp()
    }

    /// Rejects all further calls, because `finish` has failed or nothing waits any more.
    func close(_ reason: String) {
        state.access { $0 = .closed(reason) }
        input.access { $0 = nil }
    }

    // MARK: - The extension's side

    private func complete(
        _ status: ee_status, _ output: UnsafePointer<ee_output>?,
        _ error: UnsafePointer<ee_error>?
    ) {
        guard begin() else { return }
        let outcome = outcome(status, output, error)
        let isLate = state.access { state in
            guard case .taking = state else { return true }
            state = .ended(outcome)
            return false
        }
        if isLate { logMisuse(lateCall) }
        wakeUp()
    }

    /// Whether this is the first call, the only valid one.
    private func begin() -> Bool {
        let misuse: String? = state.access { state in
            switch state {
            case .waiting:
                state = .taking
                return nil
            case .ended(.cancelled): return lateCall
            case .taking, .ended: return "a second time; ignored"
            case .closed(let reason): return reason
            }
        }
        if let misuse { logMisuse(misuse) }
        return misuse == nil
    }

    /// A call that `finish` makes may cross a cancellation. Validation ignores it.
    private var lateCall: String {
        hasReturned.access { $0 } ? Self.late : "in finish " + Self.late
    }

    private func logMisuse(_ misuse: String) {
        connection.log("\(identifier): called its completion \(misuse)")
    }

    private func outcome(
        _ status: ee_status, _ output: UnsafePointer<ee_output>?,
        _ error: UnsafePointer<ee_error>?
    ) -> Outcome {
        if status == EE_DISCARDED { return .discarded }
        guard status == EE_OK else {
            return .failed(RunnerFailure(status, error?.pointee, "finish", identifier))
        }
        do throws(ControllerOutput.Unusable) {
            guard let output else {
                throw ControllerOutput.Unusable(
                    reason: "finish gave no output; pass an ee_output to complete")
            }
            let copy = try ControllerOutput(output, input.access { $0 })
            guard let copy else { return .discarded }
            return .output(copy)
        } catch {
            return .failed(
                RunnerFailure(
                    code: .extensionFailed, message: error.reason, extensionIdentifier: identifier))
        }
    }
}
