// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerHost
import RunnerProtocol

/// Checks of recipes: those that the extension writes, and foreign and damaged ones.
extension ValidationCheck {
    static let recipeChecks: [ValidationCheck] = [
        ValidationCheck(
            "finish",
            "finish calls its completion within 5 seconds for a small picture, with a recipe and a "
                + "picture.",
            requires: ["start"]
        ) { context in
            try await context.withExtension({ $0.timeouts.render = .seconds(5) }) { tested in
                _ = try await tested.edit(ValidationPicture())
            }
        },
        ValidationCheck(
            "preview",
            "A preview of a photo can be rendered before finish.", requires: ["start"]
        ) { context in
            try await context.withExtension { tested in
                let picture = ValidationPicture()
                try await tested.withSession { session in
                    var start = tested.start(picture)
                    start.isInteractive = true
                    _ = try await session.start(start, [(.base, try picture.file())])
                    _ = try await tested.preview(session, picture.size)
                }
            }
        },
        ValidationCheck(
            "preview-repeated",
            "Previews can be rendered repeatedly in an edit, whether or not it is finished afterwards.",
            requires: ["preview", "finish"]
        ) { context in
            try await context.withExtension { tested in
                let picture = ValidationPicture()
                for isFinished in [false, true] {
                    try await tested.withSession { session in
                        var start = tested.start(picture)
                        start.isInteractive = true
                        _ = try await session.start(start, [(.base, try picture.file())])
                        for _ in 1...3 { _ = try await tested.preview(session, picture.size) }
                        _ = await session.shouldShowCancelConfirmation()
                        if isFinished { _ = try await tested.finish(session) }
                    }
                }
            }
        },
        ValidationCheck(
            "recipe-format",
            "The recipe has a format that the manifest declares in \"writes\" and is not empty.",
            requires: ["finish", "manifest-formats"]
        ) { context in
            try await context.withExtension { tested in
                let recipe = try await tested.edit(ValidationPicture()).recipe
                guard tested.manifest.writes.contains(where: { $0.matches(recipe) }) else {
                    throw ValidationFinding.failure(
                        "its recipe has the format \(recipe.formatIdentifier) "
                            + "\(recipe.formatVersion), which \"writes\" of the manifest lacks; add it "
                            + "there, or correct the recipe's format")
                }
            }
        },
        ValidationCheck(
            "recipe-accepted",
            "can_handle accepts the recipes that the extension writes; otherwise an edit cannot be "
                + "continued or rendered again.",
            requires: ["finish"]
        ) { context in
            try await context.withExtension { tested in
                let recipe = try await tested.edit(ValidationPicture()).recipe
                guard try await tested.withSession({ try await $0.canHandle(recipe) }) else {
                    throw ValidationFinding.failure(
                        "can_handle does not accept its own recipe, \(recipe.formatIdentifier) "
                            + "\(recipe.formatVersion); accept every format that finish writes")
                }
            }
        },
        ValidationCheck(
            "deterministic",
            "Equal values give equal recipes and pixels in two processes; otherwise the picture that "
                + "the user has seen cannot be rendered again.",
            requires: ["finish", "parameter-changes"]
        ) { context in
            try await context.withExtension { tested in
                for values in try await tested.settings() {
                    let first = try await tested.edit(ValidationPicture(), values)
                    await tested.restart()
                    let second = try await tested.edit(ValidationPicture(), values)
                    try requireEqual(second, first, "a second edit with the same values")
                }
            }
        },
        ValidationCheck(
            "recipe-round-trip",
            "An edit that is continued from its recipe in another process has the same values, the "
                + "same recipe byte for byte, and the same pixels.",
            requires: ["recipe-accepted", "deterministic"]
        ) { context in
            try await context.withExtension { tested in
                for values in try await tested.settings() {
                    let first = try await tested.edit(ValidationPicture(), values)
                    await tested.restart()
                    let second = try await tested.edit(ValidationPicture(), from: first.recipe)
                    try requireEqual(second, first, "the edit continued from its recipe")
                }
            }
        },
        ValidationCheck(
            "foreign-recipes",
            "can_handle does not accept recipes in formats of other extensions.",
            requires: ["start"]
        ) { context in
            try await context.withExtension { tested in
                let format = try ownFormat(of: tested)
                for identifier in ["org.example.unknown", "", format.identifier + ".other"] {
                    let recipe = AdjustmentData(
                        formatIdentifier: identifier, formatVersion: format.version,
                        data: Data("{}".utf8))
                    guard !tested.manifest.declaresReading(recipe),
                        try await tested.withSession({ try await $0.canHandle(recipe) })
                    else { continue }
                    throw ValidationFinding.failure(
                        "can_handle accepts a recipe of the format \"\(identifier)\"; compare the "
                            + "format identifier")
                }
            }
        },
        ValidationCheck(
            "damaged-recipes",
            "Empty, truncated and random recipes are accepted or rejected without a crash, because a "
                + "library may come from an untrusted source.",
            requires: ["start"]
        ) { context in
            try await context.withExtension { tested in
                for data in try await damagedRecipes(of: tested, seed: context.seed) {
                    let format = try ownFormat(of: tested)
                    let recipe = AdjustmentData(
                        formatIdentifier: format.identifier, formatVersion: format.version,
                        data: data)
                    try await startIfAccepted(recipe, in: tested)
                }
            }
        },
    ]

