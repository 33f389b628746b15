// SPDX-License-Identifier: Apache-2.0
//
// Changes a library as specified by its arguments, on one thread and without runners. Durability
// tests kill, disturb and trace this program. Renditions are the text "render of RECIPE", so that
// a later check can match recipes and renditions.

import EditingModel
import Foundation
import Glibc
import Library

do {
    try Driver(arguments: Array(CommandLine.arguments.dropFirst())).run()
} catch let error as LibraryError {
    Driver.say("failed: \(error.code.rawValue): \(error)")
    exit(error.code == .busy || error.code == .conflict ? 75 : 73)
} catch {
    Driver.say("failed: \(error)")
    exit(70)
}
