import CoreVideo
import Dispatch
import Optics

/// Axial (longitudinal) chromatic aberration of an achromat: red and blue focus farther than green.
///
/// The focus disparity of a colour is 1 / f − 1 / v, the image distance v being the same for all, so two colours' differ by the difference of their 1 / f:
/// by one number everywhere, f′ / f² for a secondary spectrum f′ (of the order of f / 2000: 0.01 1/m at 50 mm). What is behind the focus gets green rims, what
/// is in front of it magenta ones. Source: Kingslake and Johnson, *Lens Design Fundamentals*, 5.2 (secondary spectrum); Born and Wolf, *Principles of Optics*,
/// 4.7.
///
/// The picture is drawn twice, which takes twice the time, and put together: green of one, red and blue of the other.
enum AxialColor {
    /// The circle of confusion of red and blue where `circle` is that of green; `shift` in 1/m.
    static func redAndBlue(_ circle: CircleOfConfusion, shift: Double) -> CircleOfConfusion {
        CircleOfConfusion(focusDisparity: circle.focusDisparity - shift, diameterPerDisparity: circle.diameterPerDisparity)
    }

    /// Takes red and blue of `other` into `picture`, of one size and format; what is the same in both keeps its bits.
    static func join(_ picture: CVPixelBuffer, redAndBlue other: CVPixelBuffer, format: PictureFormat) {
        let height = picture.size.height
        switch format.layout {
        case .packed: DispatchQueue.concurrentPerform(iterations: height) { joinRow($0, picture, other, UInt8.self) }
        case .wide: DispatchQueue.concurrentPerform(iterations: height) { joinRow($0, picture, other, UInt16.self) }
        case .planar:
            DispatchQueue.concurrentPerform(iterations: height / 2) { joinRows($0, picture, other, format, UInt8.self, shift: 0) }
        case .deep:
            DispatchQueue.concurrentPerform(iterations: height / 2) { joinRows($0, picture, other, format, UInt16.self, shift: 6) }
        }
    }

    /// A row of four samples a pixel.
    private static func joinRow<Sample>(_ y: Int, _ picture: CVPixelBuffer, _ other: CVPixelBuffer, _: Sample.Type) {
        let (row, theirs) = (picture.plane(0).row(y, as: Sample.self), other.plane(0).row(y, as: Sample.self))
        for x in 0..<picture.size.width { (row[4 * x], row[4 * x + 2]) = (theirs[4 * x], theirs[4 * x + 2]) }
    }

    /// Two rows of luma and one of chroma, `shift` bits above the lowest.
    private static func joinRows<Sample: FixedWidthInteger>(
        _ pair: Int, _ picture: CVPixelBuffer, _ other: CVPixelBuffer, _ format: PictureFormat, _: Sample.Type, shift: Int
    ) {
        let most: Float = shift == 6 ? 1023 : 255
        func code(_ value: Float) -> Sample { Sample(min(max(value.rounded(), 0), most)) << Sample(shift) }
        func value(_ sample: Sample) -> Float { Float(sample >> Sample(shift)) }
        func rows(_ buffer: CVPixelBuffer) -> [UnsafeMutablePointer<Sample>] {
            [buffer.plane(0).row(2 * pair), buffer.plane(0).row(2 * pair + 1), buffer.plane(1).row(pair)]
        }
        let (own, theirs) = (rows(picture), rows(other))
        for x in stride(from: 0, to: picture.size.width, by: 2) {
            let isSame = (0..<3).allSatisfy { own[$0][x] == theirs[$0][x] && own[$0][x + 1] == theirs[$0][x + 1] }
            if isSame { continue }
            let (cb, cr, otherCb, otherCr) = (value(own[2][x]), value(own[2][x + 1]), value(theirs[2][x]), value(theirs[2][x + 1]))
            var sum = SIMD4<Float>.zero
            for (row, column) in [(0, x), (0, x + 1), (1, x), (1, x + 1)] {
                var colour = format.colour(luma: value(theirs[row][column]), cb: otherCb, cr: otherCr)
                colour.y = format.colour(luma: value(own[row][column]), cb: cb, cr: cr).y
                sum += colour
                own[row][column] = code(format.codes(colour).x)
            }
            let codes = format.codes(sum / 4)
            (own[2][x], own[2][x + 1]) = (code(codes.y), code(codes.z))
        }
    }
}
