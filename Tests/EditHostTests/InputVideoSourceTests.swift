// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import Logging
import RunnerProtocol
import Synchronization
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// Demands of a runner, which is untrusted, for the video of its input.
@Suite("demands for the video of an input")
struct InputVideoSourceTests {
    /// A session, and a source of a video that cannot be opened.
    private struct Setting {
        let studio: TestStudio
        let session: ControllerSession
        let source: InputVideoSource

        /// - Parameter open: Called before opening fails.
        init(
            configure: (inout HostConfiguration) -> Void = { _ in },
            _ open: @escaping @Sendable () async throws -> Void
        ) async throws {
            studio = try TestStudio(trusted: false, configure: configure)
            let binary = try studio.host.extensions.binary(identifier: "org.example.adder")
            session = try await ControllerSession(
                binary, inputExtensions: [], pool: studio.host.pool)
            let opening: InputVideoSource.Opening = {
                try await open()
                throw HostError(.badInput, "no video")
            }
            let decoder = InputVideoDecoder(
                studio.host.pool, .frames, Logger(label: "test"), opening)
            source = InputVideoSource(for: session.runner, decoder)
        }

        func end() async {
            await source.end()
            await session.close()
            await studio.host.shutDown()
        }
    }

    @Test("a runner that leaves a supply unanswered misses its deadline, even if it demands again")
    func unanswered() async throws {
        let count = Mutex(0)
        let setting = try await Setting(configure: { $0.timeouts.shortCall = .seconds(1) }) {
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            // Cancelled at the end.
            if !isFirst { try await Task.sleep(for: .seconds(600)) }
        }
        setting.session.runner.process.stop()
        #expect(setting.source.reply(to: .open))
        try await waitUntil("the first demand has been met") { setting.source.reply(to: .open) }
        try await waitUntil("the runner has been killed") { !setting.session.isAlive }
        await setting.end()
    }

    @Test("nothing is opened after a cancellation, or when the time for it is used up")
    func refused() async throws {
        let count = Mutex(0)
        let cancelled = try await Setting { count.withLock { $0 += 1 } }
        cancelled.source.cancel()
        #expect(cancelled.source.reply(to: .open))
        await cancelled.end()

        let late = try await Setting(configure: { $0.timeouts.render = .zero }) {
            count.withLock { $0 += 1 }
        }
        #expect(late.source.reply(to: .open))
        // Before the end, which cancels.
        try await waitUntil("the demand has failed") { late.source.failure != nil }
        let error = late.source.failure as? HostError
        #expect(error?.message == "reading the video takes too long")
        await late.end()
        #expect(count.withLock { $0 } == 0)
    }

    @Test("demands after the end are ignored, and a demand during another is refused")
    func order() async throws {
        let isOpening = Mutex(false)
        let setting = try await Setting {
            isOpening.withLock { $0 = true }
            try await Task.sleep(for: .seconds(600))
        }
        #expect(setting.source.reply(to: .open))
        try await waitUntil("the video is being opened") { isOpening.withLock { $0 } }
        #expect(!setting.source.reply(to: .frame(at: 0)))
        await setting.source.end()
        #expect(setting.source.reply(to: .open))
        await setting.end()
    }
}
