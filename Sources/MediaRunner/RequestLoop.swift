// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import RunnerSupport

/// A loop that receives requests on the main thread. The worker performs them in sequence.
struct RequestLoop {
    let connection: Connection
    private let queue = RequestQueue()

    init(connection: Connection) { self.connection = connection }

    /// Reports that the runner is ready, then receives requests until the host closes the socket.
    func run(_ facts: RunnerFacts) throws {
        let (connection, queue) = (connection, queue)
        let phases = PhaseReporter(connection: connection)
        try WorkerThread.start { MediaWorker(connection: connection, phases: phases).run(queue) }
        connection.announce(.ready(facts))
        while true {
            switch connection.receive() {
            case .request(let received): queue.append(received)
            case .unreadable(let number, let reason):
                connection.reply(.failed(.init(code: .badRequest, message: reason)), to: number)
            case .end: return
            }
        }
    }
}
