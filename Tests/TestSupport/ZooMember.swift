// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A small plug-in with one mistake, which one check of `extensions validate` reports.
public struct ZooMember: Sendable, CustomTestStringConvertible {
    /// The check that must not pass.
    public let check: String
    /// The name of its outcome.
    public let outcome: String
    /// Macros of `zoo.c`.
    public let macros: [String]
    /// Text of the manifest, and its replacement.
    private let replacement: (old: String, new: String)?
    /// Whether a check takes several seconds to notice the mistake.
    public var isSlow = false

    /// The check and the mistake.
    public var testDescription: String {
        "\(check): " + (macros.first ?? replacement?.new ?? "")
    }

    private init(
        _ check: String, _ outcome: String = "failed", _ macros: String...,
        manifest replacement: (old: String, new: String)? = nil, isSlow: Bool = false
    ) {
        self.check = check
        self.outcome = outcome
        self.macros = macros
        self.replacement = replacement
        self.isSlow = isSlow
    }

    /// A plug-in without a mistake.
    public static let healthy = ZooMember("", "passed")
    /// The same for photos and videos.
    public static let healthyVideos = ZooMember("", "passed", "VIDEO", manifest: videos)

    /// The same, with a completion that `finish` calls long after it began.
    public static let healthyButSlow = ZooMember("", "passed", "SLOW_FINISH")

