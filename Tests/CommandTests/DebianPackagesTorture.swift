// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// The packages of `make deb` in a new Debian 12 with only its essential packages.
@Suite("Debian packages", .torture)
struct DebianPackagesTorture {
    private static let packages = "\(BuildProducts.packageFolder)/.build/packages"
    private static let mirror =
        ProcessInfo.processInfo.environment["EDITHOST_DEBIAN_MIRROR"]
        ?? "http://deb.debian.org/debian"

    /// Runs in the new system. The dependencies are installed first, so that the lists of files before and after differ
    /// only by the files of the packages.
    private static let script = #"""
        mkdir -p "$HOME"
        files() {
            find / -xdev \( -path /dev -o -path /proc -o -path /sys -o -path /tmp -o -path /var/cache \
                -o -path /var/lib/apt -o -path /var/log \) -prune -o -print |
                grep -v '^/var/lib/dpkg/[^/]*$' | sort
        }
        install() { apt-get install --quiet --yes --no-install-recommends "$@"; }
        apt-get update --quiet
        install $(for package in /tmp/*.deb; do dpkg-deb --field "$package" Depends; done |
            tr ',' '\n' | sed 's/^ *//; s/ .*//' | grep -v '^edithost' | sort -u)
        files >/tmp/before
        install /tmp/*.deb

        cd "$HOME"
        edithost --version >version
        edithost import picture.png
        edithost edit --all --with sepia --set intensity=0.8
        edithost export --all --to exported
        cp -R /usr/share/doc/edithost/Examples/InvertC .
        mkdir Invert.editingextension
        cp InvertC/manifest.json Invert.editingextension
        cc -std=c11 -O2 -fPIC -shared -fvisibility=hidden -o Invert.editingextension/libinvert.so InvertC/invert.c \
            $(pkg-config --cflags --libs edithost)
        edithost extensions run Invert.editingextension --input picture.png --output inverted.png
        gzip --test /usr/share/man/man1/edithost-edit.1.gz
        (cd / && md5sum --check --quiet /var/lib/dpkg/info/edithost*.md5sums)

        apt-get remove --quiet --yes edithost edithost-media edithost-dev
        dpkg --purge edithost edithost-media edithost-dev
        files >/tmp/after
        """#

    private static func succeeds(_ arguments: String...) -> Bool {
        (try? runProgram("/usr/bin/env", arguments))?.status == 0
    }

    /// The names of the packages; none if `make deb` has not run.
    private static var made: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: packages)) ?? [])
            .filter { $0.hasSuffix(".deb") }
    }

    @Test(
        "the packages install, work and leave nothing behind in a bare Debian 12", .root,
        .enabled(if: made.count == 3, "make deb has not made three packages"),
        .enabled(if: succeeds("mmdebstrap", "--version"), "mmdebstrap is not installed"),
        .enabled(if: succeeds("unshare", "--mount", "true"), "mounting is not permitted"),
        .enabled(
            if: succeeds(
                "curl", "--silent", "--fail", "--head", "--max-time", "30", "--output", "/dev/null",
                "\(mirror)/dists/bookworm/InRelease"), "the Debian mirror cannot be reached"))
    func bareSystem() throws {
        let folder = try TemporaryFolder()
        // The user of apt must be able to enter the folder.
        try #require(chmod(folder.path, 0o755) == 0)
        let root = folder.file("root")
        let system = try runProgram(
            "/usr/bin/env",
            [
                "mmdebstrap", "--quiet", "--variant=minbase",
                "--include=gcc,libc6-dev,pkg-config", "bookworm", root, Self.mirror,
            ])
        try #require(system.status == 0, "\(system.errors)")
        for package in Self.made {
            try FileManager.default.copyItem(
                atPath: "\(Self.packages)/\(package)", toPath: "\(root)/tmp/\(package)")
        }
        let picture = TestPicture.gradient()
        try folder.write(picture.encoded(), to: "root/tmp/home/picture.png")
        try folder.write(Data(Self.script.utf8), to: "root/tmp/script")

        // The mounts vanish with their namespace, before the folder is removed.
        let result = try runProgram(
            "/usr/bin/env",
            [
                "unshare", "--mount", "sh", "-euc",
                #"""
                mount -t proc proc "$0/proc"
                mount --rbind /dev "$0/dev"
                exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/tmp/home \
                    EDITHOST_LIBRARY=/tmp/home/Photos.editlibrary DEBIAN_FRONTEND=noninteractive sh -eu /tmp/script
                """#, root,
            ])
        try #require(result.status == 0, "\(result.output.suffix(2000))\n\(result.errors)")
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: "\(root)/tmp/\(name)", encoding: .utf8)
        }
        let version = try runProgram(BuildProducts.command, ["--version"])
        #expect(try text("home/version") == version.output)
        func read(_ name: String) throws -> TestPicture {
            try TestPicture(
                decoding: Data(contentsOf: URL(fileURLWithPath: "\(root)/tmp/home/\(name)")))
        }
        #expect(try read("inverted.png").samples == picture.samples.map { 255 - $0 })
        let difference = try #require(
            try read("exported/picture.png").meanDifference(from: picture))
        #expect(difference > 5)

        let before = try text("before").split(separator: "\n")
        let after = try text("after").split(separator: "\n")
        #expect(before.count > 5000)
        #expect(Set(after).symmetricDifference(before) == [])
    }
}
