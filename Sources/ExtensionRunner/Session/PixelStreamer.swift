// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import RunnerSupport

/// Streams raw pixels to another runner from a separate thread, while the worker encodes that runner's output. No
/// extension code runs: the pixels are decoded from the picture alone.
struct PixelStreamer: Sendable {
    private let output: UncompressedOutput
    private let received: ReceivedRequest
    private let runtime: Runtime

    /// - Parameters:
    ///   - output: The pixels to write.
    ///   - received: The request for them, with memory of a fixed size and a socket.
    init(_ output: UncompressedOutput, _ received: ReceivedRequest, _ runtime: Runtime) {
        self.output = output
        self.received = received
        self.runtime = runtime
    }

    /// Starts a thread that writes the pixels and then replies to the request.
    func start() throws(RunnerFailure) {
        do throws(WorkerThread.StartError) {
            try WorkerThread.start { [self] in
                let reply: RunnerReply
                do throws(RunnerFailure) {
                    reply = .rendered(try write())
                } catch {
                    reply = .failed(error)
                }
                runtime.reply(reply, to: received)
            }
        } catch {
            throw RunnerFailure(
                code: .outputFailed, message: "cannot start a thread: error \(error.errno)")
        }
    }

    private func write() throws(RunnerFailure) -> RenderReport {
        guard
            let mapping = runtime.mappings.mapping(
                of: try received.descriptor(.reusedOutput), isWritable: true)
        else {
            throw RunnerFailure(code: .outputFailed, message: "the output cannot be mapped")
        }
        return try output.write(
            into: mapping, announcingTo: try received.descriptor(.writtenRows),
            isConcurrent: true)
    }
}
