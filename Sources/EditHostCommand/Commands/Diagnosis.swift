// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import JSONOutput
import RunnerHost
import RunnerProtocol

/// The findings of `doctor`, with advice for the user.
struct Diagnosis: Sendable {
    let configuration: HostConfiguration
    /// The facts that the runner reported; `nil` if none could be started.
    var facts: RunnerFacts?
    /// The facts that the media runner reported; `nil` if none could be started or it is not installed.
    var mediaFacts: RunnerFacts?
    /// The reason why no media runner could be started.
    var mediaFailure: HostError?
    /// The reason why no runner could be started.
    var failure: HostError?

    /// The required components to install or enable; empty if none is missing.
    var advice: [String] {
        guard let facts else {
            return (failure.map { ["\($0)"] } ?? []) + Self.systemAdvice(failure)
        }
        return sandboxAdvice(facts.sandbox) + Self.formatAdvice(facts.formats)
    }

    private static func systemAdvice(_ failure: HostError?) -> [String] {
        guard failure?.code == .sandboxUnavailable else {
            return [
                "run `make install` again, so that edithost and edithost-runner are of the "
                    + "same version"
            ]
        }
        return layerAdvice
    }

    private static let layerAdvice = [
        "Landlock needs Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK, and landlock in the "
            + "list of the kernel's parameter lsm=",
        "seccomp needs a kernel with CONFIG_SECCOMP_FILTER, and in a container a profile that "
            + "allows landlock_* and seccomp",
    ]

    /// Recommendations if nothing required is missing.
    var hints: [String] {
        guard let sandbox = facts?.sandbox, sandbox.isComplete else { return [] }
        let missing = sandbox.missingNamespaces
        guard !missing.isEmpty else { return [] }
        return [
            "runners have no namespaces of their own (\(missing.joined(separator: ", "))), so "
                + "the host counts their threads; to enable namespaces, set sysctl "
                + "user.max_user_namespaces above 0 and, if it exists, "
                + "kernel.apparmor_restrict_unprivileged_userns=0, and in a container use a "
                + "profile that allows unshare"
        ]
    }

    private func sandboxAdvice(_ sandbox: SandboxFacts) -> [String] {
        if configuration.sandbox == .off {
            return ["the sandbox is off; leave out --no-sandbox to enable it"]
        }
        guard !sandbox.isComplete else { return [] }
        let missing = sandbox.missingLayers.joined(separator: ", ")
        return [
            "missing from the sandbox: \(missing); extensions are rejected, and pictures are "
                + "opened with less protection"
        ]
            + Self.layerAdvice
    }

    private static func formatAdvice(_ formats: [MediaFormat]) -> [String] {
        let missing = wantedFormats.filter { !formats.contains($0) }.map(\.displayName)
        guard !missing.isEmpty else { return [] }
        return [
            "\(missing.joined(separator: ", ")) cannot be opened; install a libvips that "
                + "supports them (Debian: libvips42 and libheif1)"
        ]
    }

    private static let wantedFormats: [MediaFormat] = [
        .jpeg, .png, .tiff, .webp, .heic, .avif, .gif, .jxl,
    ]

    // MARK: - Text

    /// A table, followed by the advice.
    var lines: [String] {
        var table = TextTable(["what", "found"])
        for (name, value) in rows { table.add([name, value]) }
        return table.lines + advice.map { "! \($0)" } + hints.map { "- \($0)" }
    }

    private var rows: [(String, String)] {
        [("edithost", HostVersion.current), ("runner", configuration.runnerExecutable)]
            + (facts.map(Self.rows) ?? []) + mediaRows + budgetRows
            + [("configuration", configurationFile + Self.remark(configurationFile))]
            + configuration.extensionFolders.map { ("extension folder", $0 + Self.remark($0)) }
    }

    /// The I/O protocols that the media runner reports, by which a file could open other files; null if it is
    /// not installed.
    private var mediaProtocols: [String]? {
        mediaFacts?.codecs.first { $0.name == "protocols" }?.abilities
    }

    private var mediaRows: [(String, String)] {
        let path = configuration.mediaRunnerExecutable
        guard let mediaFacts else {
            let reason = mediaFailure.map { " (cannot be started: \($0))" } ?? ""
            return [
                (
                    "media runner",
                    path.map { $0 + reason } ?? "not installed; videos cannot be edited"
                )
            ]
        }
        return [("media runner", path ?? "")]
            + mediaFacts.codecs.map { ($0.name, Self.words(for: $0)) }
    }

