import CoreVideo
import Foundation
import Pipeline

/// One map of how near everything is: disparity in 1/m or depth in m, as 16- or 32-bit floats.
public final class AVDepthData: NSObject, Sendable {
    /// Whether values are true distances, or only farther and nearer.
    public enum Accuracy: Int, Sendable {
        case relative = 0
        case absolute = 1
    }

    public enum Quality: Int, Sendable {
        case low = 0
        case high = 1
    }

    /// One plane of floats; its format is `depthDataType`.
    public let depthDataMap: CVPixelBuffer
    public let depthDataAccuracy: Accuracy
    /// Maps here have no holes.
    public let depthDataQuality = Quality.high
    /// Whether holes are filled and the map is steadied over time.
    public let isDepthDataFiltered: Bool

    /// The lens behind the map and its picture; nil where the source does not know it.
    public let cameraCalibrationData: AVCameraCalibrationData?

    package init(map: CVPixelBuffer, accuracy: Accuracy, isFiltered: Bool, calibration: AVCameraCalibrationData? = nil) {
        cameraCalibrationData = calibration
        depthDataMap = map
        depthDataAccuracy = accuracy
        isDepthDataFiltered = isFiltered
    }

    /// `hdis`, `fdis`, `hdep` or `fdep`.
    public var depthDataType: OSType { depthDataMap.format }
    public var availableDepthDataTypes: [OSType] { Self.types }

    static let types = [
        kCVPixelFormatType_DisparityFloat16, kCVPixelFormatType_DisparityFloat32, kCVPixelFormatType_DepthFloat16,
        kCVPixelFormatType_DepthFloat32,
    ]

    /// The same map in another of the four kinds; disparity 0 is infinite depth. Raises on any other kind.
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

    /// The same kind of data with other values; throws on a buffer of another kind.
    public func replacingDepthDataMap(with pixelBuffer: CVPixelBuffer) throws -> AVDepthData {
        guard Self.types.contains(pixelBuffer.format) else { throw AVError(.formatUnsupported) }
        return AVDepthData(
            map: pixelBuffer, accuracy: depthDataAccuracy, isFiltered: isDepthDataFiltered, calibration: cameraCalibrationData)
    }
}