    /// The same with a pre-release version that has build metadata.
    public static let preRelease = ZooMember(
        "", "passed", #"VERSION="1.0-beta.2+5""#,
        manifest: (#""version": "1.0""#, #""version": "1.0-beta.2+5""#))

    /// The same with a parameter that is a file, whose effect cannot be checked.
    public static let withFile = ZooMember(
        "parameter-effect", "skipped", manifest: adding(#"{ "name": "table", "type": "file" }"#))

    /// The same with another parameter that has no effect without the file.
    public static let withFileAndDeadParameter = ZooMember(
        "parameter-effect", "skipped", "DEAD_PARAMETER",
        manifest: adding(#"{ "name": "table", "type": "file" }"#))

    /// The same with a colour without alpha, in the manifest and in the code.
    public static let withOpaqueColor = ZooMember(
        "", "passed", ##"VALUES="{\"gain\":1,\"tone\":\"#FFD27F\"}""##,
        manifest: adding(##"{ "name": "tone", "type": "color", "default": "#ffd27f" }"##))

    /// Adds a parameter to the manifest.
    private static func adding(_ parameter: String) -> (old: String, new: String) {
        (old: #""default": 1 }"#, new: #""default": 1 }, "# + parameter)
    }

    private static let videos = (old: #"["image"]"#, new: #"["image", "video"]"#)

    /// All plug-ins with a mistake.
    public static let all: [ZooMember] = [
        ZooMember("manifest", manifest: (#""name": "Zoo","#, #""name": "Zoo",,"#)),
        ZooMember("manifest", manifest: (#""version": "1.0","#, "")),
        ZooMember("manifest", manifest: ("libzoo.so", "libzo.so")),
        ZooMember("manifest", manifest: (#""abi": "1.0""#, #""abi": "2.0""#)),
        ZooMember("manifest", manifest: (#""default": 1"#, #""default": "1""#)),
        ZooMember("manifest", manifest: (#""default": 1"#, #""default": 9"#)),
        ZooMember("manifest-keys", manifest: ("minimum", "minimun")),
        ZooMember("manifest-keys", manifest: (#""name": "Zoo""#, #""nane": "Z", "name": "Zoo""#)),
        ZooMember(
            "manifest-keys",
            manifest: (#""default": 1 }"#, #""role": "tmieStart", "default": 1 }"#)),
        ZooMember("manifest-formats", manifest: ("\"writes\": \(format)", #""writes": []"#)),
        ZooMember("manifest-formats", manifest: ("\"reads\": \(format)", #""reads": []"#)),
        ZooMember("manifest-formats", manifest: (#"["1.0"]"#, #"["one"]"#)),
        ZooMember(
            "manifest-formats", "failed", #"VERSION="1.0-""#,
            manifest: (#""version": "1.0""#, #""version": "1.0-""#)),
        ZooMember("manifest-publication", "warning", manifest: (#""license": "Apache-2.0","#, "")),
        ZooMember(
            "manifest-publication", "warning",
            manifest: (#""author": "The edithost contributors","#, "")),
        ZooMember("load", "failed", "NO_ENTRY"),
        ZooMember("load", "failed", "NULL_ENTRY"),
        ZooMember("load", "failed", "MAJOR=2"),
        ZooMember("load", "failed", #"ID="org.example.other""#),
        ZooMember("load", "failed", "NO_CAPABILITY"),
        ZooMember("load", "failed", "NULL_CAPABILITIES"),
        ZooMember("load", "failed", "NULL_FUNCTION"),
        ZooMember("load", "crashed", "CRASH_AT_LOAD"),
        ZooMember("load", "crashed", "EXIT_AT_LOAD"),
        ZooMember("load-time", "warning", "SLOW_LOAD"),
        ZooMember("manifest-generated", "failed", "GENERATES"),
        ZooMember("create", "failed", "NULL_CONTROLLER"),
        ZooMember("create", "crashed", "CRASH_IN_CREATE"),
        ZooMember("create", "crashed", "CRASH_IN_DESTROY"),
        ZooMember("start", "failed", "FAIL_IN_START"),
        ZooMember("start", "crashed", "CRASH_IN_START"),
        ZooMember("start", "failed", "NULL_PARAMETERS"),
        ZooMember("start", "failed", #"VALUES="{\"gain\":\"1\"}""#),
        ZooMember("start", manifest: (#"["image"]"#, #"["image", "video"]"#)),
        ZooMember("parameter-names", "failed", #"VALUES="{\"Gain\":1}""#),
        ZooMember("parameter-names", "failed", #"VALUES="{\"gain\":1,\"gamma\":1}""#),
        ZooMember("parameter-types", "failed", #"VALUES="{\"gain\":9}""#),
        ZooMember("parameter-defaults", "failed", #"VALUES="{\"gain\":2}""#),
        ZooMember("parameter-changes", "failed", "IGNORE_VALUES"),
        ZooMember("parameter-limits", "failed", "NO_MAXIMUM"),
        ZooMember("parameter-invalid-values", "crashed", "CRASH_OVER_VALUE"),
        ZooMember("parameter-effect", "warning", "DEAD_PARAMETER"),
        ZooMember(
            "parameter-effect", "warning", #"VALUES="{\"caption\":\"a\",\"gain\":1}""#,
            manifest: adding(#"{ "name": "caption", "type": "text", "default": "a" }"#)),
        ZooMember("finish", "crashed", "CRASH_IN_FINISH"),
        ZooMember("finish", "failed", "NO_COMPLETION", isSlow: true),
        ZooMember("finish", "failed", "NULL_OUTPUT"),
        ZooMember("finish", "failed", "NULL_RECIPE"),
        ZooMember("finish", "failed", "NO_IMAGE"),
        ZooMember("finish", "failed", "DISCARDS"),
        ZooMember("finish", "failed", "EMPTY_RECIPE"),
        ZooMember("preview", "crashed", "CRASH_IN_PREVIEW"),
        ZooMember("preview", "failed", "NULL_PREVIEW"),
        ZooMember("preview-repeated", "failed", "ONE_PREVIEW"),
        ZooMember("recipe-format", "failed", #"FORMAT_VERSION="2.0""#),
        ZooMember("recipe-accepted", "failed", "NO_RECIPE"),
        ZooMember("deterministic", "failed", "RANDOM"),
        ZooMember("recipe-round-trip", "failed", "ROUND_TRIP"),
        ZooMember("foreign-recipes", "failed", "ANY_RECIPE"),
        ZooMember("damaged-recipes", "crashed", "CRASH_OVER_RECIPE"),
        ZooMember("output-range", "failed", "FLOATS"),
        ZooMember("pixel-formats", "failed", "BYTES"),
        ZooMember("pixel-formats", "failed", "THREE_FACTORS"),
        ZooMember("alpha", "warning", "ALPHA"),
        ZooMember(
            "alpha", "warning",
            manifest: (
                #""supportedMediaTypes""#,
                #""pixelFormats": ["rgb8", "rgb16"], "supportedMediaTypes""#
            )),
        ZooMember("wide-gamut", "failed", "SRGB_ONLY"),
        ZooMember("sizes", "failed", "SMALL"),
        ZooMember("orientation", "failed", "ORIENTS"),
        ZooMember("sequential-access", "failed", "UPSIDE_DOWN"),
        ZooMember("threads", "failed", "THREADS"),
        ZooMember("preview-parts", "failed", "PREVIEW_PART"),
        ZooMember("display-size", "warning", "PLAIN_PREVIEW"),
        ZooMember("video-frames", "failed", "VIDEO", "FRAME_SIZES", manifest: videos),
        ZooMember("video-frames", "failed", "VIDEO", "FRAME_NOISE", manifest: videos),
        ZooMember("video-frames", "failed", "VIDEO", "NULL_FRAME", manifest: videos),
        ZooMember("cancel", "crashed", "CRASH_IN_CANCEL"),
        ZooMember("cancel", "failed", "HANG_IN_CANCEL", isSlow: true),
        ZooMember("completion-after-cancel", "failed", "LATE"),
        ZooMember("completion-once", "failed", "TWICE"),
        ZooMember("budget", "failed", "MEMORY"),
        ZooMember("leaks", "failed", "LEAK"),
        ZooMember("leaks", "crashed", "LEAK_IMAGES"),
    ]

    private static let format =
        #"[{ "formatIdentifier": "org.example.zoo", "formatVersions": ["1.0"] }]"#

    /// Compiles the plug-in and assembles it with a manifest.
    ///
    /// - Returns: The path of the extension's folder.
    public func build(in folder: String) throws -> String {
        let target = "\(folder)/zoo.editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try TestExtension.compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/zoo.c",
            to: "\(target)/libzoo.so", defines: macros)
        var manifest = Self.manifest
        if let replacement {
            manifest = manifest.replacingOccurrences(of: replacement.old, with: replacement.new)
        }
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
        return target
    }

    private static let manifest = """
        {
          "identifier": "org.example.zoo",
          "name": "Zoo",
          "version": "1.0",
          "abi": "1.0",
          "library": "libzoo.so",
          "author": "The edithost contributors",
          "license": "Apache-2.0",
          "description": "Multiplies the colours of a picture.",
          "supportedMediaTypes": ["image"],
          "reads": \(format),
          "writes": \(format),
          "parameters": [
            { "name": "gain", "type": "number", "minimum": 0, "maximum": 4, "default": 1 }
          ]
        }

        """
}
