// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What an import makes albums from.
enum AlbumSource: String, ExpressibleByArgument, CaseIterable {
    /// The folders in the imported folders.
    case folders
}
