// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerHost
import RunnerProtocol

/// Checks that compare the parameters of the manifest with the code.
extension ValidationCheck {
    static let parameterChecks: [ValidationCheck] = [
        ValidationCheck(
            "parameter-names",
            "The code reports exactly the parameters of the manifest: a missing one cannot be set, "
                + "and users do not see an additional one.",
            requires: ["start"]
        ) { context in
            let (manifest, values) = try await startingValues(context)
            let names = manifest.parameters.filter { $0.type != .file }.map(\.name)
            if let missing = names.first(where: { values[$0] == nil }) {
                throw ValidationFinding.failure(
                    "the code does not report the parameter \"\(missing)\" of the manifest; return it "
                        + "in get_parameters, or remove it from the manifest"
                        + missing.closest(among: values.keys.sorted()).suggestion)
            }
            let known = manifest.parameters.map(\.name)
            if let unknown = values.keys.sorted().first(where: { !known.contains($0) }) {
                throw ValidationFinding.failure(
                    "the code reports the parameter \"\(unknown)\", which the manifest lacks; add it "
                        + "there, or remove it from get_parameters"
                        + unknown.closest(among: known).suggestion)
            }
        },
        ValidationCheck(
            "parameter-types",
            "The values at the start of an edit have the types and are within the limits of the "
                + "manifest.",
            requires: ["parameter-names"]
        ) { context in
            let (manifest, values) = try await startingValues(context)
            for parameter in manifest.parameters {
                guard let value = values[parameter.name] else { continue }
                try requireValid(value, of: parameter, "at the start")
            }
        },
        ValidationCheck(
            "parameter-defaults",
            "An edit starts with the defaults of the manifest, which forms and scripts show.",
            requires: ["parameter-types"]
        ) { context in
            let (manifest, values) = try await startingValues(context)
            for parameter in manifest.parameters {
                guard let wanted = parameter.default, let value = values[parameter.name],
                    // The code may write a colour in another form.
                    !((try? parameter.checked(value)) ?? value).isClose(to: wanted)
                else { continue }
                throw ValidationFinding.failure(
                    "\"\(parameter.name)\" starts as \(value.text), but its default in the "
                        + "manifest is \(wanted.text); make them equal")
            }
        },
        ValidationCheck(
            "parameter-changes",
            "A value that is set is reported afterwards, and other parameters keep their values.",
            requires: ["parameter-types"]
        ) { context in
            try await context.withExtension { tested in
                try await changeEach(in: tested) { Array($0.alternatives.prefix(3)) }
            }
        },
        ValidationCheck(
            "parameter-invalid-values",
            "Values out of range and of wrong types, which a damaged recipe can have, do not crash "
                + "the extension or change the type of a parameter.",
            requires: ["parameter-types"]
        ) { context in
            try await context.withExtension { tested in try await setInvalidValues(in: tested) }
        },
    ]

    /// Checks that finish edits with other values.
    static let effectChecks: [ValidationCheck] = [
        ValidationCheck(
            "parameter-limits",
            "Values at the limits of the manifest are accepted and can be rendered.",
            requires: ["parameter-changes", "finish"]
        ) { context in
            try await context.withExtension { tested in
                try await changeEach(in: tested, \.extremes)
                for parameter in tested.manifest.parameters {
                    for value in parameter.extremes.prefix(8) {
                        _ = try await tested.edit(ValidationPicture(), [parameter.name: value])
                    }
                }
            }
        },
        ValidationCheck(
            "parameter-effect",
            "Every parameter changes the result for some values of the others.",
            requires: ["parameter-changes", "deterministic"]
        ) { context in
            try await context.withExtension { tested in try await checkEffects(in: tested) }
        },
    ]

    private static func checkEffects(in tested: ValidatedExtension) async throws {
        var (dead, untried): ([String], [String]) = ([], [])
        let file = tested.manifest.parameters.first { $0.type == .file && $0.default == nil }
        for parameter in tested.manifest.parameters {
            guard !parameter.alternatives.isEmpty else {
                let reason =
                    parameter.type == .file
                    ? "only its author has files that suit it" : "it has no other value"
                untried.append("\"\(parameter.name)\" was not tried, because \(reason)")
                continue
            }
            let others = tested.manifest.parameters.filter { $0.name != parameter.name }
            guard try await !hasEffect(parameter, others, in: tested) else { continue }
            if let file {
                untried.append("\"\(parameter.name)\" may depend on the file \"\(file.name)\"")
            } else {
                dead.append("\"\(parameter.name)\"")
            }
        }
        guard dead.isEmpty else {
            let names = dead.joined(separator: ", ")
            throw ValidationFinding.warning(
                (["no value that was tried changes the result: \(names)"] + untried)
                    .joined(separator: "; "))
        }
        guard untried.isEmpty else {
            throw ValidationFinding.skip(untried.joined(separator: "; "))
        }
    }

