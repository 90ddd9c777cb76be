import CoreVideo

/// Bytes without a type.
public let kCMMetadataBaseDataType_RawData: CFString = "com.apple.metadata.datatype.raw-data"
/// Text in UTF-8.
public let kCMMetadataBaseDataType_UTF8: CFString = "com.apple.metadata.datatype.UTF-8"
/// Signed whole number of 32 bits.
public let kCMMetadataBaseDataType_SInt32: CFString = "com.apple.metadata.datatype.int32"
/// Floating-point number of 32 bits.
public let kCMMetadataBaseDataType_Float32: CFString = "com.apple.metadata.datatype.float32"