    private static func rows(_ facts: RunnerFacts) -> [(String, String)] {
        let sandbox = facts.sandbox
        let abi = sandbox.landlockABI
        let namespaces = sandbox.namespaces
        let library = [("libvips", facts.vipsVersion)]
        let codecs = facts.codecs.map { ($0.name, words(for: $0)) }
        let others: [(String, String)] = [
            ("formats", facts.formats.map(\.displayName).joined(separator: ", ")),
            ("loaders", facts.loaders.joined(separator: ", ")),
            ("Landlock", abi > 0 ? "ABI \(abi)" : "no"),
            ("seccomp", sandbox.seccomp ? "mode 2 (filter)" : "no"),
            ("no new privileges", sandbox.noNewPrivileges ? "yes" : "no"),
            ("namespaces", namespaces.isEmpty ? "none" : namespaces.joined(separator: ", ")),
            ("memory limit", size(sandbox.addressSpace)),
            ("file size limit", size(sandbox.fileSize)),
            ("descriptor limit", isUnlimited(sandbox.openFiles) ? "none" : "\(sandbox.openFiles)"),
            ("thread limit", sandbox.threads.map { "\($0)" } ?? "watched by the host"),
        ]
        return library + codecs + others
    }

    /// Returns the version and abilities of a codec, with the file name in place of an unknown version.
    private static func words(for codec: CodecFacts) -> String {
        ([codec.version ?? filename(of: codec) ?? "version unknown"] + codec.abilities)
            .joined(separator: "; ")
    }

    /// Returns the name of the resolved library file, such as `libjpeg.so.62.3.0`.
    private static func filename(of codec: CodecFacts) -> String? {
        codec.file.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().lastPathComponent }
    }

    /// The resource limits of extensions: the general ones and those of individual extensions.
    private var budgetRows: [(String, String)] {
        let budgets = configuration.budgets
        return [("budget", words(for: budgets.standard))]
            + budgets.extensions.sorted { $0.key < $1.key }.map {
                ("budget of \($0.key)", words(for: $0.value))
            }
    }

    private func words(for budget: ExtensionBudget) -> String {
        let time = (budget.wallClock ?? configuration.timeouts.render).components.seconds
        return "\(Self.size(budget.memory)) of memory, \(budget.processorSeconds) s of CPU and "
            + "\(time) s for a call, \(Self.size(budget.outputBytes)) of output, "
            + "\(budget.threads.counted("thread")), \(budget.files.counted("file"))"
    }

    private var configurationFile: String { configuration.configurationFile ?? "" }

    private static func size(_ bytes: UInt64) -> String {
        isUnlimited(bytes) ? "none" : "\(bytes >> 20) MiB"
    }

    /// Whether a limit is `RLIM_INFINITY`.
    private static func isUnlimited(_ limit: UInt64) -> Bool { limit == .max }

    private static func remark(_ folder: String) -> String {
        FileManager.default.fileExists(atPath: folder) ? "" : " (missing)"
    }

    // MARK: - JSON

    /// The findings as JSON.
    var row: JSONRow {
        [
            "version": HostVersion.current,
            "runner": configuration.runnerExecutable,
            "extensionFolders": configuration.extensionFolders,
            "libvips": facts?.vipsVersion,
            "codecs": (facts?.codecs ?? []).map(Self.resolved),
            "formats": (facts?.formats ?? []).map(\.rawValue),
            "loaders": facts?.loaders ?? [],
            "mediaRunner": configuration.mediaRunnerExecutable,
            "mediaCodecs": (mediaFacts?.codecs ?? []).map(Self.resolved),
            "mediaProtocols": mediaProtocols,
            "sandbox": facts.map { Self.row($0.sandbox) },
            "configuration": configurationFile,
            "budgets": budgetsRow,
            "error": failure.map(ExitStatus.words),
            "advice": advice,
            "hints": hints,
        ]
    }

    private var budgetsRow: JSONRow {
        let budgets = configuration.budgets
        return JSONRow(
            [("default", row(budgets.standard))]
                + budgets.extensions.sorted { $0.key < $1.key }.map { ($0.key, row($0.value)) })
    }

    /// Returns the limits in the form of the configuration file.
    private func row(_ budget: ExtensionBudget) -> JSONRow {
        let time = (budget.wallClock ?? configuration.timeouts.render).components.seconds
        return JSONRow(
            ExtensionBudget.Part.allCases.map { part in
                switch part {
                case .memory: (part.rawValue, Int(clamping: budget.memory))
                case .processorTime: (part.rawValue, budget.processorSeconds)
                case .wallClock: (part.rawValue, Int(clamping: time))
                case .output: (part.rawValue, Int(clamping: budget.outputBytes))
                case .threads: (part.rawValue, budget.threads)
                case .files: (part.rawValue, budget.files)
                }
            })
    }

    /// Returns a codec with the name of its resolved file.
    private static func resolved(_ codec: CodecFacts) -> CodecFacts {
        var codec = codec
        codec.file = filename(of: codec)
        return codec
    }

    private static func row(_ sandbox: SandboxFacts) -> JSONRow {
        func limit(_ value: UInt64) -> Int? { isUnlimited(value) ? nil : Int(clamping: value) }
        return [
            "landlockABI": sandbox.landlockABI, "seccomp": sandbox.seccomp,
            "noNewPrivileges": sandbox.noNewPrivileges, "namespaces": sandbox.namespaces,
            "addressSpace": limit(sandbox.addressSpace), "fileSize": limit(sandbox.fileSize),
            "openFiles": limit(sandbox.openFiles), "threads": sandbox.threads.flatMap(limit),
        ]
    }
}
