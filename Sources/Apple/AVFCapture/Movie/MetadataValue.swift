import CoreMedia
import Foundation

/// Coding of a metadata item's value by its type, the higher byte first.
enum MetadataValue {
    /// Bytes of a value; nil for one that is not of the type.
    static func data(of item: AVMetadataItem, as type: String?) -> Data? {
        switch type.map({ $0 as CFString }) {
        case kCMMetadataBaseDataType_RawData: return item.dataValue
        case kCMMetadataBaseDataType_UTF16: return item.stringValue?.data(using: .utf16BigEndian)
        case kCMMetadataBaseDataType_Float32: return item.numberValue.map { bytes($0.floatValue.bitPattern) }
        case kCMMetadataBaseDataType_Float64: return item.numberValue.map { bytes($0.doubleValue.bitPattern) }
        case kCMMetadataBaseDataType_SInt8: return item.numberValue.map { bytes($0.int8Value) }
        case kCMMetadataBaseDataType_SInt16: return item.numberValue.map { bytes($0.int16Value) }
        case kCMMetadataBaseDataType_SInt32: return item.numberValue.map { bytes($0.int32Value) }
        case kCMMetadataBaseDataType_SInt64: return item.numberValue.map { bytes($0.int64Value) }
        case kCMMetadataBaseDataType_UInt8: return item.numberValue.map { bytes($0.uint8Value) }
        case kCMMetadataBaseDataType_UInt16: return item.numberValue.map { bytes($0.uint16Value) }
        case kCMMetadataBaseDataType_UInt32: return item.numberValue.map { bytes($0.uint32Value) }
        case kCMMetadataBaseDataType_UInt64: return item.numberValue.map { bytes($0.uint64Value) }
        case kCMMetadataBaseDataType_UTF8, kCMMetadataBaseDataType_JSON, kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709:
            return item.stringValue.map { Data($0.utf8) }
        default: return item.dataValue ?? item.stringValue.map { Data($0.utf8) }
        }
    }

    /// Value of bytes: text or a number where the type says so, else the bytes.
    static func value(of data: Data, as type: String?) -> any NSCopying & NSObjectProtocol {
        func number<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
            data.count == MemoryLayout<Value>.size ? data.reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) } : nil
        }
        let read: (any NSCopying & NSObjectProtocol)? =
            switch type.map({ $0 as CFString }) {
            case kCMMetadataBaseDataType_UTF16: String(data: data, encoding: .utf16BigEndian).map { NSString(string: $0) }
            case kCMMetadataBaseDataType_Float32: number(UInt32.self).map { NSNumber(value: Float(bitPattern: $0)) }
            case kCMMetadataBaseDataType_Float64: number(UInt64.self).map { NSNumber(value: Double(bitPattern: $0)) }
            case kCMMetadataBaseDataType_SInt8: number(UInt8.self).map { NSNumber(value: Int8(bitPattern: $0)) }
            case kCMMetadataBaseDataType_SInt16: number(Int16.self).map { NSNumber(value: $0) }
            case kCMMetadataBaseDataType_SInt32: number(Int32.self).map { NSNumber(value: $0) }
            case kCMMetadataBaseDataType_SInt64: number(Int64.self).map { NSNumber(value: $0) }
            case kCMMetadataBaseDataType_UInt8: number(UInt8.self).map { NSNumber(value: $0) }
            case kCMMetadataBaseDataType_UInt16: number(UInt16.self).map { NSNumber(value: $0) }
            case kCMMetadataBaseDataType_UInt32: number(UInt32.self).map { NSNumber(value: $0) }
            case kCMMetadataBaseDataType_UInt64: number(UInt64.self).map { NSNumber(value: $0) }
            case kCMMetadataBaseDataType_UTF8, kCMMetadataBaseDataType_JSON, kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709:
                String(data: data, encoding: .utf8).map { NSString(string: $0) }
            default: nil
            }
        return read ?? NSData(data: data)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }
}
