// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import Glibc

/// The event loop of an extension, `ee_events`, served on the session's thread.
///
/// `@unchecked Sendable` is safe: function pointers into a library that is never unloaded.
struct EventLoop: @unchecked Sendable {
    private let events: ee_events

    /// Creates the event loop; `nil` if the structure is too small or a function is missing.
    init?(_ capability: UnsafeRawPointer) {
        let minimum = Int(EE_EVENTS_SIZE_1_0)
        guard let events = growingStructure(at: capability, as: ee_events.self, minimum: minimum),
            events.descriptor != nil, events.dispatch != nil
        else { return nil }
        self.events = events
    }

    /// Dispatches pending events without waiting.
    func serve() { _ = serve(waitingFor: nil, timeout: 0) }

    /// Waits for events or for another descriptor, and dispatches pending events.
    ///
    /// - Returns: False if the descriptor of the extension cannot be polled.
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
