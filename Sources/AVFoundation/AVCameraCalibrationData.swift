import CoreVideo
import Foundation

/// Three columns of three numbers, as simd has them.
public struct matrix_float3x3: Sendable, Equatable {
    public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) { self.columns = columns }
    public static func == (a: Self, b: Self) -> Bool { a.columns == b.columns }
}

/// Four columns of three numbers, as simd has them.
public struct matrix_float4x3: Sendable, Equatable {
    public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) { self.columns = columns }
    public static func == (a: Self, b: Self) -> Bool { a.columns == b.columns }
}

/// How a lens draws the world: a pinhole, as stages have it.
public final class AVCameraCalibrationData: NSObject, Sendable {
    /// Focal lengths and principal point in pixels of a picture of `intrinsicMatrixReferenceDimensions`.
    public let intrinsicMatrix: matrix_float3x3
    public let intrinsicMatrixReferenceDimensions: CGSize
    /// Where the camera stands: where the world begins.
    public let extrinsicMatrix = matrix_float4x3(columns: (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(0, 0, 0)))
    /// Millimetres of a full-frame sensor.
    public let pixelSize: Float
    /// A pinhole distorts nothing.
    public var lensDistortionLookupTable: Data? { nil }
    public var inverseLensDistortionLookupTable: Data? { nil }
    public var lensDistortionCenter: CGPoint {
        CGPoint(x: intrinsicMatrixReferenceDimensions.width / 2, y: intrinsicMatrixReferenceDimensions.height / 2)
    }

    init(_ pinhole: Pinhole, size: PictureSize) {
        intrinsicMatrix = pinhole.matrix(of: size)
        intrinsicMatrixReferenceDimensions = CGSize(width: Double(size.width), height: Double(size.height))
        pixelSize = Float(36 / Double(size.width))
    }
}

/// The lens behind a delivered picture.
struct Pinhole: Sendable, Equatable {
    /// Millimetres, where the unrotated picture is 36 mm wide.
    let focalLength: Double

    /// The matrix of a picture turned by a quarter or not; its principal point is its middle.
    func matrix(of size: PictureSize, isSideways: Bool = false) -> matrix_float3x3 {
        let focal = Float(focalLength / 36 * Double(isSideways ? size.height : size.width))
        let middle = (Float(size.width) - 1, Float(size.height) - 1)
        return matrix_float3x3(columns: (SIMD3(focal, 0, 0), SIMD3(0, focal, 0), SIMD3(middle.0 / 2, middle.1 / 2, 1)))
    }
}

extension matrix_float3x3 {
    /// The bytes as C has them: three columns of sixteen bytes.
    var data: Data { withUnsafeBytes(of: columns) { Data($0) } }
}
