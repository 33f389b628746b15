// SPDX-License-Identifier: Apache-2.0

/// How much a runner may have of something.
public struct RunnerLimits: Hashable, Sendable {
    /// A limit of the kernel.
    public struct Limit: Hashable, Sendable {
        /// What holds now.
        public var now: UInt64
        /// What the host may raise it to later.
        public var most: UInt64

        /// Makes one.
        public init(now: UInt64, most: UInt64) {
            self.now = now
            self.most = most
        }
    }

    /// Bytes of address space, code and mapped files included.
    public var addressSpace: Limit
    /// Bytes of one file that it writes.
    public var fileSize: Limit
    /// Threads, where they can be counted.
    public var threads: Limit

    /// Makes limits; those of a runner that was told none.
    public init(
        addressSpace: Limit = Limit(now: 9 << 30, most: 9 << 30),
        fileSize: Limit = Limit(now: 8 << 30, most: 8 << 30),
        threads: Limit = Limit(now: 256, most: 256)
    ) {
        self.addressSpace = addressSpace
        self.fileSize = fileSize
        self.threads = threads
    }
}
