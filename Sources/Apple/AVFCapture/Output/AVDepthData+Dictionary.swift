import CoreVideo
import Foundation

extension AVDepthData {
    private static let (data, description) = (kCGImageAuxiliaryDataInfoData as String, kCGImageAuxiliaryDataInfoDataDescription as String)

    /// Makes the map of a dictionary as `dictionaryRepresentation(forAuxiliaryDataType:)` gives it, relative, without calibration: those would stand in
    /// `CGImageMetadata`. Throws `AVError.invalidSourceMedia` where the bytes and their description do not fit.
    public convenience init(fromDictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any]) throws {
        let described = imageSourceAuxDataInfoDictionary[Self.description] as? [AnyHashable: Any] ?? [:]
        func number(_ key: String) -> Int? { NumberSetting.number(described[key]).flatMap { Int(exactly: $0) } }
        guard let bytes = imageSourceAuxDataInfoDictionary[Self.data] as? Data, let format = number("PixelFormat").flatMap({ OSType(exactly: $0) }),
            Self.types.contains(format), let width = number("Width"), let height = number("Height"), let stride = number("BytesPerRow"),
            (1...1 << 15).contains(width), (1...1 << 15).contains(height), stride >= width * Self.size(of: format), stride <= bytes.count / height
        else { throw AVError(.invalidSourceMedia, reason: "the dictionary has no map of depth or disparity, or fewer bytes than it describes") }
        let map = CVPixelBuffer(width: width, height: height, pixelFormat: format)
        let plane = map.plane(0)
        bytes.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            for y in 0..<height {
                (plane.base + y * plane.bytesPerRow).copyMemory(from: base + y * stride, byteCount: width * Self.size(of: format))
            }
        }
        self.init(map: map, accuracy: .relative, isFiltered: false)
    }

    /// Returns the map as files of pictures keep it, and names its kind.
    public func dictionaryRepresentation(forAuxiliaryDataType outAuxDataType: UnsafeMutablePointer<NSString?>?) -> [AnyHashable: Any]? {
        let plane = depthDataMap.plane(0)
        let stride = plane.width * Self.size(of: depthDataType)
        var bytes = Data(capacity: plane.height * stride)
        for y in 0..<plane.height { bytes.append(Data(bytes: plane.base + y * plane.bytesPerRow, count: stride)) }
        let isDisparity = depthDataType == kCVPixelFormatType_DisparityFloat16 || depthDataType == kCVPixelFormatType_DisparityFloat32
        outAuxDataType?.pointee = isDisparity ? kCGImageAuxiliaryDataTypeDisparity : kCGImageAuxiliaryDataTypeDepth
        return [
            Self.data: bytes,
            Self.description: ["PixelFormat": depthDataType, "Width": plane.width, "Height": plane.height, "BytesPerRow": stride].bridged,
        ]
    }
}
