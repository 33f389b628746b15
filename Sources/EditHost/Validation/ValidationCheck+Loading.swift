// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerHost
import RunnerProtocol

/// Checks of the library, up to the start of an edit.
extension ValidationCheck {
    static let loadingChecks: [ValidationCheck] = [
        ValidationCheck(
            "load",
            "The library loads and exports its entry, which matches the manifest in identifier, "
                + "version and ABI.",
            requires: ["manifest"]
        ) { context in
            try await context.withExtension { tested in try await tested.load() }
        },
        ValidationCheck(
            "load-time",
            "The library loads within half a second, because every new process loads it.",
            requires: ["load"]
        ) { context in
            var fastest = Duration.seconds(60)
            for _ in 1...3 { fastest = min(fastest, try await loadTime(context)) }
            guard fastest > .milliseconds(500) else { return }
            throw ValidationFinding.warning(
                "loading took \(Int(fastest / .milliseconds(1))) ms at best; "
                    + "prepare tables and models when they are needed")
        },
        ValidationCheck(
            "manifest-generated",
            "The parameters in the generated manifest are those in manifest.json.",
            requires: ["load"]
        ) { context in try await checkGeneratedManifest(context) },
        ValidationCheck(
            "create", "A controller can be created and destroyed without an edit.",
            requires: ["load"]
        ) { context in
            try await context.withExtension { tested in try await tested.withSession { _ in } }
        },
        ValidationCheck(
            "start",
            "An edit of each media type of the manifest starts and reports its parameters.",
            requires: ["create"]
        ) { context in
            try await context.withExtension { tested in
                for type in tested.manifest.supportedMediaTypes where type != .audio {
                    try await tested.withSession { session in
                        let picture = ValidationPicture()
                        _ = try await session.start(
                            tested.start(picture, asVideo: type == .video),
                            [(.base, try picture.file())])
                    }
                }
            }
        },
    ]

    private static func loadTime(_ context: ValidationContext) async throws -> Duration {
        try await context.withExtension { tested in
            // Starts the process, whose time does not count.
            _ = try await tested.host.pool.facts()
            let start = ContinuousClock.now
            try await tested.load()
            return ContinuousClock.now - start
        }
    }

    private static func checkGeneratedManifest(_ context: ValidationContext) async throws {
        try await context.withExtension { tested in
            let manifest = tested.manifest
            let json = try await tested.host.pool.withRunner(loading: [tested.binary]) { runner in
                let reply = try await runner.send(
                    .describe(extensionIdentifier: manifest.identifier),
                    timeout: runner.timeouts.interactive)
                guard case .manifest(let json) = reply else { throw runner.unexpected(reply) }
                return json
            }
            guard let json,
                var members = try? JSONSerialization.jsonObject(with: json) as? [String: Any]
            else { throw ValidationFinding.skip("the library generates no manifest") }
            members["library"] = manifest.library
            let generated: ExtensionManifest
            do {
                generated = try ExtensionManifest(
                    json: JSONSerialization.data(withJSONObject: members))
            } catch let error as InvalidValueError {
                throw ValidationFinding.failure("\(error.at(nil))")
            }
            // Properties without @Parameter are not in the generated manifest.
            guard !generated.parameters.isEmpty else {
                throw ValidationFinding.skip("the library generates no parameters")
            }
            for parameter in generated.parameters
            where manifest.parameter(named: parameter.name) != parameter {
                throw ValidationFinding.failure(
                    "the parameter \"\(parameter.name)\" of manifest.json differs from the one that "
                        + "the library generates; run edithost extensions manifest again")
            }
        }
    }
}
