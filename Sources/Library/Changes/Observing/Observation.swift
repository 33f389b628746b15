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
        let isStopped = state.withLock { state in
            let key = ObjectIdentifier(observer)
            // One that is registered already stays on its queue, so that it is told once, in order.
            if state.isStopped || state.observers[key]?.isAlive == true { return state.isStopped }
            state.observers[key] = RegisteredObserver(observer, after: number)
            guard state.watch == nil else { return false }
            let watch = ChangeWatch(library, after: number) { [weak self] change in
                self?.tell(change)
            }
            state.watch = watch
            watch.start()
            return false
        }
        if isStopped { (observer as? StreamObserver)?.finish() }
    }

    /// Removes an observer; waits until it is not being told of anything, unless an observer
    /// calls this while it is being told itself.
    func remove(_ observer: any ChangeObserver) {
        let removed = state.withLock { state in
            let removed = state.observers.removeValue(forKey: ObjectIdentifier(observer))
            stopIfUseless(&state)
            return removed
        }
        removed?.end()
    }

    /// Ends everything: streams finish, after what they have been told of. Waits for nobody.
    func stop() {
        let observers = state.withLock { state in
            let observers = state.observers.values
            state.isStopped = true
            state.observers = [:]
            stopIfUseless(&state)
            return observers
        }
        for observer in observers { observer.finish() }
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
    /// Marks the queues of all observers, of whatever library: two that waited for each other
    /// would wait for ever.
    private static let mark = DispatchSpecificKey<Bool>()

    init(_ observer: any ChangeObserver, after number: Int64) {
        reference = WeakReference(observer: observer)
        last = Mutex(number)
        queue.setSpecific(key: Self.mark, value: true)
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

    /// Tells it of nothing more. Returns when it is not being told of anything, or at once where
    /// this is called by an observer that is being told, this one or another.
    func end() {
        isEnded.withLock { $0 = true }
        guard DispatchQueue.getSpecific(key: Self.mark) == nil else { return }
        queue.sync {}
    }

    /// Ends its stream, if it passes changes on to one, after those that it has been told of.
    func finish() {
        queue.async { [self] in (reference.observer as? StreamObserver)?.finish() }
    }
}
