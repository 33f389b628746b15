// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The user's own folders, as the XDG Base Directory Specification names them.
package enum UserFolders {
    /// `$XDG_DATA_HOME/edithost`, by default `~/.local/share/edithost`.
    package static func data(environment: [String: String]) -> String {
        folder("XDG_DATA_HOME", ".local/share", environment)
    }

    /// `$XDG_CONFIG_HOME/edithost`, by default `~/.config/edithost`.
    package static func configuration(environment: [String: String]) -> String {
        folder("XDG_CONFIG_HOME", ".config", environment)
    }

    /// A relative path is ignored, as the specification asks.
    private static func folder(
        _ variable: String, _ usual: String, _ environment: [String: String]
    ) -> String {
        if let folder = environment[variable], folder.hasPrefix("/") { return "\(folder)/edithost" }
        return "\(home(environment))/\(usual)/edithost"
    }

    /// `$HOME`, or what the system knows where that is not set, as in services.
    private static func home(_ environment: [String: String]) -> String {
        if let home = environment["HOME"], home.hasPrefix("/") { return home }
        guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return "" }
        return String(cString: home)
    }
}
