// SPDX-License-Identifier: Apache-2.0

/// The purpose of copying, for messages.
enum CopyingPurpose {
    case backup, restoration
}
