import Foundation

/// Layout of a plane: the divisors of width and height, and bytes per pixel of the plane.
package struct PlaneLayout: Sendable {
    let widthDivisor: Int
    let heightDivisor: Int
    package let bytesPerPixel: Int

    /// Plane of the picture's full size.
    static func packed(_ bytes: Int) -> PlaneLayout { PlaneLayout(widthDivisor: 1, heightDivisor: 1, bytesPerPixel: bytes) }

    /// Layouts of the planes of a format; nil for an unknown one, and for one whose pixels are no whole bytes.
    package static func planes(of format: OSType) -> [PlaneLayout]? {
        guard let traits = PixelFormatTraits.of(format), !traits.planes.isEmpty else { return nil }
        return traits.planes
    }
}

extension [PlaneLayout] {
    /// Luma plane, and a plane of interleaved chroma with the given divisors; `bytes` per component.
    static func biplanar(_ widthDivisor: Int, _ heightDivisor: Int, bytes: Int) -> [PlaneLayout] {
        [.packed(bytes), PlaneLayout(widthDivisor: widthDivisor, heightDivisor: heightDivisor, bytesPerPixel: 2 * bytes)]
    }

    /// Planes of 8-bit luma, Cb and Cr, chroma halved both ways.
    static let triplanar420 = [
        PlaneLayout.packed(1), PlaneLayout(widthDivisor: 2, heightDivisor: 2, bytesPerPixel: 1),
        PlaneLayout(widthDivisor: 2, heightDivisor: 2, bytesPerPixel: 1),
    ]

    /// Planes of 8-bit 4:2:0 and one of 8-bit alpha.
    static let triplanar420Alpha = biplanar(2, 2, bytes: 1) + [.packed(1)]
    /// Planes of 16-bit 4:4:4 and one of 16-bit alpha.
    static let triplanar444Alpha = biplanar(1, 1, bytes: 2) + [.packed(2)]
}
