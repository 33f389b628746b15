// SPDX-License-Identifier: Apache-2.0

/// The resource limits of a runner.
package struct RunnerLimits: Hashable, Sendable {
    /// A resource limit of the kernel.
    package struct Limit: Hashable, Sendable {
        /// The soft limit.
        package var now: UInt64
        /// The hard limit, up to which the host may raise the soft limit later.
        package var most: UInt64

        /// Creates a limit from its soft and hard values.
        package init(now: UInt64, most: UInt64) {
            self.now = now
            self.most = most
        }
    }

    /// The size of the address space in bytes, including code and mapped files.
    package var addressSpace: Limit
    /// The size in bytes of a file that the runner writes.
    package var fileSize: Limit
    /// The number of threads, if the kernel can count them per runner.
    package var threads: Limit

    /// Creates limits. The defaults apply to a runner that is started without any.
    package init(
        addressSpace: Limit = Limit(now: 9 << 30, most: 9 << 30),
        fileSize: Limit = Limit(now: 8 << 30, most: 8 << 30),
        threads: Limit = Limit(now: 256, most: 256)
    ) {
        self.addressSpace = addressSpace
        self.fileSize = fileSize
        self.threads = threads
    }
}
