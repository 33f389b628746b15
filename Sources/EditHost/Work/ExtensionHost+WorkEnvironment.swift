// SPDX-License-Identifier: Apache-2.0

import Glibc
import RunnerHost
import RunnerProtocol

extension ExtensionHost {
    /// Returns the software of this machine that determines the bytes of renditions.
    ///
    /// - Parameter withVideos: Whether videos are rendered too, which needs the media runner.
    /// - Throws: `HostError` with `runnerUnavailable` or `sandboxUnavailable`.
    func workEnvironment(withVideos: Bool) async throws -> WorkEnvironment {
        let facts = try await pool.facts()
        let media = try await withVideos ? pool.forVideos().facts().codecVersions : nil
        return WorkEnvironment(
            edithost: HostVersion.current, rendering: HostVersion.rendering,
            machine: Self.machine, vips: facts.vipsVersion,
            codecs: Dictionary(
                facts.codecs.map { ($0.name, $0.version ?? "") },
                uniquingKeysWith: { first, _ in first }
            ),
            media: media)
    }

    /// The kind of processor, such as `x86_64`.
    private static var machine: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "" }
        return withUnsafeBytes(of: name.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
