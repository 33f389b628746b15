// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The observers of a library, and the thread that watches for them as long as there are any.
final class Observation: Sendable {
    private struct State {
        var observers: [ObjectIdentifier: RegisteredObserver] = [:]
        var watch: ChangeWatch?
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Adds an observer, and begins to watch if it is the first.
    func add(_ observer: any ChangeObserver, of library: PhotoLibrary) throws {
        let number = try library.read(ChangeTransaction.lastNumber)
        state.withLock { state in
            let key = ObjectIdentifier(observer)
            // One that is registered already stays on its queue, so that it is told once, in order.
            if state.isStopped || state.observers[key]?.isAlive == true { return }
            state.observers[key] = RegisteredObserver(observer, after: number)
            guard state.watch == nil else { return }
            let watch = ChangeWatch(library, after: number) { [weak self] change in
                self?.tell(change)
            }
            state.watch = watch
            watch.start()
        }
    }

    /// Removes an observer; waits until it is not being told of anything.
    func remove(_ observer: any ChangeObserver) {
        let removed = state.withLock { state in
            let removed = state.observers.removeValue(forKey: ObjectIdentifier(observer))
            stopIfUseless(&state)
            return removed
        }
        removed?.end()
    }

    /// Ends everything.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.observers = [:]
            stopIfUseless(&state)
        }
    }

    private func stopIfUseless(_ state: inout State) {
        guard state.observers.isEmpty else { return }
        state.watch?.stop()
        state.watch = nil
    }

    /// Tells everybody who is still there.
    private func tell(_ change: Change) {
        let registered = state.withLock { state in
            state.observers = state.observers.filter { $0.value.isAlive }
            stopIfUseless(&state)
            return Array(state.observers.values)
        }
        for observer in registered { observer.tell(change) }
    }
}

/// An observer, which is not kept alive, and the queue on which it is told.
private final class RegisteredObserver: Sendable {
    private struct WeakReference {
        weak let observer: (any ChangeObserver)?
    }

    private let reference: WeakReference
    /// The number of the last change that it was told of, or that it knows.
    private let last: Mutex<Int64>
    private let queue = DispatchQueue(label: "photo library changes")
    private let isEnded = Mutex(false)
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    init(_ observer: any ChangeObserver, after number: Int64) {
        reference = WeakReference(observer: observer)
        last = Mutex(number)
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    var isAlive: Bool { reference.observer != nil }

    /// Tells of a change, unless it was there when the observer was registered, or was told by
    /// a watch that had not ended yet when the next one began.
    func tell(_ change: Change) {
        let isNew = last.withLock { last in
            guard change.token.number > last else { return false }
            last = change.token.number
            return true
        }
        guard isNew else { return }
        queue.async { [self] in
            guard !isEnded.withLock({ $0 }) else { return }
            reference.observer?.photoLibraryDidChange(change)
        }
    }

    /// Returns when the observer is not being told of anything.
    func end() {
        isEnded.withLock { $0 = true }
        guard DispatchQueue.getSpecific(key: Self.key) != ObjectIdentifier(self) else { return }
        queue.sync {}
    }
}
