// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import FoundationEssentials
import Glibc

extension HostCapability {
    /// Typed access to the values of parameters, without a JSON parser in each extension: `ee_parameters`.
    static let parameters: HostCapability = {
        var parameters = ee_parameters()
        parameters.number = { json, size, name, out in
            ParameterReader.store(ParameterReader.value(json, size, name)?.number, to: out)
        }
        parameters.integer = { json, size, name, out in
            ParameterReader.store(
                ParameterReader.value(json, size, name)?.integer.map(Int64.init), to: out)
        }
        parameters.boolean = { json, size, name, out in
            guard case .boolean(let value) = ParameterReader.value(json, size, name) else {
                return false
            }
            return ParameterReader.store(value, to: out)
        }
        parameters.text = { json, size, name, out, capacity in
            guard case .string(let text) = ParameterReader.value(json, size, name) else {
                return false
            }
            return ParameterReader.store(text, to: out, capacity)
        }
        parameters.color = { json, size, name, out in
            ParameterReader.store(ParameterReader.value(json, size, name)?.color, to: out)
        }
        parameters.point = { json, size, name, out in
            guard case .point(let x, let y) = ParameterReader.value(json, size, name) else {
                return false
            }
            return ParameterReader.store([x, y], to: out)
        }
        parameters.rectangle = { json, size, name, out in
            guard
                case .rectangle(let x, let y, let width, let height) =
                    ParameterReader.value(json, size, name)
            else { return false }
            return ParameterReader.store([x, y, width, height], to: out)
        }
        parameters.points = { json, size, name, out, capacity, count in
            guard case .points(let points) = ParameterReader.value(json, size, name), let count
            else {
                return false
            }
            count.pointee = points.count
            guard points.count <= capacity else { return false }
            guard !points.isEmpty else { return true }
            guard let out else { return false }
            for (index, point) in points.enumerated() { out[index] = (point.x, point.y) }
            return true
        }
        parameters.curve = { json, size, name, out, count in
            guard case .points(let points) = ParameterReader.value(json, size, name), count >= 2,
                let curve = try? Curve(points: points), let out
            else { return false }
            // The values are written one by one, because the untrusted extension chooses the length of the table.
            for index in 0..<count { out[index] = curve.value(at: index, of: count) }
            return true
        }
        parameters.merge = { values, capacity, json, size, error in
            do {
                try ParameterReader.merge(json, size, into: values, capacity)
                return ee_status(EE_OK)
            } catch let problem {
                error?.fill("\(problem)")
                return ee_status(EE_BAD_PARAMETER)
            }
        }
        return HostCapability(EE_CAPABILITY_PARAMETERS, parameters)
    }()
}

/// Reads and writes values of parameters in the memory of extensions.
private enum ParameterReader {
    /// The error of a merge.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the value of a parameter; `nil` if it is missing or the text is no JSON object.
    static func value(
        _ json: UnsafePointer<CChar>?, _ size: Int, _ name: UnsafePointer<CChar>?
    ) -> ParameterValue? {
        guard let name = String(bounded: name, limit: 1024) else { return nil }
        return object(json, size)?.value(name)
    }

    private static func object(_ json: UnsafePointer<CChar>?, _ size: Int) -> ParameterObject? {
        guard let json, (1...ParameterObject.maximumSize).contains(size) else { return nil }
        return ParameterObject(json: Data(bytes: json, count: size))
    }

    static func store<Value>(_ value: Value?, to out: UnsafeMutablePointer<Value>?) -> Bool {
        guard let value, let out else { return false }
        out.pointee = value
        return true
    }

    static func store(_ numbers: [Double]?, to out: UnsafeMutablePointer<Double>?) -> Bool {
        guard let numbers, let out else { return false }
        out.update(from: numbers, count: numbers.count)
        return true
    }

    /// Copies a text completely. Returns false instead of truncating it.
    static func store(
        _ text: String, to out: UnsafeMutablePointer<CChar>?, _ capacity: Int
    ) -> Bool {
        let bytes = Array(text.utf8)
        guard let out, bytes.count < capacity, !bytes.contains(0) else { return false }
        write(bytes, to: out)
        return true
    }

    static func merge(
        _ json: UnsafePointer<CChar>?, _ size: Int, into values: UnsafeMutablePointer<CChar>?,
        _ capacity: Int
    ) throws {
        guard let values, capacity > 0,
            var merged = object(values, strnlen(values, capacity))
        else { throw Problem(description: "the values to be changed are not a JSON object") }
        guard let changes = object(json, size) else {
            throw Problem(description: "the new values are not a JSON object of at most 1 MiB")
        }
        try merged.merge(changes)
        let text = Array(try merged.encoded())
        guard text.count < capacity else {
            throw Problem(
                description:
                    "the values take \(text.count) bytes, but there is room for only "
                    + "\(capacity - 1)")
        }
        write(text, to: values)
    }

    private static func write(_ bytes: [UInt8], to out: UnsafeMutablePointer<CChar>) {
        for (index, byte) in bytes.enumerated() { out[index] = CChar(bitPattern: byte) }
        out[bytes.count] = 0
    }
}
