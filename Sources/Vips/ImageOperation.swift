// SPDX-License-Identifier: Apache-2.0

import CVips

/// A libvips operation, created by name.
///
///     let operation = try ImageOperation("getpoint")
///     try operation.set("in", to: .image(image))
///     try operation.set("x", to: 3)
///     try operation.set("y", to: 4)
///     try operation.run()
///     let pixel = try operation.doubles("out-array")
///
/// `Image.applying` is a shortcut for operations from image to image. Use an operation on one thread only, and run
/// it once.
public final class ImageOperation {
    /// The name that the operation was created with.
    public let name: String
    private var pointer: UnsafeMutablePointer<VipsOperation>

    /// Creates an operation without arguments.
    ///
    /// - Parameter name: The libvips nickname ("flip") or class name ("VipsFlip").
    /// - Throws: `VipsError` with `unknownOperation` if there is no such operation, or if it is blocked.
    public init(_ name: String) throws {
        guard let pointer = vips_operation_new(name) else {
            throw VipsError.last(in: name, code: .unknownOperation)
        }
        self.name = name
        self.pointer = pointer
    }

    deinit {
        pointer.withMemoryRebound(to: VipsObject.self, capacity: 1) {
            vips_object_unref_outputs($0)
        }
        g_object_unref(pointer)
    }

    /// Sets an argument. Names may be written with hyphens or underscores: "fail_on" and "fail-on" are equivalent.
    ///
    /// - Throws: `VipsError` with `unknownArgument`, or with `invalidValue` for a value of the wrong type or out of
    ///   range.
    public func set(_ argument: String, to value: OperationValue) throws {
        let specification = try specification(argument)
        let converted = try PropertyValue(type: specification.pointee.value_type)
        guard converted.set(value) else {
            throw VipsError(
                code: .invalidValue, operation: name,
                message: "\(argument) cannot be \(value)")
        }
        // The result is true if the value had to be adjusted to be valid.
        guard g_param_value_validate(specification, &converted.storage) == 0 else {
            throw VipsError(
                code: .invalidValue, operation: name,
                message: "\(argument) is out of range: \(value)")
        }
        g_object_set_property(object, argument, &converted.storage)
    }

    /// Runs the operation. Its outputs can then be read.
    ///
    /// For most operations this only builds the pipeline; pixels are computed on demand.
    ///
    /// - Throws: `VipsError` with `operationFailed`.
    public func run() throws {
        var built: UnsafeMutablePointer<VipsOperation>? = pointer
        let status = vips_cache_operation_buildp(&built)
        if let built { pointer = built }
        guard status == 0 else { throw VipsError.last(in: name) }
    }

    /// Returns an output image.
    ///
    /// - Throws: `VipsError` if there is no such output, or if it is not an image.
    public func image(_ argument: String = "out") throws -> Image {
        let value = try output(argument)
        guard let image = value.image else { throw wrongType(argument, "an image") }
        return image
    }

    /// Returns a floating-point output.
    ///
    /// - Throws: `VipsError` if there is no such output, or if it is not a number.
    public func double(_ argument: String) throws -> Double {
        let value = try output(argument)
        guard let number = value.double else { throw wrongType(argument, "a number") }
        return number
    }

    /// Returns an integer output.
    ///
    /// - Throws: `VipsError` if there is no such output, or if it is not an integer.
    public func integer(_ argument: String) throws -> Int {
        let value = try output(argument)
        guard let number = value.integer else { throw wrongType(argument, "a whole number") }
        return number
    }

    /// Returns an output array of numbers.
    ///
    /// - Throws: `VipsError` if there is no such output, or if it is not an array of numbers.
    public func doubles(_ argument: String) throws -> [Double] {
        let value = try output(argument)
        guard let numbers = value.doubles else { throw wrongType(argument, "numbers") }
        return numbers
    }

    /// Returns output bytes, such as those of buffer savers.
    ///
    /// - Throws: `VipsError` if there is no such output, or if it does not consist of bytes.
    public func bytes(_ argument: String) throws -> [UInt8] {
        let value = try output(argument)
        guard let bytes = value.bytes else { throw wrongType(argument, "bytes") }
        return bytes
    }

    /// The name of the first image argument, which operations call "in", "input", "left" and so on.
    var imageArgument: String {
        get throws {
            var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
            var flags: UnsafeMutablePointer<Int32>?
            var count: Int32 = 0
            // Both arrays are owned by the operation.
            pointer.withMemoryRebound(to: VipsObject.self, capacity: 1) {
                _ = vips_object_get_args($0, &names, &flags, &count)
            }
            for index in 0..<Int(count) {
                guard let name = names?[index].map({ String(cString: $0) }) else { continue }
                let type = try specification(name).pointee.value_type
                if type == vips_image_get_type() || type == vips_array_image_get_type() {
                    return name
                }
            }
            throw VipsError(
                code: .unknownArgument, operation: name, message: "no argument takes an image")
        }
    }

    private var object: UnsafeMutablePointer<GObject> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self)
    }

    private func output(_ argument: String) throws -> PropertyValue {
        let specification = try specification(argument)
        let value = try PropertyValue(type: specification.pointee.value_type)
        g_object_get_property(object, argument, &value.storage)
        return value
    }

    private func specification(_ argument: String) throws -> UnsafeMutablePointer<GParamSpec> {
        let objectClass = UnsafeMutableRawPointer(object.pointee.g_type_instance.g_class)?
            .assumingMemoryBound(to: GObjectClass.self)
        guard let found = g_object_class_find_property(objectClass, argument) else {
            throw VipsError(
                code: .unknownArgument, operation: name, message: "no argument named \(argument)")
        }
        return found
    }

    private func wrongType(_ argument: String, _ expected: String) -> VipsError {
        VipsError(
            code: .invalidValue, operation: name, message: "output \(argument) is not \(expected)")
    }
}
