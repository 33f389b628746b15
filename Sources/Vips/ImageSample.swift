// SPDX-License-Identifier: Apache-2.0

import CVips

/// A sample type from which images can be created: `UInt8`, `UInt16` or `Float`.
public protocol ImageSample: BitwiseCopyable, Sendable {
    /// The band format that corresponds to the type.
    static var format: BandFormat { get }
}
