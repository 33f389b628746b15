// SPDX-License-Identifier: Apache-2.0

import RunnerSupport

/// A value that the first thread that asks makes, while the others wait for it. No lock is held
/// meanwhile, so code of extensions may run in the making.
final class Once<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case nothing
        case making
        case made(Value)
    }

    private let state = Monitor(State.nothing)

    /// The value; a making that failed is tried again by the next who asks.
    func value<Failure>(_ make: () throws(Failure) -> Value) throws(Failure) -> Value {
        // The outer optional is `wait`'s: nil waits on.
        let known: Value? = state.wait { state -> Value?? in
            switch state {
            case .made(let value): return .some(value)
            case .making: return nil
            case .nothing:
                state = .making
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
