// SPDX-License-Identifier: Apache-2.0

import RunnerHost

extension ExtensionBudget.Part {
    /// The valid range of a configured limit. The minimum is what a runner needs itself.
    var range: ClosedRange<Int> {
        switch self {
        case .memory: 64 << 20...1 << 50
        case .processorTime, .wallClock: 1...604_800
        case .output: 1 << 20...1 << 50
        case .threads: 16...32_768
        case .files: 8...1_000_000
        }
    }
}

extension ExtensionBudget {
    /// Sets a limit to a value of ``Part/range``.
    mutating func set(_ part: Part, to value: Int) {
        switch part {
        case .memory: memory = UInt64(value)
        case .processorTime: processorSeconds = value
        case .wallClock: wallClock = .seconds(value)
        case .output: outputBytes = UInt64(value)
        case .threads: threads = value
        case .files: files = value
        }
    }
}
