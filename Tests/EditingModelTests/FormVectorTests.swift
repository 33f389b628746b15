// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

/// The cases that the studio's form is also tested with, by Tests/Browser/modules.test.mjs. The curves were computed by
/// another program.
@Suite("vectors of the form")
struct FormVectorTests {
    struct Vectors: Decodable {
        struct CurveCase: Decodable {
            var name: String
            var points: [[Double]]
            var values: [[Double]]
        }

        struct ConditionCase: Decodable {
            struct Case: Decodable {
                var values: [String: ParameterValue]
                var visible: [String]
            }

            var name: String
            var parameters: [ExtensionParameter]
            var cases: [Case]
        }

        var curves: [CurveCase]
        var conditions: [ConditionCase]
    }

    private func vectors() throws -> Vectors {
        let file = "\(BuildProducts.packageFolder)/Tests/Browser/form-vectors.json"
        return try JSONDecoder().decode(
            Vectors.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    }

    @Test("curves have the values of the vectors")
    func curves() throws {
        for vector in try vectors().curves {
            let curve = try Curve(points: vector.points.map { UnitPoint(x: $0[0], y: $0[1]) })
            for value in vector.values {
                #expect(
                    abs(curve.value(at: value[0]) - value[1]) < 1e-12, "\(vector.name): \(value)")
            }
        }
    }

    @Test("the visible parameters are those of the vectors")
    func conditions() throws {
        for vector in try vectors().conditions {
            let json = """
                {"identifier": "com.example.x", "name": "X", "version": "1.0", "abi": "1.0",
                 "library": "libX.so", "supportedMediaTypes": ["image"]}
                """
            var manifest = try ExtensionManifest(json: Data(json.utf8))
            manifest.parameters = vector.parameters
            for one in vector.cases {
                let visible = manifest.visibleParameters(with: one.values).map(\.name)
                #expect(visible == one.visible, "\(vector.name): \(one.values)")
            }
        }
    }
}
