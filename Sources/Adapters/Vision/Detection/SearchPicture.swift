import Foundation

/// Version of the reduced picture that a cascade searches.
struct SearchPicture: Equatable {
    enum Scale {
        /// The half-size picture, for large windows.
        case half
        case full
        /// One and a half times as large, for faces smaller than the smallest window.
        case enlarged

        /// Pixels of the reduced picture per pixel of this one.
        var factor: Double {
            switch self {
            case .half: 2
            case .full: 1
            case .enlarged: 1 / 1.5
            }
        }
    }

    enum Tone {
        case plain
        /// Shadows lifted by a gamma of 0.5: dark skin in dim light keeps its shades.
        case lifted
    }

    var scale: Scale
    var tone = Tone.plain

    private static let lift = (0..<256).map { UInt8((255 * (Double($0) / 255).squareRoot()).rounded()) }

    func size(of picture: ReducedPicture) -> (width: Int, height: Int) {
        (Int(picture.width / scale.factor), Int(picture.height / scale.factor))
    }

    /// Pixels of a part, which is given in pixels of this version; nil when none of it lies inside.
    func part(_ rect: CGRect, of picture: ReducedPicture) throws(VisionError) -> (raster: Raster, x: Int, y: Int)? {
        let (width, height) = size(of: picture)
        let box = rect.integral.intersection(CGRect(x: 0, y: 0, width: width, height: height))
        guard !box.isNull, box.width >= 1, box.height >= 1 else { return nil }
        let source = scale == .half ? picture.half : picture.luma
        let step = scale == .half ? 1 : scale.factor
        let region = CGRect(x: box.minX * step, y: box.minY * step, width: box.width * step, height: box.height * step)
        let raster = try source.sample(region, width: Int(box.width), height: Int(box.height))
        if tone == .lifted { for at in 0..<raster.count { raster.bytes[at] = Self.lift[Int(raster.bytes[at])] } }
        return (raster, Int(box.minX), Int(box.minY))
    }
}
