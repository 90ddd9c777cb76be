import Foundation
import Pipeline
import Testing

@testable import Vision

@Suite("Graphics that stand over cuts")
struct ScreenGraphicsTests {
    private static let (width, height) = (320, 180)
    private static let logo = CGRect(x: 260, y: 12, width: 30, height: 24)

    /// Blotches of a shot, and over them a logo of stripes, or a part of another shot.
    private static func picture(shot: Int, hasLogo: Bool = true, keeping part: CGRect = .zero) -> Raster {
        let raster = Raster(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let place = CGPoint(x: Double(x), y: Double(y))
                let own = part.contains(place) ? 0 : shot
                let isLogo = hasLogo && logo.contains(place)
                let tone = 60 + Pictures.speckle((x + 977 * own) / 24, (y + 331 * own) / 24) / 2
                raster.pixel(x, y).pointee = UInt8(isLogo ? (x / 3 % 2 == 0 ? 20 : 230) : tone)
            }
        }
        return raster
    }

    private static func found(behind: [Raster]) -> SoftMask? {
        var graphics = ScreenGraphics()
        graphics.see(picture(shot: 0))
        graphics.look(at: behind)
        return graphics.mask
    }

    @Test("a logo over another shot is found, and nothing else")
    func logo() throws {
        let mask = try #require(Self.found(behind: [Self.picture(shot: 1), Self.picture(shot: 2)]))
        let bounds = try #require(mask.bounds)
        #expect(abs(bounds.minX - Self.logo.minX) <= 2 && abs(bounds.maxX - Self.logo.maxX) <= 2, "\(bounds)")
        #expect(abs(bounds.minY - Self.logo.minY) <= 2 && abs(bounds.maxY - Self.logo.maxY) <= 2, "\(bounds)")
        #expect(mask.area * Double(Self.width * Self.height) > 0.9 * Self.logo.width * Self.logo.height)
    }

    @Test("what is gone behind the cut, or is a part of a scene that stays, is none")
    func none() {
        #expect(Self.found(behind: [Self.picture(shot: 1, hasLogo: false), Self.picture(shot: 2)]) == nil)
        let most = CGRect(x: 0, y: 0, width: 240, height: 180)
        #expect(Self.found(behind: [Self.picture(shot: 1, hasLogo: false, keeping: most)]) == nil)
    }

    @Test("the next shot of which nothing is known has none; pictures of another size tell nothing")
    func forgotten() {
        var graphics = ScreenGraphics()
        graphics.see(Self.picture(shot: 0))
        graphics.look(at: [Self.picture(shot: 1)])
        graphics.look(at: [Raster(width: 16, height: 9)])
        #expect(graphics.mask != nil)
        graphics.forget()
        #expect(graphics.mask == nil)
    }
}
