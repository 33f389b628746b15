// SPDX-License-Identifier: Apache-2.0

/// A sample in the memory of an extension. Its level is 0...1.
protocol LayoutSample {
    /// - Parameter level: The level, 0...1. Integers are rounded to the nearest value.
    init(level: Float)
    /// The level. Floating-point samples of an extension may have any value, including NaN.
    var level: Float { get }
}

extension UInt8: LayoutSample {
    init(level: Float) { self = UInt8(level * 255 + 0.5) }
    var level: Float { Float(self) / 255 }
}

extension UInt16: LayoutSample {
    init(level: Float) { self = UInt16(level * 65535 + 0.5) }
    var level: Float { Float(self) / 65535 }
}

extension Float: LayoutSample {
    init(level: Float) { self = level }
    var level: Float { self }
}
