// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Library

/// The accuracy of the size of an image.
enum ResizeArgument: String, ExpressibleByArgument, CaseIterable {
    case none, fast, exact

    /// The equivalent resize mode of the host.
    var mode: ImageRequestOptionsResizeMode {
        switch self {
        case .none: .none
        case .fast: .fast
        case .exact: .exact
        }
    }
}
