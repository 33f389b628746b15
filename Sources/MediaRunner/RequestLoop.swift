// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import RunnerSupport

/// Receives requests on the main thread; the worker carries them out, one after the other.
struct RequestLoop {
    let connection: Connection
    private let queue = RequestQueue()

    init(connection: Connection) { self.connection = connection }

    /// Says that the runner is ready and receives until the host closes the socket.
    func run(_ facts: RunnerFacts) throws {
        let (connection, queue) = (connection, queue)
        let phases = PhaseReporter(connection: connection)
        try WorkerThread.start { Worker(connection: connection, phases: phases).run(queue) }
        connection.announce(.ready(facts))
        while true {
            switch connection.receive() {
            case .request(let incoming): queue.append(incoming)
            case .unreadable(let number, let reason):
                connection.reply(.failed(.init(code: .badRequest, message: reason)), to: number)
            case .end: return
            }
        }
    }
}
