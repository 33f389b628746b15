// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import RunnerProtocol

/// A message of a runner, read from what came over its socket.
///
/// The bytes may be anybody's: whatever they are, the outcome is a message or an error.
struct RunnerMessage {
    /// The number of the request that it answers; 0: unasked.
    let number: UInt32
    /// What it says.
    let reply: RunnerReply

    /// The packet is not a message.
    struct Unreadable: Error {
        /// What is wrong with it, for people.
        let message: String
    }

    /// - Parameters:
    ///   - packet: What came.
    ///   - outbox: The memory that went along with the request of a number, for an answer that
    ///     has no room in its packet; nil where nobody waits for that number.
    /// - Throws: `Unreadable`.
    init(packet: Data, outbox: (UInt32) -> OpenFile?) throws(Unreadable) {
        guard let (header, inline) = RunnerPacket.decode(packet) else {
            throw Unreadable(message: "not a packet of the protocol")
        }
        var body = inline
        if header.isElsewhere {
            guard let data = try? outbox(header.number)?.read(count: header.bodyLength),
                data.count == header.bodyLength
            else { throw Unreadable(message: "an answer is not at the announced place") }
            body = data
        }
        guard let reply = try? MessageBody.decode(RunnerReply.self, from: body) else {
            throw Unreadable(message: "a message cannot be read")
        }
        number = header.number
        self.reply = reply
    }
}
