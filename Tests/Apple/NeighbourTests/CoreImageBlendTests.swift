import CoreImage.CIFilterBuiltins
import Foundation
import Testing

/// Blending filter by name, and what its formula makes of linear light in front and behind.
struct BlendFormula: Sendable, CustomTestStringConvertible {
    let name: String
    let value: @Sendable (_ front: Double, _ behind: Double) -> Double
    var testDescription: String { name }

    static let all: [Self] = [
        Self(name: "CIAdditionCompositing") { min($0 + $1, 1) }, Self(name: "CIMultiplyBlendMode") { $0 * $1 },
        Self(name: "CIMultiplyCompositing") { $0 * $1 }, Self(name: "CIScreenBlendMode") { $0 + $1 - $0 * $1 },
        Self(name: "CIOverlayBlendMode") { $1 < 0.5 ? 2 * $0 * $1 : 1 - 2 * (1 - $0) * (1 - $1) },
        Self(name: "CIHardLightBlendMode") { $0 < 0.5 ? 2 * $0 * $1 : 1 - 2 * (1 - $0) * (1 - $1) },
        Self(name: "CIDarkenBlendMode") { min($0, $1) }, Self(name: "CILightenBlendMode") { max($0, $1) },
        Self(name: "CIMinimumCompositing") { min($0, $1) }, Self(name: "CIMaximumCompositing") { max($0, $1) },
        Self(name: "CIDifferenceBlendMode") { abs($0 - $1) }, Self(name: "CIExclusionBlendMode") { $0 + $1 - 2 * $0 * $1 },
        Self(name: "CIColorBurnBlendMode") { max(0, 1 - (1 - $1) / $0) }, Self(name: "CIColorDodgeBlendMode") { min(1, $1 / (1 - $0)) },
    ]
}

@Suite("Filters that blend")
struct CoreImageBlendTests {
    private static func flat(_ colour: [Double], alpha: Double = 1) -> CIImage {
        CIImage(color: CIColor(red: colour[0], green: colour[1], blue: colour[2], alpha: alpha)).cropped(to: CGRect(x: 0, y: 0, width: 4, height: 4))
    }

    private static func pixel(_ image: CIImage?) throws -> [Int] {
        var bytes = [UInt8](repeating: 0, count: 4)
        let bounds = CGRect(x: 1, y: 1, width: 1, height: 1)
        let space = CGColorSpace(name: CGColorSpace.sRGB)
        CIContext().render(try #require(image), toBitmap: &bytes, rowBytes: 4, bounds: bounds, format: .RGBA8, colorSpace: space)
        return bytes.map(Int.init)
    }

    private static func linear(_ value: Double) -> Double { value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4) }
    private static func byte(_ light: Double) -> Double { 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055) }

    @Test("do what their formulas say, in linear light", arguments: BlendFormula.all)
    func formulas(_ formula: BlendFormula) throws {
        let (front, behind) = ([0.8, 0.4, 0.2], [0.25, 0.5, 0.75])
        let filter = try #require(CIFilter(name: formula.name))
        filter.setValue(Self.flat(front), forKey: kCIInputImageKey)
        filter.setValue(Self.flat(behind), forKey: kCIInputBackgroundImageKey)
        let made = try Self.pixel(filter.outputImage)
        for (index, pair) in zip(front, behind).enumerated() {
            let wanted = Self.byte(formula.value(Self.linear(pair.0), Self.linear(pair.1)))
            #expect(abs(Double(made[index]) - wanted) <= 1.5, "\(made[index]) for \(wanted)")
        }
        #expect(made[3] == 255)
    }

    @Test("lay one picture over, into and out of another by how opaque each is")
    func composites() throws {
        let (half, behind) = (Self.flat([0.6, 0.3, 0.1], alpha: 0.5), Self.flat([0.25, 0.5, 0.75]))
        let over = CIFilter.sourceOverCompositing()
        (over.inputImage, over.backgroundImage) = (half, behind)
        let wanted = Self.byte(0.5 * Self.linear(0.6) + 0.5 * Self.linear(0.25))
        let laid = try Self.pixel(over.outputImage)
        #expect(abs(Double(laid[0]) - wanted) <= 1.5 && laid[3] == 255)
        let atop = CIFilter.sourceAtopCompositing()
        (atop.inputImage, atop.backgroundImage) = (half, behind)
        #expect(try Self.pixel(atop.outputImage) == laid)
        let into = CIFilter.sourceInCompositing()
        (into.inputImage, into.backgroundImage) = (behind, half)
        #expect(try Self.pixel(into.outputImage)[3] == 128)
        let out = CIFilter.sourceOutCompositing()
        (out.inputImage, out.backgroundImage) = (half, behind)
        #expect(try Self.pixel(out.outputImage) == [0, 0, 0, 0])
    }
}
