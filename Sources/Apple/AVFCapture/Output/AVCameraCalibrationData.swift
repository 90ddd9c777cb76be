import CoreVideo
import Foundation
import simd

/// Calibration of a camera: a pinhole, as stages have it.
public final class AVCameraCalibrationData: NSObject, Sendable {
    /// Focal lengths and principal point in pixels of a picture of `intrinsicMatrixReferenceDimensions`.
    public let intrinsicMatrix: matrix_float3x3
    /// Size in pixels of the picture that the intrinsic matrix is for.
    public let intrinsicMatrixReferenceDimensions: CGSize
    /// Pose of the camera in the world: the identity, as the world begins at the camera.
    public let extrinsicMatrix = matrix_float4x3(columns: (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(0, 0, 0)))
    /// Width of a pixel in millimetres, of a sensor 36 mm wide.
    public let pixelSize: Float
    /// Table of the lens's distortion: nil, as a pinhole distorts nothing.
    public var lensDistortionLookupTable: Data? { nil }
    /// Table that undoes the distortion: nil, as a pinhole distorts nothing.
    public var inverseLensDistortionLookupTable: Data? { nil }
    /// Centre of distortion in pixels: the middle of the reference picture.
    public var lensDistortionCenter: CGPoint {
        CGPoint(x: intrinsicMatrixReferenceDimensions.width / 2, y: intrinsicMatrixReferenceDimensions.height / 2)
    }

    init(_ pinhole: Pinhole, size: PictureSize) {
        intrinsicMatrix = pinhole.matrix(of: size)
        intrinsicMatrixReferenceDimensions = CGSize(width: Double(size.width), height: Double(size.height))
        pixelSize = Float(36 / Double(size.width))
    }
}

/// Pinhole lens of a delivered picture.
struct Pinhole: Sendable, Equatable {
    /// Focal length in millimetres, where the unrotated picture is 36 mm wide.
    let focalLength: Double

    /// Makes the matrix of a picture rotated by a quarter or not; its principal point is its middle.
    func matrix(of size: PictureSize, isSideways: Bool = false) -> matrix_float3x3 {
        let focal = Float(focalLength / 36 * Double(isSideways ? size.height : size.width))
        let middle = (Float(size.width) - 1, Float(size.height) - 1)
        return matrix_float3x3(columns: (SIMD3(focal, 0, 0), SIMD3(0, focal, 0), SIMD3(middle.0 / 2, middle.1 / 2, 1)))
    }
}

extension matrix_float3x3 {
    /// Bytes as C has them: three columns of sixteen bytes.
    var data: Data { withUnsafeBytes(of: columns) { Data($0) } }
}
