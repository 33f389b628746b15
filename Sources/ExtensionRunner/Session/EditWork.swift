// SPDX-License-Identifier: Apache-2.0

import Glibc
import RunnerProtocol
import RunnerSupport
import Synchronization
import Vips

/// What the extension of one input can learn and tell while it works long. Used on any thread.
final class EditWork: Sendable {
    private let cancellation: CancellationFlag
    private let connection: Connection
    /// The greatest progress that the host was told, in thousandths.
    private let told = Mutex(-1)

    init(_ runtime: Runtime) {
        cancellation = runtime.activity.cancellation
        connection = runtime.connection
    }

    /// Whether the edit was cancelled; once it was, for good.
    var isCancelled: Bool { cancellation.isSet }

    /// Tells the host how much is done. It is told of every thousandth at the most.
    func report(_ fraction: Double) {
        guard !fraction.isNaN else { return }
        let thousandths = Int(min(max(fraction, 0), 1) * 1000)
        told.withLock { told in
            guard thousandths > told else { return }
            told = thousandths
            // Under the lock, so that none overtakes another. The connection takes no lock of ours.
            connection.announce(.progress(Double(thousandths) / 1000))
        }
    }

    /// How many threads to compute on.
    var threadCount: Int { max(1, VipsLibrary.concurrency) }

    /// How many bytes may be written: the limit of one file is that of all together.
    var temporarySpaceLimit: UInt64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
            return 0
        }
        return UInt64(limit.rlim_cur)
    }
}

/// Whether what is under way was cancelled. It is set once and never reset: what comes afterwards
/// gets another.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    /// Whether it was cancelled.
    var isSet: Bool { flag.load(ordering: .acquiring) }

    /// Cancels.
    func set() { flag.store(true, ordering: .releasing) }
}
