// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import RunnerSupport

/// Writing raw pixels for another runner while the worker does something else, which is to encode what that runner
/// makes of them. No extension takes part: the pixels are those of a picture alone.
struct HandOver: Sendable {
    private let output: RawOutput
    private let incoming: Incoming
    private let runtime: Runtime

    /// - Parameters:
    ///   - output: the pixels.
    ///   - incoming: the request that asks for them, with memory of a fixed size and a socket.
    init(_ output: RawOutput, _ incoming: Incoming, _ runtime: Runtime) {
        self.output = output
        self.incoming = incoming
        self.runtime = runtime
    }

    /// Begins on a thread of its own, which answers the request at the end.
    func start() throws(RunnerFailure) {
        do throws(WorkerThread.StartError) {
            try WorkerThread.start { [self] in
                let reply: RunnerReply
                do throws(RunnerFailure) {
                    reply = .rendered(try write())
                } catch {
                    reply = .failed(error)
                }
                runtime.reply(reply, to: incoming)
            }
        } catch {
            throw RunnerFailure(
                code: .outputFailed, message: "cannot start a thread: error \(error.errno)")
        }
    }

    private func write() throws(RunnerFailure) -> RenderReport {
        guard
            let mapping = runtime.mappings.mapping(
                of: try incoming.descriptor(.reusedOutput), isWritable: true)
        else {
            throw RunnerFailure(code: .outputFailed, message: "the output cannot be mapped")
        }
        return try output.write(
            into: mapping, announcingTo: try incoming.descriptor(.writtenRows),
            isBesideOthers: true)
    }
}
