// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

/// The JSON Schema of manifests matches the decoder.
@Suite("manifest schema")
struct ManifestSchemaTests {
    private static let path = "\(BuildProducts.packageFolder)/docs/reference/manifest.schema.json"

    private let schema: [String: Any]

    init() throws {
        let json = try Data(contentsOf: URL(fileURLWithPath: Self.path))
        schema = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    /// The paths of the repository's manifests.
    private static var manifests: [String] {
        ["Plugins", "Examples"].flatMap { folder in
            let root = "\(BuildProducts.packageFolder)/\(folder)"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
            return names.map { "\(root)/\($0)/manifest.json" }.filter {
                FileManager.default.fileExists(atPath: $0)
            }
        }
    }

    /// A part of the schema with its reference resolved, or the object among alternatives.
    private func resolved(_ part: [String: Any]) throws -> [String: Any] {
        if let reference = part["$ref"] as? String {
            let name = try #require(reference.split(separator: "/").last.map(String.init))
            let parts = try #require(schema["$defs"] as? [String: [String: Any]])
            return try resolved(try #require(parts[name], "\(reference)"))
        }
        guard let several = part["oneOf"] as? [[String: Any]] else { return part }
        return try resolved(try #require(several.first { $0["properties"] != nil }))
    }

    private func compare(_ part: [String: Any], _ keys: ManifestKeys, path: String) throws {
        switch keys {
        case .any: break
        case .list(let element):
            let list = try resolved(part)
            #expect(list["type"] as? String == "array", "\(path)")
            let items = try #require(list["items"] as? [String: Any], "\(path)")
            try compare(items, element, path: "\(path)[]")
        case .object(let known):
            let object = try resolved(part)
            let properties = try #require(object["properties"] as? [String: [String: Any]])
            let extra: Set = path.isEmpty ? ["$schema"] : []
            #expect(Set(properties.keys) == extra.union(known.keys), "\(path)")
            #expect(object["additionalProperties"] as? Bool == false, "\(path)")
            for (name, inner) in known {
                try compare(try #require(properties[name]), inner, path: "\(path).\(name)")
            }
        }
    }

    @Test("the schema has exactly the keys that are read")
    func keys() throws {
        try compare(schema, .manifest, path: "")
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    }

    /// The value at a path of keys.
    private func value(_ path: String...) throws -> Any {
        try path.reduce(schema as Any) { part, key in
            try #require((part as? [String: Any])?[key], "\(path)")
        }
    }

    @Test("the schema has the values and limits that are read")
    func values() throws {
        func names(_ path: Any) -> Set<String> { Set(path as? [String] ?? []) }
        #expect(
            try names(value("$defs", "parameter", "properties", "type", "enum"))
                == Set(ExtensionParameter.Kind.allCases.map(\.rawValue)))
        #expect(
            try names(value("properties", "pixelFormats", "items", "enum"))
                == Set(PixelFormat.allCases.map(\.rawValue)))
        #expect(
            try names(value("properties", "access", "enum"))
                == Set(PixelAccess.allCases.map(\.rawValue)))
        #expect(
            try names(value("properties", "supportedMediaTypes", "items", "enum"))
                == Set(MediaType.allCases.filter { $0 != .unknown }.map(\.name)))
        #expect(
            try value("properties", "categories", "maxItems") as? Int
                == ExtensionManifest.maximumCategories)
        #expect(
            try value("$defs", "sentence", "maxLength") as? Int == ExtensionManifest.maximumTextSize
        )
        for key in ["homepage", "support"] {
            #expect(
                try value("properties", key, "maxLength") as? Int
                    == ExtensionManifest.maximumTextSize)
        }
        #expect(
            try value("properties", "hashedFiles", "maxItems") as? Int
                == ExtensionManifest.maximumHashedFiles)
        #expect(
            try value("properties", "presets", "maxItems") as? Int
                == ExtensionManifest.maximumPresets)
        #expect(
            try value("$defs", "parameter", "properties", "choices", "maxItems") as? Int
                == ExtensionParameter.maximumChoices)
        #expect(try value("$defs", "points", "maxItems") as? Int == UnitPoint.maximumCount)
        #expect(
            try value("$defs", "name", "maxLength") as? Int == AdjustmentData.maximumNameLength)
        // A minimal manifest is rejected if any of its keys is missing.
        let required = try names(value("required"))
        #expect(required.count == 6)
        for key in required {
            var least: [String: Any] = [
                "identifier": "com.example.x", "name": "X", "version": "1.0", "abi": "1.0",
                "library": "x.so", "supportedMediaTypes": ["image"],
            ]
            let whole = try JSONSerialization.data(withJSONObject: least)
            #expect(throws: Never.self) { try ExtensionManifest(json: whole) }
            least[key] = nil
            let part = try JSONSerialization.data(withJSONObject: least)
            #expect(throws: InvalidValueError.self) { try ExtensionManifest(json: part) }
        }
    }

    @Test("the keys of all manifests in the repository are in the schema", arguments: manifests)
    func structure(path: String) throws {
        let json = try Data(contentsOf: URL(fileURLWithPath: path))
        let manifest = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        let properties = try #require(schema["properties"] as? [String: Any])
        #expect(Set(manifest.keys).isSubset(of: properties.keys))
        #expect(Set(try #require(schema["required"] as? [String])).isSubset(of: manifest.keys))
        #expect(ExtensionManifest.unknownKeys(in: json).isEmpty)
        #expect(throws: Never.self) { try ExtensionManifest(json: json) }
    }

    // MARK: - Independent validation

    private static let hasValidator: Bool = {
        let result = try? runProgram(
            "/usr/bin/env", ["python3", "-c", "from jsonschema import Draft202012Validator"])
        return result?.status == 0
    }()

    /// The problems that Python's jsonschema finds in files, one per line.
    private static func problems(in files: [String]) throws -> [String] {
        let program = """
            import json, sys
            from jsonschema import Draft202012Validator
            schema = json.load(open(sys.argv[1]))
            Draft202012Validator.check_schema(schema)
            for path in sys.argv[2:]:
                for error in Draft202012Validator(schema).iter_errors(json.load(open(path))):
                    print(path.split("/")[-1], "/".join(map(str, error.absolute_path)))
            """
        let result = try runProgram(
            "/usr/bin/env", ["python3", "-c", program, path] + files)
        try #require(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(
        "all manifests in the repository are valid",
        .enabled(if: hasValidator, "python3-jsonschema is not installed"))
    func validates() throws {
        #expect(Self.manifests.count >= 7)
        #expect(try Self.problems(in: Self.manifests).isEmpty)
    }

    @Test(
        "what the decoder rejects is invalid in the schema",
        .enabled(if: hasValidator, "python3-jsonschema is not installed"))
    func refuses() throws {
        let changes: [(key: String, value: Any)] = [
            ("identifier", "nodots"), ("abi", "1"), ("library", "a/b.so"), ("library", ".."),
            ("supportedMediaTypes", []), ("pixelFormats", ["rgb9"]), ("access", "diagonal"),
            ("name", "a\u{7}b"), ("name", "a\u{85}b"), ("name", "a\u{2028}b"),
            ("name", "a\u{202E}b"), ("vendor", ""), ("author", "a\nb"), ("license", "a\u{7}b"),
            ("homepage", "mailto:a@example.org"), ("homepage", "https://"),
            ("homepage", "https://example.org/a b"), ("homepage", "javascript:alert(1)"),
            ("support", "file:///etc/passwd"), ("support", "mailto:nobody"),
            ("description", ""), ("description", "a\u{1B}b"), ("description", ["de_DE": "x"]),
            ("description", String(repeating: "a", count: 2049)), ("icon", "../icon.png"),
            ("categories", Array(repeating: "a", count: 17)), ("categories", ["a\nb"]),
            ("reads", [["formatIdentifier": ""]]),
            ("presets", [["name": "a"]]),
            ("parameters", [["name": "a", "type": "number"]]),
            ("parameters", [["name": "a=", "type": "boolean", "default": true]]),
            ("parameters", [["name": "a", "type": "boolean", "default": 1]]),
            ("parameters", [["name": "a", "type": "choice", "default": "a"]]),
            ("parameters", [["name": "a", "type": "curve", "default": [[0, 0]]]]),
            ("parameters", [["name": "a", "type": "points", "default": [[0, 2]]]]),
            ("parameters", [["name": "a", "type": "color", "default": "red"]]),
            (
                "parameters",
                [["name": "a", "type": "text", "default": "", "label": ["de_DE": "x"]]]
            ),
        ]
        let folder = try TemporaryFolder()
        var files: [String] = []
        for (index, change) in changes.enumerated() {
            var manifest: [String: Any] = [
                "identifier": "com.example.x", "name": "X", "version": "1.0", "abi": "1.0",
                "library": "x.so", "supportedMediaTypes": ["image"],
            ]
            manifest[change.key] = change.value
            let json = try JSONSerialization.data(withJSONObject: manifest)
            #expect(throws: InvalidValueError.self, "\(change)") {
                try ExtensionManifest(json: json)
            }
            files.append(try folder.write(json, to: "\(index).json"))
        }
        let found = Set(try Self.problems(in: files).compactMap { $0.split(separator: " ").first })
        let expected = Set(changes.indices.map { "\($0).json" })
        #expect(Set(found.map(String.init)) == expected)
    }
}
