// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

/// Tests of `ExtensionValidation` with plug-ins that have one mistake each.
@Suite("extension validation")
struct ExtensionValidationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs checks, and returns those that do not pass.
    private func findings(
        _ path: String, only: [String]? = nil
    ) async throws -> [ValidationResult] {
        var validation = ExtensionValidation(of: path)
        validation.only = only
        let configuration = HostConfiguration(
            runnerExecutable: BuildProducts.runner, extensionFolders: [], threadsPerRunner: 2)
        let found = Mutex<[ValidationResult]>([])
        try await validation.run(configuration, logger: Logger(label: "test") { _ in TestLog() }) {
            result in
            if result.outcome != .passed { found.withLock { $0.append(result) } }
        }
        return found.withLock { $0 }
    }

    private static func words(_ results: [ValidationResult]) -> String {
        results.map { "\($0.check.id) \($0.outcome.name): \($0.outcome.reason ?? "")" }
            .joined(separator: "\n")
    }

    @Test(
        "a check reports each mistake that it is for",
        arguments: ZooMember.all.filter { !$0.isSlow })
    func mistake(member: ZooMember) async throws {
        let found = try await findings(member.build(in: folder.path), only: [member.check])
        #expect(found.map(\.check.id) == [member.check], "\(Self.words(found))")
        #expect(found.map(\.outcome.name) == [member.outcome], "\(Self.words(found))")
    }

    @Test(
        "only the check for a mistake does not pass", .torture, arguments: ZooMember.all)
    func onlyMistakeTorture(member: ZooMember) async throws {
        let found = try await findings(member.build(in: folder.path))
            .filter { $0.outcome.name != "skipped" }
        #expect(found.map(\.check.id) == [member.check], "\(Self.words(found))")
        #expect(found.map(\.outcome.name) == [member.outcome], "\(Self.words(found))")
    }

    @Test("a default colour may be written with or without alpha")
    func opaqueColor() async throws {
        let found = try await findings(
            ZooMember.withOpaqueColor.build(in: folder.path), only: ["parameter-defaults"])
        #expect(found.isEmpty, "\(Self.words(found))")
    }

    /// Expects that a plug-in with macros of `zoo.c` does not pass a check.
    private func expectFailure(of check: String, with macro: String) async throws {
        let member = try #require(
            ZooMember.all.first { $0.check == check && $0.testDescription.contains(macro) })
        let found = try await findings(member.build(in: folder.path), only: [check])
        #expect(found.map(\.check.id) == [check], "\(Self.words(found))")
    }

    @Test("C-17 a completion after a cancellation is reported")
    func lateCompletion() async throws {
        try await expectFailure(of: "completion-after-cancel", with: "LATE")
    }

    @Test("K-01 an empty recipe and a version of another shape are reported")
    func recipeShape() async throws {
        try await expectFailure(of: "finish", with: "EMPTY_RECIPE")
        try await expectFailure(of: "manifest-formats", with: "one")
    }

    @Test("C-17 a completion that crosses a cancellation within finish is not reported")
    func crossingCompletion() async throws {
        let found = try await findings(
            ZooMember.healthyButSlow.build(in: folder.path), only: ["completion-after-cancel"])
        #expect(found.isEmpty, "\(Self.words(found))")
    }

    @Test("C-03 a media type that the code cannot edit is reported")
    func mediaType() async throws {
        try await expectFailure(of: "start", with: "video")
    }

    @Test(
        "M-02 C-01 the examples pass without a warning", .torture,
        arguments: [
            "BrightnessSwift", "MirrorSwift", "SmoothSwift", "InvertC", "TintC",
        ])
    func exampleTorture(name: String) async throws {
        let found = try await findings(TestExtension.buildExample(name, in: folder.path))
        #expect(found.allSatisfy { $0.outcome.name == "skipped" }, "\(Self.words(found))")
    }

    @Test("a plug-in without mistakes passes")
    func healthy() async throws {
        let found = try await findings(ZooMember.healthyVideos.build(in: folder.path))
        // It generates no manifest.
        #expect(found.map(\.check.id) == ["manifest-generated"], "\(Self.words(found))")
        #expect(found.allSatisfy { $0.outcome.name == "skipped" }, "\(Self.words(found))")
    }

    @Test("a pre-release version with build metadata is accepted")
    func preRelease() async throws {
        let found = try await findings(
            ZooMember.preRelease.build(in: folder.path), only: ["manifest-formats", "load"])
        #expect(found.isEmpty, "\(Self.words(found))")
    }

    @Test(
        "the reason says how to correct the mistake",
        arguments: [
            ("libzo.so", "correct \"library\""), ("\"abi\": \"2.0\"", "correct \"abi\""),
            ("NULL_ENTRY", "log the reason"), ("MAJOR=2", "update edithost"),
            ("org.example.other", "make them equal"), ("NO_CAPABILITY", "return at least one"),
            ("NULL_PARAMETERS", "set *json"), ("NULL_PREVIEW", "set *image"),
            ("NULL_OUTPUT", "pass an ee_output"), ("NO_IMAGE", "rendered_content_type"),
            (#"{\"Gain\":1}"#, "remove it from the manifest"),
            (#"{\"gain\":2}"#, "make them equal"), ("BYTES", "\"pixelFormats\""),
            ("ALPHA", "keep the fourth band"), ("\"pixelFormats\"", "add rgba8 and rgba16"),
            ("LEAK_IMAGES", "release every image"), ("RANDOM", "in the recipe"),
            ("FORMAT_VERSION", "correct the recipe's format"), ("LATE", "is_cancelled"),
        ])
    func cure(mistake: String, words: String) async throws {
        let member = try #require(
            ZooMember.all.first { $0.testDescription.contains(mistake) })
        let found = try await findings(member.build(in: folder.path), only: [member.check])
        #expect(found.count == 1, "\(Self.words(found))")
        #expect(found.first?.outcome.reason?.contains(words) == true, "\(Self.words(found))")
    }

    @Test(
        "a NULL is an error with the name of the entry that gave it",
        arguments: [
            ("NULL_ENTRY", "editing_extension_entry"), ("NULL_CAPABILITIES", "get_capability"),
            ("NULL_FUNCTION", "cancel"), ("NULL_CONTROLLER", "create"),
            ("NULL_PARAMETERS", "get_parameters"), ("NULL_PREVIEW", "render_preview"),
            ("NULL_OUTPUT", "finish"), ("NULL_RECIPE", "finish"), ("NO_IMAGE", "finish"),
            ("NULL_FRAME", "process_frame"),
        ])
    func null(macro: String, entry: String) async throws {
        let member = try #require(ZooMember.all.first { $0.macros.contains(macro) })
        let found = try await findings(member.build(in: folder.path), only: [member.check])
        #expect(found.map(\.outcome.name) == ["failed"], "\(Self.words(found))")
        #expect(found.first?.outcome.reason?.contains(entry) == true, "\(Self.words(found))")
    }

    @Test("a parameter whose effect cannot be checked is reported with the reason")
    func untriedParameter() async throws {
        let member = ZooMember.withFile
        let found = try await findings(member.build(in: folder.path), only: [member.check])
        #expect(found.map(\.outcome.name) == ["skipped"], "\(Self.words(found))")
        let reason = found.first?.outcome.reason
        #expect(
            reason == "\"table\" was not tried, because only its author has files that suit it")
    }

    @Test("a parameter without effect is no mistake if it may depend on a file")
    func parameterOfFile() async throws {
        let member = ZooMember.withFileAndDeadParameter
        let found = try await findings(member.build(in: folder.path), only: [member.check])
        #expect(found.map(\.outcome.name) == ["skipped"], "\(Self.words(found))")
        let reason = try #require(found.first?.outcome.reason)
        #expect(reason.hasPrefix("\"gain\" may depend on the file \"table\"; "), "\(reason)")
    }

    @Test("every check has a mistake that it reports, and a sentence")
    func table() {
        let ids = ValidationCheck.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(Set(ZooMember.all.map(\.check)) == Set(ids))
        for (index, check) in ValidationCheck.all.enumerated() {
            #expect(Set(ids[..<index]).isSuperset(of: check.requirements), "\(check.id)")
            #expect(check.summary.hasSuffix("."), "\(check.id)")
            #expect(check.id.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(check.id)")
        }
    }

    @Test("an unknown check is an error with a suggestion")
    func unknownCheck() async throws {
        let path = try ZooMember.healthy.build(in: folder.path)
        let error = await #expect(throws: HostError.self) {
            _ = try await findings(path, only: ["alpah"])
        }
        #expect(error?.code == .badRequest)
        #expect(error?.message.contains("alpha") == true)
    }
}
