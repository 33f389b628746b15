// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import RunnerSupport

/// What every part of a runner shares.
struct Runtime: Sendable {
    /// To the host.
    let connection: Connection
    /// What the host is told of what is being done.
    let phases: PhaseReporter
    /// What can be cancelled.
    let activity = Activity()
    /// How often a base was decoded at full size.
    let decodes = DecodeCounter()
    /// Memory files that come again.
    let mappings = PixelMappings()
    /// The private folder that the host made; nil where there is none.
    let folder: RunnerFolder?

    /// Answers a request.
    func reply(_ reply: RunnerReply, to incoming: Incoming) {
        connection.reply(reply, to: incoming.number, outbox: incoming.optional(.outbox))
    }
}
