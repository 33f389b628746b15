// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// The cookie of a login.
enum LoginCookie {
    /// Returns the name of the cookie. Cookies ignore ports, so the names of two servers on one host must differ.
    static func name(at address: StudioAddress) -> String {
        (address.isSecure ? "__Host-" : "") + "edithost-\(address.port)"
    }

    /// Returns the header that sets the cookie. It has no Domain, so that no other host receives it.
    static func setting(_ secret: SecretToken, at address: StudioAddress) -> String {
        header(secret.text, at: address)
    }

    /// Returns the header that removes the cookie.
    static func removing(at address: StudioAddress) -> String {
        header("", at: address) + "; Max-Age=0"
    }

    private static func header(_ value: String, at address: StudioAddress) -> String {
        "\(name(at: address))=\(value); Path=/; HttpOnly; SameSite=Strict"
            + (address.isSecure ? "; Secure" : "")
    }
}
