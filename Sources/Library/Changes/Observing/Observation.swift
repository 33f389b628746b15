// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The registered observers of a library, and the thread that runs while there are any.
final class Observation: Sendable {
    private struct State {
        var observers: [ObjectIdentifier: RegisteredObserver] = [:]
        var watch: ChangeWatch?
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Adds an observer, and starts the watching thread for the first one.
    func add(_ observer: any ChangeObserver, of library: PhotoLibrary) throws {
        let number = try library.read(ChangeTransaction.lastNumber)
        let isStopped = state.withLock { state in
            let key = ObjectIdentifier(observer)
            // An observer registered twice keeps its queue, so that it is notified once, in order.
            if state.isStopped || state.observers[key]?.isAlive == true { return state.isStopped }
            state.observers[key] = RegisteredObserver(observer, after: number)
            guard state.watch == nil else { return false }
            let watch = ChangeWatch(library, after: number) { [weak self] change in
                self?.notify(change)
            }
            state.watch = watch
            watch.start()
            return false
        }
        if isStopped { (observer as? StreamObserver)?.finish() }
    }

    /// Removes an observer. Waits for a notification in flight, unless an observer calls this
    /// during a notification.
    func remove(_ observer: any ChangeObserver) {
        let removed = state.withLock { state in
            let removed = state.observers.removeValue(forKey: ObjectIdentifier(observer))
            stopIfUnused(&state)
            return removed
        }
        removed?.end()
    }

    /// Stops observation. Streams finish after the changes they have received. Does not block.
    func stop() {
        let observers = state.withLock { state in
            let observers = state.observers.values
            state.isStopped = true
            state.observers = [:]
            stopIfUnused(&state)
            return observers
        }
        for observer in observers { observer.finish() }
    }

    private func stopIfUnused(_ state: inout State) {
        guard state.observers.isEmpty else { return }
        state.watch?.stop()
        state.watch = nil
    }

    /// Notifies all observers that are still alive.
    private func notify(_ change: Change) {
        let registered = state.withLock { state in
            state.observers = state.observers.filter { $0.value.isAlive }
            stopIfUnused(&state)
            return Array(state.observers.values)
        }
        for observer in registered { observer.notify(change) }
    }
}

/// A weak reference to an observer, and the queue on which it is notified.
private final class RegisteredObserver: Sendable {
    private struct WeakReference {
        weak let observer: (any ChangeObserver)?
    }

    private let reference: WeakReference
    /// The number of the last change already seen or delivered.
    private let last: Mutex<Int64>
    private let queue = DispatchQueue(label: "photo library changes")
    private let isEnded = Mutex(false)
    /// Marks the queues of all observers of all libraries: two observers that waited for each other
    /// would deadlock.
    private static let mark = DispatchSpecificKey<Bool>()

    init(_ observer: any ChangeObserver, after number: Int64) {
        reference = WeakReference(observer: observer)
        last = Mutex(number)
        queue.setSpecific(key: Self.mark, value: true)
    }

    var isAlive: Bool { reference.observer != nil }

    /// Notifies the observer of a change. Skips changes from before its registration, and those
    /// already delivered by a previous watch that was still ending.
    func notify(_ change: Change) {
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

    /// Stops notifications. Waits for one in flight, unless the caller is itself an observer during
    /// a notification.
    func end() {
        isEnded.withLock { $0 = true }
        guard DispatchQueue.getSpecific(key: Self.mark) == nil else { return }
        queue.sync {}
    }

    /// Finishes the stream, if any, after the changes already queued.
    func finish() {
        queue.async { [self] in (reference.observer as? StreamObserver)?.finish() }
    }
}
