// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The user's folders according to the XDG Base Directory Specification.
package enum UserFolders {
    /// Returns `$XDG_DATA_HOME/edithost`, by default `~/.local/share/edithost`.
    package static func data(environment: [String: String]) -> String {
        folder("XDG_DATA_HOME", ".local/share", environment)
    }

    /// Returns `$XDG_CONFIG_HOME/edithost`, by default `~/.config/edithost`.
    package static func configuration(environment: [String: String]) -> String {
        folder("XDG_CONFIG_HOME", ".config", environment)
    }

    /// Returns `$XDG_STATE_HOME/edithost`, by default `~/.local/state/edithost`.
    package static func state(environment: [String: String]) -> String {
        folder("XDG_STATE_HOME", ".local/state", environment)
    }

    /// Returns `$XDG_RUNTIME_DIR/edithost`, or nil if the variable is unset or relative. The login
    /// removes the folder at the user's last logout.
    package static func runtime(environment: [String: String]) -> String? {
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
        return "\(folder)/edithost"
    }

    /// Ignores relative paths, as the specification requires.
    private static func folder(
        _ variable: String, _ defaultFolder: String, _ environment: [String: String]
    ) -> String {
        if let folder = environment[variable], folder.hasPrefix("/") { return "\(folder)/edithost" }
        return "\(home(environment))/\(defaultFolder)/edithost"
    }

    /// Returns `$HOME`, or the home folder in the user database if it is unset, as in services.
    private static func home(_ environment: [String: String]) -> String {
        if let home = environment["HOME"], home.hasPrefix("/") { return home }
        guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return "" }
        return String(cString: home)
    }
}
