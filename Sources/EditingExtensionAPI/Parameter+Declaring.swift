// SPDX-License-Identifier: Apache-2.0

// Labels, help and groups are plain strings, or strings by language: `["en": "Strength", "de": "Stärke"]`.

extension Parameter where Value == Double {
    /// Declares a number, with an optional range, step and unit.
    public init(
        wrappedValue: Value, _ range: ClosedRange<Double>? = nil, step: Double? = nil,
        unit: String? = nil, label: LocalizedText? = nil,
        help: LocalizedText? = nil, group: LocalizedText? = nil,
        role: ParameterRole? = nil, visible: ParameterVisibility? = nil
    ) {
        self.init(
            wrappedValue,
            ParameterDeclaration(
                type: "number", label: label, help: help, group: group, minimum: range?.lowerBound,
                maximum: range?.upperBound, step: step, unit: unit, role: role,
                visibleWhen: visible))
    }

    /// Declares an angle in degrees, clockwise.
    public init(
        wrappedValue: Value, angle range: ClosedRange<Double>, step: Double? = nil,
        label: LocalizedText? = nil,
        help: LocalizedText? = nil, group: LocalizedText? = nil,
        role: ParameterRole? = nil, visible: ParameterVisibility? = nil
    ) {
        self.init(
            wrappedValue,
            ParameterDeclaration(
                type: "angle", label: label, help: help, group: group, minimum: range.lowerBound,
                maximum: range.upperBound, step: step, role: role, visibleWhen: visible))
    }
}

extension Parameter where Value == Int {
    /// Declares an integer, with an optional range, step and unit.
    public init(
        wrappedValue: Value, _ range: ClosedRange<Int>? = nil, step: Int? = nil,
        unit: String? = nil, label: LocalizedText? = nil,
        help: LocalizedText? = nil, group: LocalizedText? = nil,
        visible: ParameterVisibility? = nil
    ) {
        self.init(
            wrappedValue,
            ParameterDeclaration(
                type: "integer", label: label, help: help, group: group,
                minimum: range.map { Double($0.lowerBound) },
                maximum: range.map { Double($0.upperBound) }, step: step.map { Double($0) },
                unit: unit, visibleWhen: visible))
    }
}

extension Parameter where Value == Bool {
    /// Declares a Boolean.
    public init(
        wrappedValue: Value, label: LocalizedText? = nil,
        help: LocalizedText? = nil, group: LocalizedText? = nil,
        role: ParameterRole? = nil, visible: ParameterVisibility? = nil
    ) {
        self.init(
            wrappedValue,
            ParameterDeclaration(
                type: "boolean", label: label, help: help, group: group, role: role,
                visibleWhen: visible))
    }
}

extension Parameter where Value == String {
    /// Declares a text, a colour or a file. The default of a colour becomes `#rrggbbaa`, the form in which the host sets
    /// colours.
    public init(
        wrappedValue: Value, _ kind: ParameterText = .text, label: LocalizedText? = nil,
        help: LocalizedText? = nil, group: LocalizedText? = nil,
        visible: ParameterVisibility? = nil
    ) {
        self.init(
            kind.canonical(wrappedValue),
            ParameterDeclaration(
                type: kind.rawValue, label: label, help: help, group: group, visibleWhen: visible))
    }
}

extension Parameter

where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// Declares a choice among the cases of an enumeration.
    ///
    /// - Parameter labels: The labels shown in forms. A case without one shows its raw value.
    public init(
        wrappedValue: Value, labels: KeyValuePairs<Value, LocalizedText> = [:],
        label: LocalizedText? = nil,
        help: LocalizedText? = nil, group: LocalizedText? = nil,
        visible: ParameterVisibility? = nil
    ) {
        let choices = Value.allCases.map { value in
            ParameterDeclaration.Choice(
                value: value.rawValue,
                label: labels.first { $0.key.rawValue == value.rawValue }?.value)
        }
        self.init(
            wrappedValue,
            ParameterDeclaration(
                type: "choice", label: label, help: help, group: group, choices: choices,
                visibleWhen: visible))
    }
}

extension Parameter where Value == UnitPoint {
    /// Declares a point of the picture, in unit coordinates.
    public init(
        wrappedValue: Value, label: LocalizedText? = nil,
        help: LocalizedText? = nil, group: LocalizedText? = nil,
        visible: ParameterVisibility? = nil
    ) {
        self.init(
            wrappedValue,
            ParameterDeclaration(
                type: "point", label: label, help: help, group: group, visibleWhen: visible))
    }
}

extension Parameter where Value == UnitRectangle {
    /// Declares a rectangle of the picture, in unit coordinates.
    public init(
        wrappedValue: Value, label: LocalizedText? = nil,
        help: LocalizedText? = nil, group: LocalizedText? = nil,
        role: ParameterRole? = nil, visible: ParameterVisibility? = nil
    ) {
        self.init(
            wrappedValue,
            ParameterDeclaration(
                type: "rectangle", label: label, help: help, group: group, role: role,
                visibleWhen: visible))
    }
}

extension Parameter where Value == Curve {
    /// Declares a curve, with an optional range for its number of points.
    public init(
        wrappedValue: Value, count: ClosedRange<Int>? = nil, label: LocalizedText? = nil,
        help: LocalizedText? = nil, group: LocalizedText? = nil,
        visible: ParameterVisibility? = nil
    ) {
        self.init(
            wrappedValue,
            ParameterDeclaration(
                type: "curve", label: label, help: help, group: group,
                minimumCount: count?.lowerBound, maximumCount: count?.upperBound,
                visibleWhen: visible))
    }
}

extension Parameter where Value == [[Double]] {
    /// Declares a list of points `[x, y]` of the picture, with an optional range for their number.
    public init(
        wrappedValue: Value, count: ClosedRange<Int>? = nil, label: LocalizedText? = nil,
        help: LocalizedText? = nil, group: LocalizedText? = nil,
        visible: ParameterVisibility? = nil
    ) {
        self.init(
            wrappedValue,
            ParameterDeclaration(
                type: "points", label: label, help: help, group: group,
                minimumCount: count?.lowerBound, maximumCount: count?.upperBound,
                visibleWhen: visible))
    }
}
