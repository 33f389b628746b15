// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import CMainQueue

/// The main queue of Dispatch, and with it the main actor, for the host to serve: the thread of a session is the main
/// thread to them.
///
/// `@unchecked Sendable` is safe: the table is never changed and never freed.
struct MainQueueEvents: @unchecked Sendable {
    /// Nil where the thread that loads the library is not the one that asks first.
    static let shared = MainQueueEvents()

    let table: UnsafePointer<ee_events>

    private init?() {
        guard main_queue_descriptor() >= 0 else { return nil }
        var table = ee_events()
        table.struct_size = UInt32(MemoryLayout<ee_events>.size)
        table.descriptor = main_queue_descriptor
        table.dispatch = main_queue_serve
        self.table = Registration.permanent(table)
    }
}
