// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import FoundationEssentials
import Glibc
import RunnerProtocol

/// The runner's end of the socket. One thread receives; any thread may send.
package final class Connection: Sendable {
    private let socket: Int32
    /// Held while a packet is sent, so phases are sent in the order in which they change.
    private let sending = LockedValue(())
    /// The maximum length of a log line in bytes. Longer lines are truncated.
    package static let maximumLogLine = 4096

    package init(socket: Int32) { self.socket = socket }

    // MARK: - Receiving

    /// The result of `receive`.
    package enum Reception {
        case request(ReceivedRequest)
        /// A packet that is no valid request. `number` is 0 if its header cannot be read.
        case unreadable(number: UInt32, reason: String)
        /// The host has closed the socket.
        case end
    }

    /// Waits for the next packet.
    package func receive() -> Reception {
        var packet = [UInt8](repeating: 0, count: RunnerPacket.maximumLength)
        var numbers = [Int32](repeating: -1, count: Int(CSANDBOX_MAXIMUM_DESCRIPTORS))
        var count = Int32(numbers.count)
        let length = csandbox_receive(socket, &packet, packet.count, &numbers, &count)
        if length < 0 && errno == EMSGSIZE {
            return .unreadable(number: 0, reason: "the packet is too long")
        }
        if length < 0 && errno == EMFILE { Self.endWithoutDescriptors() }
        guard length > 0 else { return .end }
        let descriptors = numbers.prefix(Int(max(0, count))).map { OpenFile(descriptor: $0) }
        guard let (header, inline) = RunnerPacket.decode(Data(packet.prefix(length))) else {
            return .unreadable(number: 0, reason: "not a packet of this protocol")
        }
        return decode(header, inline, descriptors)
    }

    /// Ends the process, because it could not receive any later input either. The host includes the line in the
    /// failure.
    private static func endWithoutDescriptors() -> Never {
        let line =
            "ERROR: too many open files; the extension keeps images of earlier edits: release every "
            + "image that it received or created\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        _exit(EXIT_FAILURE)
    }

    private func decode(
        _ header: RunnerPacket.Header, _ inline: Data, _ descriptors: [OpenFile]
    ) -> Reception {
        var rest = descriptors
        var body = inline
        if header.isElsewhere {
            guard let inbox = rest.first, let bytes = Self.read(inbox, header.bodyLength) else {
                return .unreadable(number: header.number, reason: "its inbox cannot be read")
            }
            rest.removeFirst()
            body = bytes
        }
        do {
            let envelope = try MessageBody.decode(RequestEnvelope.self, from: body)
            guard envelope.descriptors.count == rest.count else {
                return .unreadable(
                    number: header.number,
                    reason: "\(rest.count) descriptors received, \(envelope.descriptors.count) "
                        + "announced")
            }
            return .request(
                ReceivedRequest(number: header.number, envelope: envelope, descriptors: rest))
        } catch {
            return .unreadable(number: header.number, reason: "\(error)")
        }
    }

    private static func read(_ inbox: OpenFile, _ length: Int) -> Data? {
        guard (inbox.length ?? 0) >= length else { return nil }
        var bytes = Data(count: length)
        let count = try? bytes.withUnsafeMutableBytes { try inbox.fill($0, at: 0) }
        return count == length ? bytes : nil
    }

    // MARK: - Sending

    /// Sends the answer to a request. A reply that exceeds a packet is written to the outbox.
    package func reply(_ reply: RunnerReply, to number: UInt32, outbox: OpenFile? = nil) {
        guard let body = try? MessageBody.encode(reply) else {
            return fail(number, "the reply cannot be encoded")
        }
        if body.count > RunnerPacket.maximumInline {
            guard body.count <= RunnerPacket.maximumBody else {
                return fail(number, "the reply is too large: \(body.count) bytes")
            }
            guard let outbox else {
                return fail(
                    number,
                    "the reply has \(body.count) bytes, but no outbox was "
                        + "received")
            }
            guard (try? body.withUnsafeBytes({ try outbox.write($0, at: 0) })) != nil else {
                return fail(number, "outbox: \(String(cString: strerror(errno)))")
            }
        }
        send(RunnerPacket.encode(number: number, body: body))
    }

    /// Sends an unsolicited message.
    package func announce(_ reply: RunnerReply) {
        self.reply(reply, to: 0)
    }

    /// Encodes an unsolicited message for ``announce(_:)``; nil if it exceeds a packet.
    package func packet(announcing reply: RunnerReply) -> Data? {
        guard let body = try? MessageBody.encode(reply), body.count <= RunnerPacket.maximumInline
        else { return nil }
        return RunnerPacket.encode(number: 0, body: body)
    }

    /// Sends an encoded unsolicited message.
    package func announce(_ packet: Data) { send(packet) }

    /// Sends a line for the host's log.
    package func log(_ line: String) {
        announce(.log(String(decoding: line.utf8.prefix(Self.maximumLogLine), as: UTF8.self)))
    }

    private func fail(_ number: UInt32, _ message: String) {
        let failure = RunnerFailure(code: .outputFailed, message: message)
        guard let body = try? MessageBody.encode(RunnerReply.failed(failure)) else { return }
        send(RunnerPacket.encode(number: number, body: body))
    }

    /// Failures are ignored: the receiving thread detects that the host has gone.
    private func send(_ packet: Data) {
        sending.access { _ in
            packet.withUnsafeBytes { _ = csandbox_send(socket, $0.baseAddress, $0.count, nil, 0) }
        }
    }
}
