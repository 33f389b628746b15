// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The paths of the programs and libraries that the tests run.
public enum BuildProducts {
    /// The folder that holds the test program, the executables and the dynamic libraries.
    public static let folder: String = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        return ((program ?? CommandLine.arguments[0]) as NSString).deletingLastPathComponent
    }()

    /// The folder with the programs and shipped extensions under test: `EDITHOST_TEST_PROGRAMS`, otherwise ``folder``.
    ///
    /// `make test` names the release build. It is what users run, and most of the tests' time is spent in it.
    public static let programs =
        ProcessInfo.processInfo.environment["EDITHOST_TEST_PROGRAMS"] ?? folder

    /// The `edithost` program.
    public static var command: String { "\(programs)/edithost" }
    /// The program that runs extensions.
    public static var runner: String { "\(programs)/edithost-runner" }
    /// The program that opens videos.
    public static var mediaRunner: String { "\(programs)/edithost-media-runner" }
    /// The program with the web server.
    public static var studio: String { "\(programs)/edithost-studio" }

    /// Returns the library of a shipped extension. In a release build it contains its Swift runtime.
    public static func library(ofExtension name: String) -> String {
        let assembled = "\(programs)/extensions/\(name).editingextension/lib\(name).so"
        return FileManager.default.fileExists(atPath: assembled)
            ? assembled : "\(programs)/lib\(name).so"
    }

    /// The root folder of the package.
    public static let packageFolder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The folder of real photos in `EDITHOST_CORPUS`, or nil if it does not exist.
    public static let corpus: String? = {
        guard let path = ProcessInfo.processInfo.environment["EDITHOST_CORPUS"],
            FileManager.default.fileExists(atPath: path)
        else { return nil }
        // Absolute, because programs run in other working directories.
        return URL(fileURLWithPath: path).path
    }()
}
