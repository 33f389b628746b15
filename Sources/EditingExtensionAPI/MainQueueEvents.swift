// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import CMainQueue

/// The capability `ee_events`, through which the host runs Dispatch's main queue, and with it the main actor. The
/// thread of a session acts as the main thread.
///
/// `@unchecked Sendable` is safe: the table is never changed and never freed.
struct MainQueueEvents: @unchecked Sendable {
    /// Nil if it is first accessed on a thread other than the one that loaded the library.
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
