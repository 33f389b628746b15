// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import RunnerSupport

/// Receives requests on the main thread. Cancellations and replies with video are answered immediately. The worker
/// processes all other requests in sequence.
struct RequestReceiver {
    private let runtime: Runtime
    private let queue = RequestQueue()

    init(connection: Connection, folder: RunnerFolder?) {
        runtime = Runtime(
            connection: connection, phases: PhaseReporter(connection: connection), folder: folder)
    }

    /// Announces that the runner is ready, and receives requests until the host closes the socket.
    func run(_ facts: RunnerFacts) throws {
        let (runtime, queue) = (runtime, queue)
        try WorkerThread.start { Worker(runtime: runtime).run(queue) }
        runtime.connection.announce(.ready(facts))
        while true {
            switch runtime.connection.receive() {
            case .request(let received): take(received)
            case .unreadable(let number, let reason):
                answer(number, .failed(.init(code: .badRequest, message: reason)))
            case .end: return
            }
        }
    }

    private func take(_ received: ReceivedRequest) {
        switch received.request {
        case .shouldConfirmCancel:
            let reply = runtime.work.shouldConfirmCancel().map(RunnerReply.answer)
            answer(received.number, reply ?? .failed(Self.noEdit))
        case .cancel:
            let isCancelled = runtime.work.cancel()
            answer(received.number, isCancelled ? .done : .failed(Self.noEdit))
        case .supplyVideo:
            let isExpected = runtime.video.receive(received)
            answer(received.number, isExpected ? .done : .failed(Self.unexpectedSupply))
        default:
            queue.append(received)
        }
    }

    private static let noEdit = RunnerFailure(code: .badRequest, message: "no edit is open")

    private static let unexpectedSupply = RunnerFailure(
        code: .badRequest, message: "no extension waits for a video")

    private func answer(_ number: UInt32, _ reply: RunnerReply) {
        runtime.connection.reply(reply, to: number)
    }
}
