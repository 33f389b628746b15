// SPDX-License-Identifier: Apache-2.0

import EditHost
import Glibc
import Testing

/// Where a host looks for its parts.
@Suite("Host configuration")
struct HostConfigurationTests {
    @Test("Without a home folder in the environment, the one that the system knows is taken")
    func homeFolder() throws {
        let home = try #require(getpwuid(getuid())?.pointee.pw_dir)
        for environment in [[:], ["HOME": ""], ["HOME": "relative", "XDG_DATA_HOME": "too"]] {
            #expect(
                HostConfiguration.userDataFolder(environment: environment)
                    == "\(String(cString: home))/.local/share/edithost")
        }
    }
}
