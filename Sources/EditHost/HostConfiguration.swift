// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerHost

/// The locations of a host's parts, and its limits.
public struct HostConfiguration: Sendable {
    /// The path of the `edithost-runner` program.
    public var runnerExecutable: String
    /// The path of the `edithost-media-runner` program, which opens videos. If it is nil or the file is
    /// missing, videos cannot be opened.
    public var mediaRunnerExecutable: String?
    /// The folders that are searched for extensions, in search order: the first match wins.
    public var extensionFolders: [String]
    /// The path of the list of digests of the bundled extensions, or nil if there are none.
    public var shippedTrustFile: String?
    /// The folder that stores the user's trust in extensions and the quarantine, or nil to store neither.
    public var configurationFolder: String?
    /// The maximum number of runners that work concurrently. Runners that decode or encode for an edit whose
    /// extension has a runner already are not counted.
    public var runnerLimit: Int
    /// The maximum memory in bytes of the pictures that edits and exports of several photos render concurrently,
    /// estimated by their sizes; nil for no limit. A picture that exceeds it is rendered alone.
    public var memoryLimit: Int?
    /// The maximum number of open editing sessions, at least 1. Their runners are not counted
    /// in ``runnerLimit``.
    public var editingSessionLimit = 8
    /// The number of threads of libvips in each runner.
    public var threadsPerRunner: Int
    /// The maximum total size of the thumbnails in a library's cache, in bytes. The default is 4 GiB: those of a
    /// grid of 100,000 photos take 1.2 GiB.
    public var thumbnailCacheLimit = CacheLimits.thumbnails
    /// The maximum total size of the videos converted for browsers in a library's cache, in bytes. The default is
    /// 4 GiB. A video that exceeds it is converted for each use.
    public var videoCacheLimit = CacheLimits.webVideos
    /// The sandbox that runners must have.
    public var sandbox = SandboxMode.required
    /// True if the first edit by each build of an extension is re-rendered from its recipe, to test that the result is
    /// the same. If it is not, the picture that the user has seen is kept.
    public var checksReproducibility = true
    /// The timeouts of requests to runners.
    package var timeouts = RunnerTimeouts()
    /// The time for which this process waits for the renditions of other processes.
    package var claimLimits = ClaimTimeouts()
    /// Receives the lines that extensions log or print. If it is nil, logged lines go to the host's logger.
    var outputHandler: RunnerSettings.OutputHandler?
    /// Called with the process identifier of a runner that waits for a debugger, see ``ExtensionTrial``. If it is nil,
    /// runners do not wait.
    var debuggerHandler: (@Sendable (Int32) -> Void)?
    /// The parent of this process, if it becomes the runner of the extension, see ``ExtensionTrial``.
    var parent: RunnerParent?
    /// The resource limits of extensions.
    public var budgets = ExtensionBudgets()

    /// Creates a configuration.
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

    /// Returns a copy for a batch: `jobs` concurrent runners, which share the processors.
    public func batch(jobs: Int) -> HostConfiguration {
        var configuration = self
        configuration.runnerLimit = max(1, jobs)
        configuration.threadsPerRunner = max(1, threadsPerRunner / max(1, jobs))
        return configuration
    }

    /// Returns the standard configuration: the runner beside this program; extensions in `extensions` beside it,
    /// then in `EDITHOST_EXTENSION_PATH` (separated by colons), the user's data folder and the system's.
    ///
    /// - Parameter executable: The path of this program, with symbolic links resolved.
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
        func program(_ name: String) -> (path: String, exists: Bool) {
            let places = [folder] + (prefix.map { ["\($0)/libexec/edithost"] } ?? [])
            let paths: [String] = places.map { "\($0)/\(name)" }
            let found = paths.first { access($0, X_OK) == 0 }
            return (found ?? "\(folder)/\(name)", found != nil)
        }
        var configuration = HostConfiguration(
            runnerExecutable: program("edithost-runner").path, extensionFolders: folders)
        let mediaRunner = program("edithost-media-runner")
        configuration.mediaRunnerExecutable = mediaRunner.exists ? mediaRunner.path : nil
        configuration.shippedTrustFile = "\(folder)/extensions/trusted.sha256"
        configuration.configurationFolder = userConfigurationFolder(environment: environment)
        return configuration
    }

    /// Returns the installation prefix of a program in a folder: `PREFIX/bin` or
    /// `PREFIX/lib/edithost`. Returns nil for any other folder, such as a build folder.
    private static func prefix(ofProgramIn folder: String) -> String? {
        for place in ["/bin", "/lib/edithost"] where folder.hasSuffix(place) {
            return String(folder.dropLast(place.count))
        }
        return nil
    }

    /// Returns `$XDG_CONFIG_HOME/edithost`, by default `~/.config/edithost`.
    public static func userConfigurationFolder(environment: [String: String]) -> String {
        UserFolders.configuration(environment: environment)
    }

    /// Returns the folder in which `extensions install` installs extensions: `$XDG_DATA_HOME/edithost/extensions`.
    public static func userExtensionFolder(environment: [String: String]) -> String {
        "\(userDataFolder(environment: environment))/extensions"
    }

    /// The path of the user's configuration file, `config.json` in ``configurationFolder``.
    public var configurationFile: String? { configurationFolder.map { "\($0)/config.json" } }

    /// Reads the budgets from ``configurationFile``. A missing file gives the built-in ones.
    ///
    /// - Throws: `HostError` with `badConfiguration`.
    public mutating func readConfigurationFile() throws {
        guard let configurationFile else { return }
        budgets = try ConfigurationFile(path: configurationFile).budgets
    }

    /// Returns `$XDG_DATA_HOME/edithost`, by default `~/.local/share/edithost`.
    public static func userDataFolder(environment: [String: String]) -> String {
        UserFolders.data(environment: environment)
    }
}
