// SPDX-License-Identifier: Apache-2.0

import CVips

/// A `GValue` of one type, unset when its owner is deallocated.
final class PropertyValue {
    /// The value itself, passed to GObject by address.
    var storage = GValue()
    private let type: GType

    init(type: GType) throws {
        self.type = type
        guard g_value_init(&storage, type) != nil else {
            throw VipsError(
                code: .invalidValue, operation: "GValue",
                message: "no values of type \(String(cString: g_type_name(type)))")
        }
    }

    deinit {
        g_value_unset(&storage)
    }

    /// Converts and sets a value. Returns false if it does not fit the type.
    func set(_ value: OperationValue) -> Bool {
        switch value {
        case .bool(let flag): setBool(flag)
        case .integer(let number): setInteger(number)
        case .double(let number): setDouble(number)
        case .string(let text): setString(text)
        case .doubles(let numbers): setDoubles(numbers)
        case .bytes(let bytes): setBytes(bytes)
        case .image(let image): setObject(image.pointer)
        case .images(let images): setImages(images)
        case .source(let source): setObject(source.pointer)
        case .target(let target): setObject(target.pointer)
        }
    }

    private func setBool(_ flag: Bool) -> Bool {
        guard fundamental == .boolean else { return false }
        g_value_set_boolean(&storage, flag ? 1 : 0)
        return true
    }

    private func setInteger(_ number: Int) -> Bool {
        switch fundamental {
        case .int:
            guard let small = Int32(exactly: number) else { return false }
            g_value_set_int(&storage, small)
        case .enumeration:
            guard let small = Int32(exactly: number) else { return false }
            g_value_set_enum(&storage, small)
        case .flags:
            guard let small = UInt32(exactly: number) else { return false }
            g_value_set_flags(&storage, small)
        case .int64: g_value_set_int64(&storage, gint64(number))
        case .uint64:
            guard let positive = UInt64(exactly: number) else { return false }
            g_value_set_uint64(&storage, guint64(positive))
        case .double: g_value_set_double(&storage, Double(number))
        case .boxed: return setDoubles([Double(number)])
        default: return false
        }
        return true
    }

    private func setDouble(_ number: Double) -> Bool {
        switch fundamental {
        case .double: g_value_set_double(&storage, number)
        case .boxed: return setDoubles([number])
        default: return false
        }
        return true
    }

    private func setString(_ text: String) -> Bool {
        switch fundamental {
        case .string: g_value_set_string(&storage, text)
        case .enumeration, .flags: return setNick(text)
        case .object:
            guard g_type_is_a(type, vips_interpolate_get_type()) != 0,
                let interpolator = vips_interpolate_new(text)
            else {
                vips_error_clear()
                return false
            }
            g_value_take_object(&storage, interpolator)
        default: return false
        }
        return true
    }

    private func setNick(_ nick: String) -> Bool {
        guard let typeClass = g_type_class_ref(type) else { return false }
        defer { g_type_class_unref(typeClass) }
        if fundamental == .enumeration {
            let enumClass = typeClass.assumingMemoryBound(to: GEnumClass.self)
            guard let found = g_enum_get_value_by_nick(enumClass, nick) else { return false }
            g_value_set_enum(&storage, found.pointee.value)
        } else {
            let flagsClass = typeClass.assumingMemoryBound(to: GFlagsClass.self)
            guard let found = g_flags_get_value_by_nick(flagsClass, nick) else { return false }
            g_value_set_flags(&storage, found.pointee.value)
        }
        return true
    }

    private func setDoubles(_ numbers: [Double]) -> Bool {
        if type == vips_array_double_get_type() {
            vips_value_set_array_double(&storage, numbers, Int32(numbers.count))
            return true
        }
        guard type == vips_array_int_get_type() else { return false }
        let integers = numbers.compactMap { Int32(exactly: $0) }
        guard integers.count == numbers.count else { return false }
        vips_value_set_array_int(&storage, integers, Int32(integers.count))
        return true
    }

    private func setBytes(_ bytes: [UInt8]) -> Bool {
        guard type == vips_blob_get_type(), let copy = g_malloc(gsize(max(bytes.count, 1))) else {
            return false
        }
        UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
        vips_value_set_blob_free(&storage, copy, bytes.count)
        return true
    }

    private func setImages(_ images: [Image]) -> Bool {
        guard type == vips_array_image_get_type() else { return false }
        vips_value_set_array_image(&storage, Int32(images.count))
        guard let slots = vips_value_get_array_image(&storage, nil) else { return images.isEmpty }
        for (index, image) in images.enumerated() { slots[index] = image.passRetained() }
        return true
    }

    /// Sets an object of the property's type or of a subtype. Returns false for other types.
    private func setObject<Object>(_ object: UnsafeMutablePointer<Object>) -> Bool {
        if type == vips_array_image_get_type(), Object.self == VipsImage.self {
            let image = UnsafeMutableRawPointer(object).assumingMemoryBound(to: VipsImage.self)
            return setImages([Image(retaining: image)])
        }
        let instance = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GTypeInstance.self)
        guard fundamental == .object, g_type_check_instance_is_a(instance, type) != 0 else {
            return false
        }
        g_value_set_object(&storage, object)
        return true
    }

    private var fundamental: FundamentalType {
        FundamentalType(rawValue: g_type_fundamental(type) >> 2) ?? .other
    }

    /// The fundamental types of GObject. The header defines them as macros, which Swift does not import.
    private enum FundamentalType: GType {
        case boolean = 5
        case int = 6
        case int64 = 10
        case uint64 = 11
        case enumeration = 12
        case flags = 13
        case double = 15
        case string = 16
        case boxed = 18
        case object = 20
        case other = 255
    }
}

// Values of output properties; nil if the property has another type.
extension PropertyValue {
    /// The image, with its own reference.
    var image: Image? {
        guard g_type_is_a(type, vips_image_get_type()) != 0,
            let object = g_value_get_object(&storage)
        else { return nil }
        return Image(retaining: object.assumingMemoryBound(to: VipsImage.self))
    }

    /// The integer, or the numeric value of an enumeration.
    var integer: Int? {
        switch fundamental {
        case .boolean: Int(g_value_get_boolean(&storage))
        case .int: Int(g_value_get_int(&storage))
        case .int64: Int(g_value_get_int64(&storage))
        case .uint64: Int(exactly: g_value_get_uint64(&storage))
        case .enumeration: Int(g_value_get_enum(&storage))
        default: nil
        }
    }

    /// The number, integer or floating point.
    var double: Double? {
        fundamental == .double ? g_value_get_double(&storage) : integer.map(Double.init)
    }

    /// The array of numbers.
    var doubles: [Double]? {
        guard type == vips_array_double_get_type() else { return nil }
        var count: Int32 = 0
        guard let numbers = vips_value_get_array_double(&storage, &count) else { return [] }
        return Array(UnsafeBufferPointer(start: numbers, count: Int(count)))
    }

    /// A copy of a blob's bytes.
    var bytes: [UInt8]? {
        guard type == vips_blob_get_type() else { return nil }
        var length = 0
        let data = vips_value_get_blob(&storage, &length)
        return [UInt8](UnsafeRawBufferPointer(start: data, count: length))
    }
}
