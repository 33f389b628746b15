// SPDX-License-Identifier: Apache-2.0

import Glibc
import RunnerProtocol
import RunnerSupport
import Synchronization
import Vips

/// The progress and cancellation interface of a long-running extension, for `ee_work`. Thread-safe.
final class EditWork: Sendable {
    private let cancellation: CancellationFlag
    private let connection: Connection
    /// The highest progress that was reported to the host, in thousandths.
    private let lastReported = Mutex(-1)

    init(_ runtime: Runtime) {
        cancellation = runtime.work.cancellation
        connection = runtime.connection
    }

    /// Whether the edit was cancelled. Once true, it stays true.
    var isCancelled: Bool { cancellation.isSet }

    /// Reports progress from 0 to 1 to the host. At most one report is sent per thousandth.
    func report(_ fraction: Double) {
        guard !fraction.isNaN else { return }
        let thousandths = Int(min(max(fraction, 0), 1) * 1000)
        lastReported.withLock { lastReported in
            guard thousandths > lastReported else { return }
            lastReported = thousandths
            // The report is sent under the lock to keep the order. The connection takes no lock of this type.
            connection.announce(.progress(Double(thousandths) / 1000))
        }
    }

    /// The number of threads to compute on.
    var threadCount: Int { max(1, VipsLibrary.concurrency) }

    /// The number of bytes that may be written. The file size limit of the process is also the limit for all files
    /// together.
    var temporarySpaceLimit: UInt64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
            return 0
        }
        return UInt64(limit.rlim_cur)
    }
}
