import CoreVideo
import Foundation
import Pipeline

/// Map of nearness: disparity in 1/m or depth in m, as 16- or 32-bit floats.
public final class AVDepthData: _SendableObject, @unchecked Sendable {
    /// Meaning of a map's values.
    public enum Accuracy: Int, Sendable {
        /// Only farther and nearer; scale and offset are not known.
        case relative = 0
        /// True distances in m, or their inverses.
        case absolute = 1
    }

    /// Completeness of a map.
    public enum Quality: Int, Sendable {
        /// With holes; never so here.
        case low = 0
        /// Without holes.
        case high = 1
    }

    /// Values of the map as one plane of floats, in the format `depthDataType`.
    public let depthDataMap: CVPixelBuffer
    /// Meaning of the values: true distances, or only farther and nearer.
    public let depthDataAccuracy: Accuracy
    /// Completeness of the map: always high, as maps here have no holes.
    public let depthDataQuality = Quality.high
    /// Whether holes are filled and the map is smoothed over time.
    public let isDepthDataFiltered: Bool

    /// Lens behind the map and its picture; nil where the source does not know it.
    public let cameraCalibrationData: AVCameraCalibrationData?

    package init(map: CVPixelBuffer, accuracy: Accuracy, isFiltered: Bool, calibration: AVCameraCalibrationData? = nil) {
        cameraCalibrationData = calibration
        depthDataMap = map
        depthDataAccuracy = accuracy
        isDepthDataFiltered = isFiltered
    }

    /// Kind of values: `hdis`, `fdis` (1/m), `hdep` or `fdep` (m).
    public var depthDataType: OSType { depthDataMap.format }
    /// Kinds of values that the map can be converted to: all four.
    public var availableDepthDataTypes: [OSType] { Self.types }

    static let types = [
        kCVPixelFormatType_DisparityFloat16, kCVPixelFormatType_DisparityFloat32, kCVPixelFormatType_DepthFloat16,
        kCVPixelFormatType_DepthFloat32,
    ]

    /// Bytes of a value of one of the four kinds.
    static func size(of type: OSType) -> Int { type == kCVPixelFormatType_DisparityFloat32 || type == kCVPixelFormatType_DepthFloat32 ? 4 : 2 }

    /// Returns the same map in another of the four kinds; disparity 0 is infinite depth. Raises for any other kind, and returns itself.
    public func converting(toDepthDataType depthDataType: OSType) -> AVDepthData {
        guard Self.types.contains(depthDataType) else {
            CaptureEnvironment.current.raise(
                .invalidArgument, "-[AVDepthData depthDataByConvertingToDepthDataType:]",
                "Unsupported depth data type - use availableDepthDataTypes")
            return self
        }
        return AVDepthData(
            map: DepthConverter.convert(depthDataMap, to: depthDataType), accuracy: depthDataAccuracy, isFiltered: isDepthDataFiltered,
            calibration: cameraCalibrationData)
    }

    /// Returns the map turned upright from an orientation of EXIF; the calibration stays that of the camera as it stood.
    public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation) -> AVDepthData {
        AVDepthData(
            map: depthDataMap.turned(from: exifOrientation, bytesPerPixel: Self.size(of: depthDataType)), accuracy: depthDataAccuracy,
            isFiltered: isDepthDataFiltered, calibration: cameraCalibrationData)
    }

    /// Returns data with other values; throws `formatUnsupported` for a buffer that is none of the four kinds.
    public func replacingDepthDataMap(with pixelBuffer: CVPixelBuffer) throws -> AVDepthData {
        guard Self.types.contains(pixelBuffer.format) else { throw AVError(.formatUnsupported) }
        return AVDepthData(
            map: pixelBuffer, accuracy: depthDataAccuracy, isFiltered: isDepthDataFiltered, calibration: cameraCalibrationData)
    }
}

extension CVPixelBuffer {
    /// Returns its one plane turned upright from an orientation of EXIF.
    func turned(from orientation: CGImagePropertyOrientation, bytesPerPixel size: Int) -> CVPixelBuffer {
        let map = plane(0)
        let (isMirrored, quarters) = orientation.turn
        let (width, height) = quarters % 2 == 0 ? (map.width, map.height) : (map.height, map.width)
        let result = CVPixelBuffer(width: width, height: height, pixelFormat: format)
        let plane = result.plane(0)
        for y in 0..<height {
            for x in 0..<width {
                let (stored, row) =
                    switch quarters {
                    case 0: (x, y)
                    case 1: (y, map.height - 1 - x)
                    case 2: (map.width - 1 - x, map.height - 1 - y)
                    default: (map.width - 1 - y, x)
                    }
                let column = isMirrored ? map.width - 1 - stored : stored
                (plane.base + y * plane.bytesPerRow + x * size).copyMemory(from: map.base + row * map.bytesPerRow + column * size, byteCount: size)
            }
        }
        return result
    }
}
