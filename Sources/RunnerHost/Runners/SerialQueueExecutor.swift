// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A serial executor on Dispatch threads, for actors that a blocked thread may depend on.
final class SerialQueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "edithost.waiting.serial")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
