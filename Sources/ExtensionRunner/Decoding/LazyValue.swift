// SPDX-License-Identifier: Apache-2.0

import RunnerSupport

/// A lazily computed value. The first thread computes it, and the others wait. No lock is held during the computation,
/// so it may run code of extensions.
final class LazyValue<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case nothing
        case computing
        case made(Value)
    }

    private let state = LockedValue(State.nothing)

    /// Returns the value. A failed computation is retried by the next caller.
    func value<Failure>(_ make: () throws(Failure) -> Value) throws(Failure) -> Value {
        // The outer optional belongs to `wait`, for which `nil` means to keep waiting.
        let known: Value? = state.wait { state -> Value?? in
            switch state {
            case .made(let value): return .some(value)
            case .computing: return nil
            case .nothing:
                state = .computing
                return .some(nil)
            }
        }
        if let known { return known }
        do {
            let value = try make()
            state.access { $0 = .made(value) }
            return value
        } catch {
            state.access { $0 = .nothing }
            throw error
        }
    }
}
