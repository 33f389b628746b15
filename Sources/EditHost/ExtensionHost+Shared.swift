// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

extension ExtensionHost {
    private static let theShared = Mutex<ExtensionHost?>(nil)

    /// The host of this process for those who need no other: configured as the command line's, with
    /// the runner and the extensions that lie beside this program or in the usual places. Made once.
    /// End its runners with ``shutDown()`` when the program ends.
    ///
    /// - Throws: `HostError` with `badConfiguration`; the next call tries again.
    public static var shared: ExtensionHost {
        get throws {
            try theShared.withLock { shared in
                if let shared { return shared }
                let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
                var configuration = HostConfiguration.standard(
                    executable: program, environment: ProcessInfo.processInfo.environment)
                try configuration.readConfigurationFile()
                let host = ExtensionHost(configuration)
                shared = host
                return host
            }
        }
    }

    /// The shared host, if anybody has asked for it.
    static var sharedIfThere: ExtensionHost? { theShared.withLock { $0 } }
}