    private static func startingValues(
        _ context: ValidationContext
    ) async throws -> (ExtensionManifest, [String: ParameterValue]) {
        try await context.withExtension { tested in
            let picture = ValidationPicture()
            let values = try await tested.withSession { session in
                try await session.start(tested.start(picture), [(.base, try picture.file())])
            }
            return (tested.manifest, values)
        }
    }

    private static func requireValid(
        _ value: ParameterValue, of parameter: ExtensionParameter, _ time: String
    ) throws {
        // A file may have no value.
        guard parameter.type != .file, (try? parameter.checked(value)) == nil else { return }
        throw ValidationFinding.failure(
            "\"\(parameter.name)\" is \(value.text) \(time), but must be \(parameter.expectation)")
    }

    /// Sets each parameter to some values in one edit.
    private static func changeEach(
        in tested: ValidatedExtension, _ values: (ExtensionParameter) -> [ParameterValue]
    ) async throws {
        // An automatic parameter changes others, and does not keep its value.
        let changes = tested.manifest.parameters.filter { $0.role != .automatic }.flatMap {
            parameter in values(parameter).map { (parameter, $0) }
        }
        let picture = ValidationPicture()
        try await tested.withSession { session in
            var current = try await session.start(
                tested.start(picture), [(.base, try picture.file())])
            for (parameter, value) in changes {
                let reported = try await session.setParameters([parameter.name: value])
                current[parameter.name] = value
                for (name, wanted) in current.sorted(by: { $0.key < $1.key })
                where !wanted.isClose(to: reported[name]) {
                    throw ValidationFinding.failure(
                        "after \"\(parameter.name)\" was set to \(value.text), \"\(name)\" is "
                            + "\(reported[name]?.text ?? "missing"), not \(wanted.text)")
                }
            }
        }
    }

    private static func setInvalidValues(in tested: ValidatedExtension) async throws {
        let picture = ValidationPicture()
        for parameter in tested.manifest.parameters {
            for value in parameter.invalidValues {
                let json = try JSONEncoder().encode([parameter.name: value])
                try await tested.withSession { session in
                    _ = try await session.start(
                        tested.start(picture), [(.base, try picture.file())])
                    guard let reported = try await session.valuesUnlessRejected(json),
                        let value = reported[parameter.name]
                    else { return }
                    // Values out of range are kept, because the host rejects them.
                    try requireType(value, of: parameter)
                }
            }
        }
    }

    private static func requireType(
        _ value: ParameterValue, of parameter: ExtensionParameter
    ) throws {
        var unlimited = parameter
        (unlimited.minimum, unlimited.maximum) = (nil, nil)
        (unlimited.minimumCount, unlimited.maximumCount) = (nil, nil)
        let isRange = [.point, .rectangle, .points, .curve, .choice, .color].contains(
            parameter.type)
        guard !isRange else { return }
        try requireValid(value, of: unlimited, "after an invalid value was set")
    }

    /// Whether a parameter changes the result, with the others at their defaults or one of them changed.
    private static func hasEffect(
        _ parameter: ExtensionParameter, _ others: [ExtensionParameter],
        in tested: ValidatedExtension
    ) async throws -> Bool {
        let values = parameter.alternatives.prefix(4)
        let contexts =
            [[:]]
            + others.flatMap { other in
                other.alternatives.prefix(6).map { [other.name: $0] }
            }
        for context in contexts.prefix(40) {
            guard let before = try await effect(context, in: tested) else { continue }
            for value in values {
                let changed = context.merging([parameter.name: value]) { $1 }
                if try await effect(changed, in: tested) != before { return true }
            }
        }
        return false
    }

    /// Returns the result of an edit; nil if the extension rejects a text, such as the name of an unknown font.
    private static func effect(
        _ values: [String: ParameterValue], in tested: ValidatedExtension
    ) async throws -> ValidatedExtension.Effect? {
        do {
            return try await tested.effect(values)
        } catch let error as HostError where error.underlying is RunnerFailure {
            let hasText = tested.manifest.parameters.contains {
                $0.type == .text && values[$0.name] != nil
            }
            guard hasText else { throw error }
            return nil
        }
    }
}
