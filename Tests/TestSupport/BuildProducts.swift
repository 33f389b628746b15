// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where the programs and libraries lie that the tests run.
public enum BuildProducts {
    /// The folder that holds the test program, the executables and the dynamic libraries.
    public static let folder: String = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        return ((program ?? CommandLine.arguments[0]) as NSString).deletingLastPathComponent
    }()

    /// The command.
    public static var command: String { "\(folder)/edithost" }
    /// The runner.
    public static var runner: String { "\(folder)/edithost-runner" }
    /// The runner that opens videos.
    public static var mediaRunner: String { "\(folder)/edithost-media-runner" }

    /// The folder of the package's sources.
    public static let packageFolder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The folder of real photographs, where `EDITHOST_CORPUS` names one that is there.
    public static let corpus: String? = {
        guard let path = ProcessInfo.processInfo.environment["EDITHOST_CORPUS"],
            FileManager.default.fileExists(atPath: path)
        else { return nil }
        // Programs run in folders of their own.
        return URL(fileURLWithPath: path).path
    }()
}
