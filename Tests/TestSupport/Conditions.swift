// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing
import Vips

/// Requirements that not every machine meets. `make test` ends with a list of the skipped tests and
/// these reasons.
extension Trait where Self == ConditionTrait {
    /// Takes minutes, so it runs only in `make torture`.
    public static var torture: Self {
        .enabled(if: ProcessInfo.processInfo.environment["EDITHOST_TORTURE"] != nil, "make torture")
    }

    /// Needs the folder of real photos.
    public static var corpus: Self {
        .enabled(if: BuildProducts.corpus != nil, "EDITHOST_CORPUS names no folder")
    }

    /// Needs root.
    public static var root: Self { .enabled(if: geteuid() == 0, "it needs root") }

    /// Needs permission to create device files, which root lacks in some containers.
    public static var devices: Self {
        .enabled(if: canMakeDevices(), "it cannot make device files")
    }

    /// Needs Debian's list of installed packages.
    public static var dpkg: Self {
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-query"),
            "there is no dpkg-query")
    }

    /// Needs the programs of Poppler that read PDF files.
    public static var poppler: Self {
        .enabled(
            if: ["pdfimages", "pdfinfo", "pdftotext"].allSatisfy {
                FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
            }, "there is no pdfimages, pdfinfo or pdftotext")
    }

    /// Needs a libvips that reads SVG with librsvg.
    public static var librsvg: Self {
        .enabled(
            if: (try? VipsLibrary.initialize()) != nil
                && (try? ImageOperation("svgload_source")) != nil,
            "libvips does not read SVG")
    }

    /// Needs a user other than root, because root passes every permission check.
    public static var ordinaryUser: Self { .enabled(if: geteuid() != 0, "root may do everything") }
}

private func canMakeDevices() -> Bool {
    guard let folder = try? TemporaryFolder() else { return false }
    return withExtendedLifetime(folder) {
        mknod(folder.file("device"), S_IFCHR | 0o600, 0x103) == 0
    }
}
