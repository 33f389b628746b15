// SPDX-License-Identifier: Apache-2.0
//
// Changes a library as its arguments say, on one thread and without runners: what tests of
// durability kill, disturb and trace. Renditions are the text "render of RECIPE", so that whoever
// looks later can tell whether recipe and rendition belong together.

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