    private static func requireEqual(
        _ second: ValidationEdit, _ first: ValidationEdit, _ what: String
    ) throws {
        if second.recipe != first.recipe {
            throw ValidationFinding.failure("\(what) has a different recipe")
        }
        if second.picture != first.picture {
            throw ValidationFinding.failure(
                "\(what) has different pixels; they may depend only on the input and the recipe, so "
                    + "store random seeds and measurements in the recipe")
        }
        for (name, value) in first.parameters.sorted(by: { $0.key < $1.key })
        where !value.isClose(to: second.parameters[name]) {
            throw ValidationFinding.failure(
                "in \(what), \"\(name)\" is \(second.parameters[name]?.text ?? "missing"), not "
                    + value.text)
        }
    }

    private static func ownFormat(
        of tested: ValidatedExtension
    ) throws -> (identifier: String, version: String) {
        guard let format = tested.manifest.writes.first ?? tested.manifest.reads.first else {
            throw ValidationFinding.skip("the manifest declares no format")
        }
        return (format.formatIdentifier, format.formatVersions?.first ?? "1.0")
    }

    /// Returns damaged versions of the extension's own recipe, and random bytes.
    private static func damagedRecipes(
        of tested: ValidatedExtension, seed: UInt64
    ) async throws -> [Data] {
        var random = ValidationRandom(seed: seed)
        var damaged = [Data(), Data([0]), Data("{".utf8), Data("[]".utf8), Data("null".utf8)]
        damaged += [1, 100, 70_000].map { random.bytes($0) }
        guard let recipe = try? await tested.edit(ValidationPicture()).recipe.data else {
            return damaged
        }
        damaged += [recipe.count / 2, max(0, recipe.count - 1)].map { Data(recipe.prefix($0)) }
        for _ in 1...4 {
            var changed = recipe
            let place = changed.indices.randomElement(using: &random)
            if let place { changed[place] = UInt8.random(in: .min ... .max, using: &random) }
            damaged.append(changed)
        }
        return damaged + [recipe + recipe]
    }

    /// Starts an edit from a recipe if can_handle accepts it. An error of the extension is an acceptable result.
    private static func startIfAccepted(
        _ recipe: AdjustmentData, in tested: ValidatedExtension
    ) async throws {
        do {
            let isAccepted = try await tested.withSession { try await $0.canHandle(recipe) }
            guard isAccepted else { return }
            _ = try await tested.edit(ValidationPicture(), from: recipe)
        } catch let error as HostError where error.underlying is RunnerFailure {
            return
        }
    }
}
