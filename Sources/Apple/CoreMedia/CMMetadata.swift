import CoreVideo
import Foundation

/// Bytes without a type.
public nonisolated(unsafe) let kCMMetadataBaseDataType_RawData: CFString = "com.apple.metadata.datatype.raw-data"
/// Text in UTF-8.
public nonisolated(unsafe) let kCMMetadataBaseDataType_UTF8: CFString = "com.apple.metadata.datatype.UTF-8"
/// Text in UTF-16, the higher byte first.
public nonisolated(unsafe) let kCMMetadataBaseDataType_UTF16: CFString = "com.apple.metadata.datatype.UTF-16"
/// Text in JSON.
public nonisolated(unsafe) let kCMMetadataBaseDataType_JSON: CFString = "com.apple.metadata.datatype.json"
/// Signed whole number of 8 bits.
public nonisolated(unsafe) let kCMMetadataBaseDataType_SInt8: CFString = "com.apple.metadata.datatype.int8"
/// Signed whole number of 16 bits.
public nonisolated(unsafe) let kCMMetadataBaseDataType_SInt16: CFString = "com.apple.metadata.datatype.int16"
/// Signed whole number of 32 bits.
public nonisolated(unsafe) let kCMMetadataBaseDataType_SInt32: CFString = "com.apple.metadata.datatype.int32"
/// Signed whole number of 64 bits.
public nonisolated(unsafe) let kCMMetadataBaseDataType_SInt64: CFString = "com.apple.metadata.datatype.int64"
/// Unsigned whole number of 8 bits.
public nonisolated(unsafe) let kCMMetadataBaseDataType_UInt8: CFString = "com.apple.metadata.datatype.uint8"
/// Unsigned whole number of 16 bits.
public nonisolated(unsafe) let kCMMetadataBaseDataType_UInt16: CFString = "com.apple.metadata.datatype.uint16"
/// Unsigned whole number of 32 bits.
public nonisolated(unsafe) let kCMMetadataBaseDataType_UInt32: CFString = "com.apple.metadata.datatype.uint32"
/// Unsigned whole number of 64 bits.
public nonisolated(unsafe) let kCMMetadataBaseDataType_UInt64: CFString = "com.apple.metadata.datatype.uint64"
/// Floating-point number of 32 bits.
public nonisolated(unsafe) let kCMMetadataBaseDataType_Float32: CFString = "com.apple.metadata.datatype.float32"
/// Floating-point number of 64 bits.
public nonisolated(unsafe) let kCMMetadataBaseDataType_Float64: CFString = "com.apple.metadata.datatype.float64"
/// Place as ISO 6709 writes it, text in UTF-8.
public nonisolated(unsafe) let kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709: CFString = "com.apple.quicktime.metadata.location.ISO6709"

/// Place of the recording while it goes on.
public nonisolated(unsafe) let kCMMetadataIdentifier_QuickTimeMetadataLocation_ISO6709: CFString = "mdta/com.apple.quicktime.location.ISO6709"
/// Orientation of the pictures while the recording goes on, a whole number of 16 bits as in EXIF.
public nonisolated(unsafe) let kCMMetadataIdentifier_QuickTimeMetadataVideoOrientation: CFString = "mdta/com.apple.quicktime.video-orientation"
