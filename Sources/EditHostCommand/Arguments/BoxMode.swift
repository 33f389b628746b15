// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Library

/// The scaling of an image to its box.
enum BoxMode: String, ExpressibleByArgument, CaseIterable {
    case fit, fill

    /// The equivalent content mode of the host.
    var contentMode: ImageContentMode { self == .fill ? .aspectFill : .aspectFit }
}
