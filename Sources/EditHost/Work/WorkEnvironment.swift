// SPDX-License-Identifier: Apache-2.0

/// The software that determines the bytes of renditions, besides the extensions. A node with a different environment
/// does not run the plan.
package struct WorkEnvironment: Codable, Equatable, Sendable {
    /// The version of edithost.
    package let edithost: String
    /// The version of the host's rendering; see `HostVersion.rendering`.
    package let rendering: Int
    /// The machine as `uname -m` prints it, such as `x86_64`.
    package let machine: String
    /// The version of libvips.
    package let vips: String
    /// The versions of the codec libraries by their names. An empty version means that it is unknown.
    package let codecs: [String: String]
    /// FFmpeg's libraries with their versions; `nil` if the plan has no videos.
    package let media: String?

    /// Returns the differences between the environment of a plan and that of a node, one phrase for each; empty if the
    /// node can run the plan.
    package func differences(on node: WorkEnvironment) -> [String] {
        var found: [String] = []
        func compare(_ name: String, _ planned: String, _ other: String) {
            if planned != other { found.append("\(name) is \(other), not \(planned)") }
        }
        compare("edithost", edithost, node.edithost)
        compare("the version of rendering", "\(rendering)", "\(node.rendering)")
        compare("the machine", machine, node.machine)
        compare("libvips", vips, node.vips)
        for (name, version) in codecs.sorted(by: { $0.key < $1.key }) {
            compare(name, version, node.codecs[name] ?? "missing")
        }
        if let media { compare("FFmpeg", media, node.media ?? "missing") }
        return found
    }
}
