// SPDX-License-Identifier: Apache-2.0

import EditHost
import Glibc
import Testing

/// The paths of a host's parts.
@Suite("host configuration")
struct HostConfigurationTests {
    @Test("without HOME in the environment, the system's home folder is used")
    func homeFolder() throws {
        let home = try #require(getpwuid(getuid())?.pointee.pw_dir)
        for environment in [[:], ["HOME": ""], ["HOME": "relative", "XDG_DATA_HOME": "too"]] {
            #expect(
                HostConfiguration.userDataFolder(environment: environment)
                    == "\(String(cString: home))/.local/share/edithost")
        }
    }

    @Test("an extensions folder whose name begins with a combining accent is separate")
    func accent() {
        let configuration = HostConfiguration.standard(
            executable: "/x/edithost",
            environment: ["HOME": "/h", "EDITHOST_EXTENSION_PATH": "/a:\u{301}b"])
        #expect(configuration.extensionFolders[1...2] == ["/a", "\u{301}b"])
    }

    @Test("extensions are searched below the program's installation prefix")
    func prefix() {
        func folders(_ executable: String) -> [String] {
            HostConfiguration.standard(
                executable: executable,
                environment: ["HOME": "/h", "EDITHOST_EXTENSION_PATH": "/e:/e"]
            ).extensionFolders
        }
        let user = "/h/.local/share/edithost/extensions"
        let system = ["/usr/local/lib/edithost/extensions", "/usr/lib/edithost/extensions"]
        #expect(
            folders("/opt/x/lib/edithost/edithost")
                == ["/opt/x/lib/edithost/extensions", "/e", user] + system)
        #expect(
            folders("/opt/x/bin/edithost")
                == ["/opt/x/bin/extensions", "/e", user, "/opt/x/lib/edithost/extensions"]
                + system)
        #expect(
            folders("/usr/local/lib/edithost/edithost")
                == [system[0], "/e", user, system[1]])
        #expect(
            folders("/src/.build/release/edithost")
                == ["/src/.build/release/extensions", "/e", user] + system)
    }
}
