// SPDX-License-Identifier: Apache-2.0

/// An object notified of every change of a library, made by this program or by another process.
public protocol ChangeObserver: AnyObject, Sendable {
    /// Called once for each committed change, after it is durable, in commit order.
    ///
    /// Runs on an arbitrary queue, never the main queue. Calls to one observer are serial.
    /// Different observers may be called concurrently.
    func photoLibraryDidChange(_ change: Change)
}

/// PhotoKit's name for ``ChangeObserver``.
public typealias PhotoLibraryChangeObserver = ChangeObserver
