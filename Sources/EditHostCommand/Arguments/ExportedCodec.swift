// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The codec of exported videos.
enum ExportedCodec: String, ExpressibleByArgument, CaseIterable {
    case copy, h264, hevc
}
