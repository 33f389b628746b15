// SPDX-License-Identifier: Apache-2.0

import EditingModel
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
        let detail: String
    }

    /// - Parameters:
    ///   - packet: What came.
    ///   - outbox: The memory that went along with the request of a number, for an answer that
    ///     has no room in its packet; nil where nobody waits for that number.
    /// - Throws: `Unreadable`.
    init(packet: Data, outbox: (UInt32) -> OwnedDescriptor?) throws(Unreadable) {
        guard let (header, inline) = RunnerPacket.decode(packet) else {
            throw Unreadable(detail: "a packet is not of the protocol")
        }
        var body = inline
        if header.isElsewhere {
            guard let data = try? outbox(header.number)?.read(count: header.bodyLength),
                data.count == header.bodyLength
            else { throw Unreadable(detail: "an answer is not where it says") }
            guard Self.hasFewParts(data) else {
                throw Unreadable(detail: "a message has too many parts")
            }
            body = data
        }
        guard let reply = try? JSONDecoder().decode(RunnerReply.self, from: body) else {
            throw Unreadable(detail: "a message cannot be read")
        }
        number = header.number
        self.reply = reply
    }

    /// What makes an answer large is one recipe, in one text. JSON of many small values would take
    /// some thirty times its length to be read. The parts are told by `,`, `[` and `{`.
    private static func hasFewParts(_ body: Data) -> Bool {
        body.withUnsafeBytes { bytes in
            var count = 0
            for byte in bytes where byte == 0x2C || byte == 0x5B || byte == 0x7B {
                count += 1
                if count > 10_000 { return false }
            }
            return true
        }
    }
}
