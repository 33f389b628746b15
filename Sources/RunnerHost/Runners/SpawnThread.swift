// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The thread on which runners are started.
///
/// A runner is configured to be killed when its parent dies, and the kernel treats the thread that started it as the
/// parent. That thread must therefore live as long as the process.
final class SpawnThread: Sendable {
    static let shared = SpawnThread()

    private let work = Mutex<[@Sendable () -> Void]>([])
    private let available = DispatchSemaphore(value: 0)

    private init() {
        let thread = Thread { [self] in serve() }
        thread.name = "spawn"
        thread.start()
    }

    private func serve() -> Never {
        while true {
            available.wait()
            let next = work.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            next?()
        }
    }

    /// Runs `body` on the thread and returns its result.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            work.withLock { $0.append { continuation.resume(returning: body()) } }
            available.signal()
        }
    }
}
