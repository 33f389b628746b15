// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

/// Where a host finds its parts, and its limits.
public struct HostConfiguration: Sendable {
    /// The path of the `edithost-runner` program.
    public var runnerExecutable: String
    /// The path of the `edithost-media-runner` program, which opens videos; nil, or a file that is not
    /// there: videos cannot be opened.
    public var mediaRunnerExecutable: String?
    /// The folders that are searched for extensions, the first wins.
    public var extensionFolders: [String]
    /// The list of the digests of the extensions that came with the host; nil: there are none.
    public var shippedTrustFile: String?
    /// Where the user's trust in extensions and their quarantine are stored; nil: nowhere.
    public var configurationFolder: String?
    /// How many runners may work at once. One more may, to decode or encode for those that hold an
    /// extension's edit.
    public var runnerLimit: Int
    /// How many editing sessions may be open at once, at least 1. Each has a runner beyond
    /// ``runnerLimit``.
    public var editingSessionLimit = 8
    /// How many threads libvips uses in each runner.
    public var threadsPerRunner: Int
    /// How much the small pictures in a library's cache may take up together, in bytes: 1 GiB.
    public var thumbnailCacheLimit = 1 << 30
    /// Whether runners must be sandboxed.
    public var sandbox = SandboxMode.required
    /// Whether the first edit by each build of an extension is made again from its recipe, to see that
    /// it comes out the same. Where it does not, the picture that the user has seen is kept.
    public var checksReproducibility = true
    /// How long runners may take.
    package var deadlines = RunnerDeadlines()
    /// How long other processes' claims count.
    package var claimLimits = ClaimLimits()
    /// How much each extension may use.
    public var budgets = ExtensionBudgets()

    /// Makes a configuration.
    public init(
        runnerExecutable: String, extensionFolders: [String],
        runnerLimit: Int = ProcessInfo.processInfo.activeProcessorCount,
        threadsPerRunner: Int = ProcessInfo.processInfo.activeProcessorCount
    ) {
        self.runnerExecutable = runnerExecutable
        self.extensionFolders = extensionFolders
        self.runnerLimit = runnerLimit
        self.threadsPerRunner = threadsPerRunner
    }

    /// The same for a batch: `jobs` runners at once, which share the processors between them.
    public func batch(jobs: Int) -> HostConfiguration {
        var configuration = self
        configuration.runnerLimit = max(1, jobs)
        configuration.threadsPerRunner = max(1, threadsPerRunner / max(1, jobs))
        return configuration
    }

    /// The usual places: the runner beside this program; extensions in `extensions` beside it,
    /// then `EDITHOST_EXTENSION_PATH` (separated by colons), the user's data folder, the system's.
    ///
    /// - Parameter executable: the path of this program, links followed.
    public static func standard(
        executable: String, environment: [String: String]
    ) -> HostConfiguration {
        let folder = (executable as NSString).deletingLastPathComponent
        let listed = (environment["EDITHOST_EXTENSION_PATH"] ?? "")
            .utf8.split(separator: UInt8(ascii: ":")).compactMap { String($0) }
        let prefix = prefix(ofProgramIn: folder)
        var folders: [String] = []
        for place in ["\(folder)/extensions"] + listed
            + [userExtensionFolder(environment: environment)]
            + (prefix.map { ["\($0)/lib/edithost/extensions"] } ?? [])
            + ["/usr/local/lib/edithost/extensions", "/usr/lib/edithost/extensions"]
        where !folders.contains(place) {
            folders.append(place)
        }
        func program(_ name: String) -> (path: String, isThere: Bool) {
            let places = [folder] + (prefix.map { ["\($0)/libexec/edithost"] } ?? [])
            let paths: [String] = places.map { "\($0)/\(name)" }
            let found = paths.first { access($0, X_OK) == 0 }
            return (found ?? "\(folder)/\(name)", found != nil)
        }
        var configuration = HostConfiguration(
            runnerExecutable: program("edithost-runner").path, extensionFolders: folders)
        let mediaRunner = program("edithost-media-runner")
        configuration.mediaRunnerExecutable = mediaRunner.isThere ? mediaRunner.path : nil
        configuration.shippedTrustFile = "\(folder)/extensions/trusted.sha256"
        configuration.configurationFolder = userConfigurationFolder(environment: environment)
        return configuration
    }

    /// The prefix that a program was installed to, by the folder that it lies in: `PREFIX/bin`, or
    /// `PREFIX/lib/edithost`; nil for any other, such as one of the build.
    private static func prefix(ofProgramIn folder: String) -> String? {
        for place in ["/bin", "/lib/edithost"] where folder.hasSuffix(place) {
            return String(folder.dropLast(place.count))
        }
        return nil
    }

    /// `$XDG_CONFIG_HOME/edithost`, by default `~/.config/edithost`.
    public static func userConfigurationFolder(environment: [String: String]) -> String {
        UserFolders.configuration(environment: environment)
    }

    /// Where `extensions install` puts extensions: `$XDG_DATA_HOME/edithost/extensions`.
    public static func userExtensionFolder(environment: [String: String]) -> String {
        "\(userDataFolder(environment: environment))/extensions"
    }

    /// Where the user's configuration is: `config.json` in ``configurationFolder``.
    public var configurationFile: String? { configurationFolder.map { "\($0)/config.json" } }

    /// Takes over what ``configurationFile`` says; where there is none, nothing.
    ///
    /// - Throws: `HostError` with `badConfiguration`.
    public mutating func readConfigurationFile() throws {
        guard let configurationFile else { return }
        budgets = try ConfigurationFile(path: configurationFile).budgets
    }

    /// `$XDG_DATA_HOME/edithost`, by default `~/.local/share/edithost`.
    public static func userDataFolder(environment: [String: String]) -> String {
        UserFolders.data(environment: environment)
    }
}

/// Whether the runners of a host are kept from doing harm.
public enum SandboxMode: Sendable {
    /// A runner that cannot have every layer of its sandbox is not used.
    case required
    /// Runners can do what their user can: only for extensions that one would run anyway.
    case off
}

/// How long a process waits for another one that is rendering a photograph before it renders it, too: that one may be stopped.
package struct ClaimLimits: Sendable, Hashable {
    /// For pictures.
    package var picture: Duration = .seconds(30)
    /// For videos and Live Photos.
    package var video: Duration = .seconds(600)

    /// The defaults.
    package init() {}
}

/// How long a runner may take for its answers. When the time is over it is killed.
package struct RunnerDeadlines: Sendable, Hashable {
    /// From the start of the process to its first message.
    package var start: Duration = .seconds(20)
    /// For loading an extension.
    package var load: Duration = .seconds(20)
    /// For `canHandle`, which gets no pixels, and for `cancel` and the question before it, for which
    /// somebody waits.
    package var canHandle: Duration = .seconds(5)
    /// For calls that make no full-size pixels: create, start, parameters, preview and reading its
    /// pixels, destroy.
    package var interactive: Duration = .seconds(30)
    /// For whatever touches full-size pixels: finish, reading its pixels, jobs.
    package var render: Duration = .seconds(300)

    /// The defaults.
    package init() {}

    /// What reading a recipe may take besides: 2 s for each MiB of it.
    static func reading(_ recipe: AdjustmentData) -> Duration {
        .seconds(2 * (recipe.data.count >> 20))
    }
}
