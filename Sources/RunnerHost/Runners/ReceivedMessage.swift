// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import RunnerProtocol

/// A message of a runner, decoded from a packet of its socket.
///
/// The bytes are untrusted: any input gives either a message or an error.
struct ReceivedMessage {
    /// The number of the request that the message answers; 0 if it is unsolicited.
    let number: UInt32
    /// The decoded reply.
    let reply: RunnerReply

    /// The error for a packet that is not a message.
    struct Unreadable: Error {
        /// The reason, for error messages.
        let message: String
    }

    /// - Parameters:
    ///   - packet: The received packet.
    ///   - outbox: Returns the memory sent with the request of a number, which holds a reply that does not fit its
    ///     packet. Returns `nil` if no request of that number is pending.
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
