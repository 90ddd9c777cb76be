import Foundation
import Testing

@testable import Vision

/// Drawn things whose outline is known: a body in two colours before a wall, on pictures of 80x45 and 160x90.
@Suite("Localized classifiers") struct LocalizedClassifiersTests {
    private typealias Tone = (UInt8, UInt8, UInt8)
    private static let (width, height) = (80, 45)
    private static let body = CGRect(x: 20, y: 12, width: 30, height: 24)

    /// Evidence of a plate that knows nothing.
    private static let unknown = [Float](repeating: 0, count: width * height)

    private static func wall(_ x: Int, _ y: Int) -> Tone { (UInt8(100 + (x * 7 + y * 3) % 9), 128, 134) }
    private static func cloth(_ y: Double) -> Tone { y < 24 ? (150, 160, 150) : (70, 120, 100) }

    /// A picture of `scale` pixels for one of masks, drawn by what is at a place.
    private static func picture(_ scale: Int, _ tone: (CGPoint, Int, Int) -> Tone) -> Raster {
        let picture = Raster(width: scale * width, height: scale * height, channels: 3)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let place = CGPoint(x: (Double(x) + 0.5) / Double(scale), y: (Double(y) + 0.5) / Double(scale))
                let pixel = picture.pixel(x, y)
                (pixel[0], pixel[1], pixel[2]) = tone(place, x, y)
            }
        }
        return picture
    }

    private static func classifiers(_ tone: (CGPoint, Int, Int) -> Tone) -> LocalizedClassifiers {
        LocalizedClassifiers(picture(1, tone), detail: picture(2, tone))
    }

    private static func mask(_ box: CGRect) -> SoftMask {
        var mask = SoftMask(width: width, height: height)
        mask.fill(PixelBox(box, in: Raster(width: width, height: height))!)
        return mask
    }

    /// Overlap of a mask of the larger picture with a rectangle of the smaller: intersection by union.
    private static func overlap(_ mask: SoftMask, _ box: CGRect) -> Double {
        var (common, either) = (0, 0)
        for y in 0..<mask.height {
            for x in 0..<mask.width {
                let isTrue = box.contains(CGPoint(x: (Double(x) + 0.5) / 2, y: (Double(y) + 0.5) / 2))
                let isFound = mask.values[y * mask.width + x] >= 0.5
                common += isTrue && isFound ? 1 : 0
                either += isTrue || isFound ? 1 : 0
            }
        }
        return Double(common) / Double(max(either, 1))
    }

    @Test("a mask that is too narrow on one side and too wide on the other becomes the body, and the wall beside it is known")
    func shifted() {
        let classifiers = Self.classifiers { place, x, y in Self.body.contains(place) ? Self.cloth(place.y) : Self.wall(x, y) }
        let mask = Self.mask(Self.body.offsetBy(dx: -4, dy: 0))
        let refined = classifiers.refine([mask], foreground: Self.unknown)
        #expect(Self.overlap(mask.enlarged(width: 2 * Self.width, height: 2 * Self.height), Self.body) < 0.8)
        #expect(Self.overlap(refined.masks[0], Self.body) > 0.97)
        #expect(refined.masks[0].reduced(width: Self.width, height: Self.height).overlap(with: Self.mask(Self.body)) > 0.97)
        #expect(refined.background.values[20 * Self.width + 17] > 0.8)
        #expect(refined.background.values[20 * Self.width + 30] < 0.1)
    }

    @Test("where both sides look alike the outline stands")
    func alike() {
        let classifiers = Self.classifiers { _, x, y in Self.wall(x, y) }
        let refined = classifiers.refine([Self.mask(Self.body)], foreground: Self.unknown)
        #expect(Self.overlap(refined.masks[0], Self.body) > 0.95)
        #expect(refined.background.values.allSatisfy { $0 < 0.3 })
    }

    @Test("a speck of the wall in the body's colour stays wall, a reflection of the wall on the body stays body")
    func islands() {
        let (speck, reflection) = (CGRect(x: 54, y: 16, width: 2, height: 2), CGRect(x: 46, y: 16, width: 2, height: 2))
        let classifiers = Self.classifiers { place, x, y in
            if speck.contains(place) { return Self.cloth(place.y) }
            return Self.body.contains(place) && !reflection.contains(place) ? Self.cloth(place.y) : Self.wall(x, y)
        }
        let refined = classifiers.refine([Self.mask(Self.body)], foreground: Self.unknown).masks[0]
        #expect(refined.values[34 * refined.width + 110] < 0.1)
        #expect(refined.values[34 * refined.width + 94] > 0.9)
    }

    @Test("what shines like the wall and stands in front of the plate stays, as far as the mask has it")
    func shining() {
        let (spout, mask) = (CGRect(x: 50, y: 18, width: 8, height: 3), Self.mask(CGRect(x: 20, y: 12, width: 36, height: 24)))
        let classifiers = Self.classifiers { place, x, y in Self.body.contains(place) ? Self.cloth(place.y) : Self.wall(x, y) }
        var foreground = Self.unknown
        for y in 18..<21 { for x in 50..<58 { foreground[y * Self.width + x] = 1 } }
        let (known, plain) = (classifiers.refine([mask], foreground: foreground), classifiers.refine([mask], foreground: Self.unknown))
        func value(_ mask: SoftMask, _ x: Double, _ y: Double) -> Float { mask.values[Int(2 * y) * mask.width + Int(2 * x)] }
        #expect(value(known.masks[0], 53, spout.midY) > 0.9 && value(plain.masks[0], 53, spout.midY) < 0.5)
        #expect(value(known.masks[0], 53, 28) < 0.5 && value(known.masks[0], 60, spout.midY) < 0.5)
        #expect(known.background.values[19 * Self.width + 53] < 0.1)
    }

    @Test("what no mask had belongs to the nearest one, and nobody's to none")
    func owners() {
        let classifiers = Self.classifiers { place, x, y in Self.body.contains(place) ? Self.cloth(place.y) : Self.wall(x, y) }
        let (left, right) = (Self.mask(CGRect(x: 20, y: 12, width: 14, height: 24)), Self.mask(CGRect(x: 34, y: 12, width: 12, height: 24)))
        let refined = classifiers.refine([left, right], foreground: Self.unknown).masks
        let beside = 40 * refined[0].width + 96
        #expect(refined[0].values[beside] < 0.1 && refined[1].values[beside] > 0.9)
        #expect(Self.overlap(refined[0], CGRect(x: 20, y: 12, width: 14, height: 24)) > 0.9)
        #expect(classifiers.refine([], foreground: Self.unknown).masks.isEmpty)
    }

    /// Mask that has followed the outline told by colours through `count` pictures of the body with a beam of its own cloth beside it.
    private static func followed(_ count: Int, foreground: [Float], within box: CGRect? = nil) -> SoftMask {
        let beam = CGRect(x: 50, y: 16, width: 30, height: 6)
        let classifiers = Self.classifiers { place, x, y in body.contains(place) || beam.contains(place) ? cloth(place.y) : wall(x, y) }
        var cutout = Cutout()
        cutout.take(mask(body.insetBy(dx: 2, dy: 0)))
        for _ in 0..<count {
            let refined = classifiers.refine([cutout.mask!], foreground: foreground)
            cutout.refine(to: refined.masks[0], foreground: foreground, within: box)
        }
        return cutout.mask!
    }

    @Test("a mask goes on with what colours have told, and never along what looks like the plate or beyond its box")
    func followedOn() {
        var plate = Self.unknown
        for y in 16..<22 { for x in 50..<80 { plate[y * Self.width + x] = -1 } }
        func value(_ mask: SoftMask, _ x: Int, _ y: Int) -> Float { mask.values[y * mask.width + x] }
        let (once, often) = (Self.followed(1, foreground: plate), Self.followed(12, foreground: plate))
        #expect((0.4..<0.8).contains(value(once, 21, 30)) && value(often, 21, 30) > 0.9)
        let boxed = Self.followed(12, foreground: Self.unknown, within: Self.body)
        #expect((52..<80).allSatisfy { value(often, $0, 19) == 0 && value(boxed, $0, 19) == 0 })
        // Without the one or the other nothing tells the beam from an arm.
        #expect(value(Self.followed(12, foreground: Self.unknown), 66, 19) > 0.9)
    }
}
