// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension ExtensionParameter {
    /// Parses a value in command-line syntax.
    ///
    /// A rectangle is `x,y,width,height`, a point `x,y`, a colour `#rrggbb` or `#rrggbbaa`, a boolean `true` or
    /// `false`, and a point list or curve `[[x,y],…]`.
    /// - Throws: `InvalidValueError` with the code `invalidParameter` if the value has the wrong type or is out
    ///   of range.
    public func value(fromText text: String) throws -> ParameterValue {
        let value: ParameterValue? =
            switch type {
            case .number, .angle: Double(text).map { .number($0) }
            case .integer: Int(text).map { .integer($0) }
            case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
            case .choice, .text, .file: .string(text)
            case .color: .string(text.lowercased())
            case .point: Self.numbers(text, count: 2).map { .point(x: $0[0], y: $0[1]) }
            case .rectangle:
                Self.numbers(text, count: 4).map {
                    .rectangle(x: $0[0], y: $0[1], width: $0[2], height: $0[3])
                }
            case .points, .curve: Self.points(text)
            }
        guard let value else { throw mismatch(text) }
        return try checked(value)
    }

    /// Returns a validated and normalised value.
    ///
    /// The value must match the type, range and choices of the parameter. Integers become `number` for a number
    /// parameter, and colours get an alpha component.
    ///
    /// - Throws: `InvalidValueError` with the code `invalidParameter`.
    public func checked(_ value: ParameterValue) throws -> ParameterValue {
        switch (type, value) {
        case (.number, .number(let number)), (.angle, .number(let number)):
            try checkRange(number)
            return value
        case (.number, .integer(let integer)), (.angle, .integer(let integer)):
            try checkRange(Double(integer))
            return .number(Double(integer))
        case (.integer, .integer(let integer)):
            try checkRange(Double(integer))
            return value
        case (.boolean, .boolean), (.text, .string), (.file, .string):
            return value
        case (.choice, .string(let choice)):
            let choices = choiceValues
            guard choices.contains(choice) else {
                throw mismatch(choice, choice.closest(among: choices))
            }
            return value
        case (.color, .string(let text)):
            guard let color = ParameterValue.color(text) else { throw mismatch(text) }
            return color
        case (.point, .point(let x, let y)):
            try checkUnit([x, y])
            return value
        case (.rectangle, .rectangle(let x, let y, let width, let height)):
            try checkRectangle(x, y, width, height)
            return value
        case (.points, .points(let points)), (.curve, .points(let points)):
            try checkPoints(points)
            return value
        default:
            throw mismatch(value.text)
        }
    }

    /// Returns the type of a value, such as "a string", if the parameter accepts no values of that type; otherwise
    /// `nil`. The range is not checked.
    package func mismatchedType(of value: ParameterValue) -> String? {
        switch (type, value) {
        case (.number, .number), (.number, .integer), (.angle, .number), (.angle, .integer),
            (.integer, .number), (.integer, .integer), (.boolean, .boolean), (.text, .string),
            (.file, .string), (.choice, .string), (.color, .string), (.point, .point),
            (.rectangle, .rectangle), (.points, .points), (.curve, .points):
            nil
        default: value.typeName
        }
    }

    private func checkRange(_ number: Double) throws {
        guard number.isFinite, number >= minimum ?? -.infinity, number <= maximum ?? .infinity
        else {
            throw InvalidValueError.parameter(
                name, "must be \(expectation), not \(number.shortText)")
        }
    }

    private func checkUnit(_ numbers: [Double]) throws {
        guard numbers.allSatisfy({ (0.0...1.0).contains($0) }) else {
            throw InvalidValueError.parameter(name, "must be \(expectation)")
        }
    }

    private func checkRectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double
    ) throws {
        try checkUnit([x, y, width, height])
        // Tolerates rounding errors of decimal fractions.
        guard width > 0, height > 0, x + width <= 1 + 1e-9, y + height <= 1 + 1e-9 else {
            throw InvalidValueError.parameter(
                name,
                "must be inside the picture: x + width and y + height at most 1, width and "
                    + "height above 0")
        }
    }

    private func mismatch(_ text: String, _ suggestion: String? = nil) -> InvalidValueError {
        InvalidValueError.parameter(
            name,
            "must be \(expectation), not \"\(text)\"\(suggestion.suggestion)")
    }

    /// A description of the accepted values, for messages and help.
    public var expectation: String {
        switch type {
        case .number: "a number" + rangeText
        case .angle: "an angle in degrees" + rangeText
        case .integer: "a whole number" + rangeText
        case .boolean: "true or false"
        case .choice: "one of " + choiceValues.joined(separator: ", ")
        case .color: "a colour, #rrggbb or #rrggbbaa"
        case .point: "x,y, each 0 to 1"
        case .rectangle: "x,y,width,height, each 0 to 1"
        case .points: "a list of \(countText)points [[x,y],…], each 0 to 1"
        case .curve: "a curve of \(countText)points [[x,y],…], each 0 to 1, x ascending"
        case .text: "a text"
        case .file: "a path"
        }
    }

    private var rangeText: String {
        switch (minimum, maximum) {
        case (let low?, let high?): " from \(low.shortText) to \(high.shortText)"
        case (let low?, nil): " of at least \(low.shortText)"
        case (nil, let high?): " of at most \(high.shortText)"
        case (nil, nil): ""
        }
    }

    private static func numbers(_ text: String, count: Int) -> [Double]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .compactMap { Double($0) }
        return numbers.count == count && text.filter { $0 == "," }.count == count - 1
            ? numbers : nil
    }
}
