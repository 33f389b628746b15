// SPDX-License-Identifier: Apache-2.0

import CSandbox
import Glibc

/// Threads with a stack large enough for third-party code.
package enum WorkerThread {
    private static let stackSize = 8 << 20

    /// Starts a thread that runs a closure.
    ///
    /// - Throws: ``StartError`` with the `errno` of `pthread_create`.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(StartError) {
        _ = try make(PTHREAD_CREATE_DETACHED, body)
    }

    /// Runs a closure with each number from 0 to `count` - 1, concurrently. `count` must be at least 1.
    ///
    /// Number 0 runs on the calling thread, each other number on its own thread, or on the calling thread if none
    /// can be created. Returns when all have finished.
    ///
    /// It replaces Dispatch, which reads the states of its threads in `/proc`, and ends the process if the sandbox
    /// hides them. See docs/design/decisions/0008-thread-states.md.
    package static func perform(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        var threads: [pthread_t] = []
        var others: [Int] = []
        for number in 1..<max(1, count) {
            do throws(StartError) {
                threads.append(try make(PTHREAD_CREATE_JOINABLE) { body(number) })
            } catch {
                others.append(number)
            }
        }
        body(0)
        others.forEach(body)
        for thread in threads { pthread_join(thread, nil) }
    }

    private static func make(
        _ kind: Int, _ body: @escaping @Sendable () -> Void
    ) throws(StartError) -> pthread_t {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(kind))
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let error = pthread_create(&thread, &attributes, runBody, box.toOpaque())
        if error != 0 {
            box.release()
            throw StartError(errno: error)
        }
        return thread
    }

    /// The failure to create a thread.
    package struct StartError: Error {
        package let errno: Int32
    }

    fileprivate final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

private nonisolated func runBody(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box else { return nil }
    let signalStack = csandbox_add_signal_stack()
    defer { csandbox_remove_signal_stack(signalStack) }
    Unmanaged<WorkerThread.Body>.fromOpaque(box).takeRetainedValue().run()
    return nil
}
