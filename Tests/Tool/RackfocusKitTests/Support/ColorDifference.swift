import Foundation

/// CIEDE2000 difference of two colours (Sharma, Wu and Dalal 2005).
enum ColorDifference {
    /// L*a*b* of encoded red, green and blue from 0 to 1, taken for sRGB under D65.
    static func lab(_ colour: SIMD3<Double>) -> SIMD3<Double> {
        func linear(_ code: Double) -> Double { code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4) }
        let (r, g, b) = (linear(colour.x), linear(colour.y), linear(colour.z))
        func f(_ value: Double) -> Double { value > 0.008856 ? cbrt(value) : 7.787 * value + 16.0 / 116 }
        let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
        let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b)
        let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
        return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
    }

    /// The difference of two colours in L*a*b*; 1 is just noticeable.
    static func ciede2000(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
        let mean7 = pow((hypot(first.y, first.z) + hypot(second.y, second.z)) / 2, 7)
        let stretch = 1 + 0.5 * (1 - sqrt(mean7 / (mean7 + pow(25, 7))))
        let (a1, a2) = (first.y * stretch, second.y * stretch)
        let (c1, c2) = (hypot(a1, first.z), hypot(a2, second.z))
        func hue(_ a: Double, _ b: Double) -> Double { a == 0 && b == 0 ? 0 : (atan2(b, a) + 2 * .pi).truncatingRemainder(dividingBy: 2 * .pi) }
        let (h1, h2) = (hue(a1, first.z), hue(a2, second.z))
        var turn = c1 * c2 == 0 ? 0 : h2 - h1
        if turn > .pi { turn -= 2 * .pi } else if turn < -.pi { turn += 2 * .pi }
        let hueDifference = 2 * sqrt(c1 * c2) * sin(turn / 2)
        var hueMean = (h1 + h2) / 2
        if c1 * c2 == 0 { hueMean = h1 + h2 } else if abs(h1 - h2) > .pi { hueMean += hueMean < .pi ? .pi : -.pi }
        let (lightness, chroma) = ((first.x + second.x) / 2, (c1 + c2) / 2)
        let weight =
            1 - 0.17 * cos(hueMean - .pi / 6) + 0.24 * cos(2 * hueMean) + 0.32 * cos(3 * hueMean + .pi / 30) - 0.2 * cos(4 * hueMean - 63 * .pi / 180)
        let offset = pow(lightness - 50, 2)
        let sl = 1 + 0.015 * offset / sqrt(20 + offset)
        let (sc, sh) = (1 + 0.045 * chroma, 1 + 0.015 * chroma * weight)
        let chroma7 = pow(chroma, 7)
        let rotation = -2 * sqrt(chroma7 / (chroma7 + pow(25, 7))) * sin(.pi / 3 * exp(-pow((hueMean * 180 / .pi - 275) / 25, 2)))
        let (l, c, h) = ((second.x - first.x) / sl, (c2 - c1) / sc, hueDifference / sh)
        return sqrt(l * l + c * c + h * h + rotation * c * h)
    }
}
