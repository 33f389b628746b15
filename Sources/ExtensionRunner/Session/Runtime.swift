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
    /// The exchange of requests for the video of the input.
    let video: VideoExchange
    /// The number of times that a base was decoded, at full and at reduced size.
    let decodes = DecodeCounter()
    /// The mappings of recycled memory files.
    let mappings = PixelMappings()
    /// The private folder that the host created; `nil` if there is none.
    let folder: RunnerFolder?

    init(connection: Connection, phases: PhaseReporter, folder: RunnerFolder?) {
        self.connection = connection
        self.phases = phases
        self.folder = folder
        video = VideoExchange(connection)
    }

    /// Sends the reply to a request.
    func reply(_ reply: RunnerReply, to received: ReceivedRequest) {
        connection.reply(reply, to: received.number, outbox: received.optional(.outbox))
    }
}
