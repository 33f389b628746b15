// SPDX-License-Identifier: Apache-2.0

/// An optional value on the heap. A missing value takes 8 bytes, however large the type is.
@propertyWrapper
package struct Boxed<Value> {
    // An array of at most one value.
    private var values: [Value]

    /// Creates a property with a value.
    package init(wrappedValue: Value?) { values = wrappedValue.map { [$0] } ?? [] }

    /// The value, or nil.
    package var wrappedValue: Value? {
        get { values.first }
        set { values = newValue.map { [$0] } ?? [] }
    }
}

extension Boxed: Sendable where Value: Sendable {}
