// SPDX-License-Identifier: Apache-2.0

import Library
import NIOEmbedded
import Testing

@testable import Studio

@Suite("closed connections")
struct DisconnectionTests {
    @Test("work that is cancelled with a connection runs on threads that may block")
    func executor() async throws {
        let channel = await NIOAsyncTestingChannel(handler: Disconnection())
        let isWaiting = try await Disconnection.cancelling(channel) {
            withUnsafeCurrentTask {
                $0?.unownedTaskExecutor == WaitingThread.executor.asUnownedTaskExecutor()
            }
        }
        #expect(isWaiting)
        _ = try await channel.finish()
    }
}
