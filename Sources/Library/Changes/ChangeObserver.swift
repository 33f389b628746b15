// SPDX-License-Identifier: Apache-2.0

/// Is told of the changes that this `PhotoLibrary` object commits.
public protocol ChangeObserver: AnyObject, Sendable {
    /// Called once for each committed change, after it is durable, on the thread that made it.
    func photoLibraryDidChange(_ change: Change)
}

/// A reference that does not keep an observer alive.
struct WeakObserver: Sendable {
    weak let observer: (any ChangeObserver)?
}

extension PhotoLibrary {
    /// Registers an observer; it is not kept alive.
    public func register(_ observer: any ChangeObserver) {
        observers.withLock { $0[ObjectIdentifier(observer)] = WeakObserver(observer: observer) }
    }

    /// Unregisters an observer.
    public func unregister(_ observer: any ChangeObserver) {
        observers.withLock { $0[ObjectIdentifier(observer)] = nil }
    }

    /// Tells everybody who is still there.
    func notifyObservers(_ change: Change) {
        let living = observers.withLock { table in
            table = table.filter { $0.value.observer != nil }
            return table.values.compactMap(\.observer)
        }
        for observer in living { observer.photoLibraryDidChange(change) }
    }
}
