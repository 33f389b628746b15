// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Starting a thread with room on its stack for code that is not ours.
package enum WorkerThread {
    private static let stackSize = 8 << 20

    /// Runs the body on a new thread.
    ///
    /// - Throws: The `errno` of `pthread_create`.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(StartError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let error = pthread_create(&thread, &attributes, runBody, box.toOpaque())
        if error != 0 {
            box.release()
            throw StartError(errno: error)
        }
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
