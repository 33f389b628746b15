// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Starting a thread with room on its stack for code that is not ours.
package enum WorkerThread {
    private static let stackSize = 8 << 20

    /// Runs the body on a new thread.
    ///
    /// - Throws: The `errno` of `pthread_create`.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(StartError) {
        _ = try make(PTHREAD_CREATE_DETACHED, body)
    }

    /// Runs the body with each number below `count`, at least one: with 0 on this thread, with any other on one of its own,
    /// or here where none can be made. Returns when all have ended.
    ///
    /// It takes the place of Dispatch, whose monitor reads the states of its threads in `/proc` and ends the process where
    /// the sandbox hides them.
    /// See docs/design/decisions/0008-thread-states.md.
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

    /// A thread could not be made.
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
    Unmanaged<WorkerThread.Body>.fromOpaque(box).takeRetainedValue().run()
    return nil
}
