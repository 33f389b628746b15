// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import RunnerSupport

/// The state shared by all parts of a runner.
struct Runtime: Sendable {
    /// The connection to the host.
    let connection: Connection
    /// Reports the phases of the work in flight to the host.
    let phases: PhaseReporter
    /// The cancellable work.
    let work = CancellableWork()
    /// The number of times that a base was decoded, at full and at reduced size.
    let decodes = DecodeCounter()
    /// The mappings of recycled memory files.
    let mappings = PixelMappings()
    /// The private folder that the host created, `nil` if there is none.
    let folder: RunnerFolder?

    /// Sends the reply to a request.
    func reply(_ reply: RunnerReply, to received: ReceivedRequest) {
        connection.reply(reply, to: received.number, outbox: received.optional(.outbox))
    }
}
