// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import Glibc

/// An extension's event loop, which the session's thread serves: `ee_events`.
///
/// `@unchecked Sendable` is safe: function pointers into a library that is never unloaded.
struct EventLoop: @unchecked Sendable {
    private let events: ee_events

    /// Nil where the structure is too short, or a function is missing.
    init?(_ capability: UnsafeRawPointer) {
        let minimum = Int(EE_EVENTS_SIZE_1_0)
        guard let events = growingStructure(at: capability, as: ee_events.self, minimum: minimum),
            events.descriptor != nil, events.dispatch != nil
        else { return nil }
        self.events = events
    }

    /// Does what there is to do, without waiting.
    func serve() { _ = serve(waitingFor: nil, timeout: 0) }

    /// Waits for something to do, or for another descriptor, and does what there is to do.
    ///
    /// - Returns: false where the extension's descriptor cannot be waited for.
    func serve(waitingFor other: Int32?, timeout: Int32 = -1) -> Bool {
        var descriptors = [
            pollfd(fd: events.descriptor(), events: Int16(POLLIN), revents: 0),
            pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        guard descriptors[0].fd >= 0 else { return false }
        let count = poll(&descriptors, 2, timeout)
        if count < 0 { return errno == EINTR }
        if descriptors[0].revents & Int16(POLLIN) != 0 {
            events.dispatch()
        } else if descriptors[0].revents != 0 {
            return false
        }
        return true
    }
}
