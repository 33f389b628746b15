// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import RunnerProtocol
import Testing
import TestSupport

@testable import RunnerHost

/// No message from a runner makes the host trap.
@Suite("random runner messages")
struct RunnerMessageFuzzTests {
    @Test("100,000 random and mutated packets are read or rejected without a trap")
    func randomPackets() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let valid = try Self.replies.map { try MessageBody.encode($0) }
        let outbox = try OpenFile.memory("outbox", holding: valid[0])
        var read = 0
        for round in 0..<100_000 {
            let packet: Data
            switch round % 8 {
            case 0:
                packet = Fuzz.bytes(Int.random(in: 0...80, using: &random), using: &random)
            case 1:
                packet = Fuzz.mutated(
                    RunnerPacket.encode(number: 1, body: Fuzz.pick(valid, using: &random)),
                    using: &random)
            default:
                // The header stays valid, so that the body is parsed.
                let body = Fuzz.pick(valid, using: &random)
                let changed =
                    round % 2 == 0
                    ? Fuzz.mutated(body, using: &random)
                    : Fuzz.mutatedJSON(body, using: &random)
                packet = RunnerPacket.encode(
                    number: UInt32.random(in: 0...2, using: &random), body: changed)
            }
            guard let message = try? ReceivedMessage(packet: packet, outbox: { _ in outbox })
            else { continue }
            read += 1
            Self.use(message.reply)
        }
        // Some must be readable; otherwise only rejection would be tested.
        #expect(read > 1000 && read < 90_000, "\(read), seed \(seed)")
    }

    @Test("a long answer of many small parts is rejected unread; a long recipe is read")
    func longAnswers() throws {
        let recipe = FinishedEdit(
            adjustmentData: AdjustmentData(
                formatIdentifier: "org.example.a", formatVersion: "1.0",
                data: Data(repeating: 0x2C, count: 16 << 20)), file: nil)
        let good = try MessageBody.encode(RunnerReply.finished(recipe))
        let memory = try OpenFile.memory("outbox", holding: good)
        let packet = RunnerPacket.encode(number: 1, body: good)
        let message = try ReceivedMessage(packet: packet, outbox: { _ in memory })
        #expect(message.reply == .finished(recipe))

        let parts = Data(("[" + String(repeating: "0,", count: 15 << 20) + "0]").utf8)
        let other = try OpenFile.memory("outbox", holding: parts)
        let error = #expect(throws: ReceivedMessage.Unreadable.self) {
            _ = try ReceivedMessage(
                packet: RunnerPacket.encode(number: 1, body: parts), outbox: { _ in other })
        }
        #expect(error?.message == "a message cannot be read")
    }

    /// Handles a reply as the host does before any closer checks.
    private static func use(_ reply: RunnerReply) {
        switch reply {
        case .failed(let failure):
            _ = HostError(failure).description
        case .phase(let phase):
            let death = RunnerDeath(cause: .signal("SIGSEGV"), phase: phase, log: "\(phase)")
            _ = HostError(death).description
            _ = HostError(sandboxUnavailableIn: death)?.description
        case .outputNeeded(let layout):
            _ = Runner.isAcceptable(layout)
        case .finished(let edit?):
            _ = try? edit.adjustmentData.checked()
        case .parameters(let json):
            _ = try? JSONDecoder().decode([String: ParameterValue].self, from: json)
        default:
            _ = "\(reply)"
        }
    }

    private static let replies: [RunnerReply] = [
        .ready(
            RunnerFacts(
                vipsVersion: "8.14.1", formats: MediaFormat.allCases,
                sandbox: SandboxFacts(
                    landlockABI: 7, seccomp: true, noNewPrivileges: true,
                    addressSpace: 1 << 33, fileSize: 1 << 33, openFiles: 64))),
        .phase(.idle), .phase(.decoding), .phase(.loading(extensionIdentifier: "org.example.a")),
        .phase(.calling(extensionIdentifier: "org.example.a", call: "finish")),
        .phase(.pixels(extensionIdentifiers: ["org.example.a", "org.example.b"])),
        .log("a line"), .done, .loaded, .manifest(Data(#"{"name":"x"}"#.utf8)), .answer(true),
        .parameters(Data("{\"amount\":3}".utf8)),
        .rendered(
            RenderReport(
                width: 640, height: 480, byteCount: 1000, facts: nil, fullSizeDecodes: 1,
                warnings: ["only the first of 3 frames is used"])),
        .outputNeeded(
            UncompressedLayout(width: 640, height: 480, pixelFormat: .rgb8, profile: .original)),
        .fileWritten(step: 0, WrittenFile(contentType: "image/png", profile: .original)),
        .finished(
            FinishedEdit(
                adjustmentData: AdjustmentData(
                    formatIdentifier: "org.example.a", formatVersion: "1.0",
                    data: Data("recipe".utf8)), file: nil)),
        .finished(nil),
        .failed(
            RunnerFailure(
                code: .extensionFailed, message: "why not",
                extensionIdentifier: "org.example.a")),
    ]
}
