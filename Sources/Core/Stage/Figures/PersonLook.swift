/// The paint on a person: skin, lips, brows, eyes, hair and cloth.
struct PersonLook: Look {
    static let skin = 0, eye = 1, hair = 2, neck = 3, cloth = 4, trousers = 5, shoe = 6

    private let skinColor: SIMD3<Float>
    private let hairColor: SIMD3<Float>
    private let browColor: SIMD3<Float>
    private let eyeColor: SIMD3<Float>
    private let clothColor: SIMD3<Float>
    private let accent: SIMD3<Float>
    private let pattern: Int
    private let beard: Float
    private let lipstick: Float
    private let browThickness: Float
    /// While blinking the lashes lie on the lower rim.
    var areEyesOpen = true

    init(stream: HashStream, words: [String], hair: Person.Hair) {
        let tone = Palette.pick(Palette.skins, name: \.name, words: words, stream, 10)
        skinColor = Palette.rgb(tone.color)
        let isDark = Palette.skins.suffix(3).contains { $0.name == tone.name }
        let hairTone = Palette.rgb(
            (Palette.hairs.first { words.contains($0.name) } ?? Palette.hairs[Int(stream.bits(11) >> 33) % (isDark ? 2 : Palette.hairs.count)]).color)
        hairColor = hairTone
        browColor = hairTone * 0.22 + Palette.rgb(0x2A1A10) * 0.5
        eyeColor = Palette.rgb(Palette.eyes[isDark ? 0 : Int(stream.bits(12) >> 33) % Palette.eyes.count])
        clothColor = Palette.rgb(Palette.pick(Palette.clothes, name: \.name, words: words, stream, 13).color)
        accent = Palette.rgb(Palette.clothes[Int(stream.bits(14) >> 33) % Palette.clothes.count].color)
        pattern = words.contains("plain") ? 0 : words.contains("striped") ? 1 : words.contains("checked") ? 2 : Int(stream.bits(15) >> 33) % 3
        beard = words.contains("beard") ? 1 : hair == .short && stream.unit(16) < 0.4 ? 0.55 : 0
        lipstick = beard > 0 ? 0 : hair == .short ? 0.1 : 0.5
        browThickness = Float(0.034 + stream.unit(17) * 0.02) * (hair == .short ? 1.15 : 0.9)
    }

    func surface(_ material: Int32, at p: SIMD3<Float>, normal n: SIMD3<Float>) -> Surface {
        switch Int(material) {
        case Self.skin: face(p, n)
        case Self.eye: eye(p)
        case Self.hair: strands(p, n)
        case Self.neck: neck(p)
        case Self.cloth: knit(p)
        case Self.trousers: denim(p)
        default: Surface(color: Palette.rgb(0x2A2320), gloss: 0.25, sharpness: 40)
        }
    }

    private func face(_ p: SIMD3<Float>, _ n: SIMD3<Float>) -> Surface {
        var color = skinColor * (1 + 0.03 * Noise.value(p.x * 9, p.y * 9, p.z * 9) + 0.02 * Noise.value(p.x * 40, p.y * 40, p.z * 40))
        let x = abs(p.x), isFront = smooth(0.2, 0.45, p.z)
        let cheek = bump(x - 0.42, 0.26) * bump(p.y + 0.28, 0.26) * isFront
        color *= mix(SIMD3(repeating: 1), SIMD3(1.06, 0.80, 0.76), cheek * 0.55)
        color *= mix(SIMD3(repeating: 1), SIMD3(1.05, 0.84, 0.80), bump(p.x, 0.16) * bump(p.y + 0.26, 0.14) * isFront * 0.6)
        let shade = beard * smooth(-0.38, -0.55, p.y + 0.15 * smooth(0.45, 0.7, x)) * (1 - bump(p.x, 0.24) * bump(p.y + 0.64, 0.10))
        let stubble = 0.75 + 0.25 * Noise.value(p.x * 60, p.y * 30, p.z * 60)
        color = mix(color, browColor * 0.8, shade * 0.8 * stubble * smooth(-0.35, 0.0, p.z))
        let scalp = smooth(0.80, 0.95, p.y + 0.35 * smooth(0.5, 0.8, x))
        color = mix(color, hairColor * 0.8, scalp * 0.7)
        var gloss: Float = 0.07
        if isFront > 0 { paintFeatures(p, x, isFront, &color, &gloss) }
        return Surface(color: color, softness: 0.45, gloss: gloss, sharpness: 9)
    }

    private func paintFeatures(_ p: SIMD3<Float>, _ x: Float, _ isFront: Float, _ color: inout SIMD3<Float>, _ gloss: inout Float) {
        // Brows arch from the nose outwards and thin towards the temples.
        let t = (x - 0.13) / 0.38
        let arch: Float = 0.235 + 0.085 * t - 0.085 * t * t * t
        let thickness: Float = browThickness * (1.25 - 0.75 * t)
        let hairs: Float = 0.8 + 0.2 * Noise.value(p.x * 70, (p.y - x * 0.5) * 25, 3)
        let brow: Float = smooth(-0.06, 0.06, t) * smooth(1.08, 0.9, t) * smooth(thickness, thickness * 0.45, abs(p.y - arch))
        color = mix(color, browColor, brow * 0.92 * hairs * isFront)

        // Eyelids: shadow above, lashes along the upper rim, a soft line beneath.
        let u = (x - 0.31) / 0.165
        let lower: Float = 0.026 - 0.066 * (1 - u * u)
        let rim: Float = areEyesOpen ? 0.026 + 0.070 * (1 - u * u) : lower
        let inside = smooth(1.15, 0.95, abs(u))
        let lid: Float = 0.28 * inside * smooth(0.19, 0.11, p.y) * smooth(0.0, 0.06, p.y) * isFront
        color *= 1 - lid
        let lashes: Float = inside * smooth(0.030 + lipstick * 0.02, 0.010, abs(p.y - rim - 0.004)) * smooth(-1.1, -0.6, u) * 0.92
        color = mix(color, Palette.rgb(0x1C110C), lashes)
        let beneath: Float = 0.3 * inside * smooth(0.03, 0.005, abs(p.y - lower + 0.008))
        color *= 1 - beneath
        let pouch: Float = 0.10 * smooth(0.06, 0.0, abs(p.y + 0.10 - 0.04 * u * u)) * inside
        color *= 1 - pouch

        // Nostrils and the crease beside them.
        let (nx, ny): (Float, Float) = ((x - 0.066) / 0.05, (p.y + 0.362) / 0.028)
        let nostril: Float = smooth(1, 0.35, nx * nx + ny * ny)
        color = mix(color, skinColor * 0.12, nostril * 0.85 * smooth(0.6, 0.75, p.z))
        let bend: Float = abs(x - 0.21 - 0.28 * (-0.32 - p.y))
        let crease: Float = 0.14 * smooth(0.05, 0, bend) * smooth(-0.62, -0.5, p.y) * smooth(-0.28, -0.36, p.y)
        color *= 1 - crease

        // Lips with an upturned seam.
        let seam: Float = -0.632 + 0.35 * p.x * p.x
        let half: Float = 1 - (x / 0.275) * (x / 0.275)
        if half > 0 {
            let bow: Float = 0.075 * half + 0.012 * smooth(0.0, 0.09, x) * half
            let above = p.y - seam
            let lip: Float = above > 0 ? smooth(bow, bow * 0.7, above) : smooth(0.088 * half.squareRoot(), 0.06 * half.squareRoot(), -above)
            let tone = skinColor * SIMD3(0.86, 0.50, 0.48)
            color = mix(color, mix(tone, Palette.rgb(0x8E2A33), lipstick * 0.6), lip * 0.85)
            gloss += 0.16 * lip * (above < 0 ? 1 : 0.3)
        }
        let line: Float = smooth(0.016, 0.004, abs(p.y - seam)) * smooth(0.30, 0.24, x) * 0.85
        color = mix(color, Palette.rgb(0x2E1210), line)
    }

    private func eye(_ p: SIMD3<Float>) -> Surface {
        let x = abs(p.x) - 0.31, y = p.y - 0.035
        let r = (x * x + y * y).squareRoot()
        let front: Float = p.z > 0.6 ? 1 : 0
        var color = Palette.rgb(0xE6E0DA) * (0.92 - 0.25 * smooth(0.0, 0.10, y) - 0.18 * smooth(0.09, 0.17, abs(x)))
        let fibres = 0.8 + 0.35 * Noise.value(x / max(r, 0.01) * 5, y / max(r, 0.01) * 5, r * 20)
        let iris = mix(eyeColor * 1.5 * fibres, eyeColor * 0.35, smooth(0.062, 0.082, r)) * (1.15 - 0.5 * smooth(-0.03, 0.06, y))
        color = mix(color, iris, front * smooth(0.088, 0.080, r))
        color = mix(color, SIMD3(repeating: 0.008), front * smooth(0.040, 0.032, r))
        let sparkX = p.x - (p.x > 0 ? 0.31 : -0.31) + 0.028
        let spark = smooth(0.021, 0.012, (sparkX * sparkX + (y - 0.030) * (y - 0.030)).squareRoot())
        return Surface(color: color, softness: 0.2, gloss: 0.25, sharpness: 60, glow: SIMD3(repeating: 0.85 * spark * front))
    }

    private func strands(_ p: SIMD3<Float>, _ n: SIMD3<Float>) -> Surface {
        // Strands run down and back: fine across, long along.
        let side = abs(n.x)
        let across = p.x * (1 - side) + p.z * side
        let fine = Noise.value(across * 46, p.y * 2.2, p.z * (3 + 8 * (1 - side)) * 0.5)
        let finer = Noise.value(across * 95 + 7, p.y * 3, p.z * 2)
        let coarse = Noise.value(across * 9, p.y * 1.1, p.z * 2)
        let band = bump(p.y - 0.85 - 0.12 * coarse, 0.22) + 0.5 * bump(p.y + 0.6 - 0.2 * coarse, 0.4)
        let color = hairColor * (0.78 + 0.20 * fine + 0.12 * finer + 0.16 * coarse + 0.4 * band * max(n.z + 0.3, 0))
        return Surface(
            color: color, softness: 0.15, gloss: 0.08 + 0.10 * max(fine, 0), sharpness: 14,
            bump: SIMD3(0.22 * fine + 0.08 * coarse, 0, 0.14 * finer))
    }

    private func neck(_ p: SIMD3<Float>) -> Surface {
        let under = p.y > -3 ? 1 - 0.62 * smooth(-1.95, -1.15, p.y) : 1
        return Surface(color: skinColor * SIMD3(0.97, 0.93, 0.92) * under, softness: 0.4, gloss: 0.04, sharpness: 9)
    }

    private func knit(_ p: SIMD3<Float>) -> Surface {
        var color = clothColor
        let along = p.x * 0.8 + p.z * 0.6
        if pattern == 1 {
            color = mix(color, accent * 0.9 + 0.06, smooth(0.30, 0.34, abs((p.y / 0.9 - (p.y / 0.9).rounded()) * 1)))
        } else if pattern == 2 {
            func line(_ v: Float) -> Float { smooth(0.18, 0.12, abs(v - v.rounded())) }
            color = mix(color, accent * 0.7, 0.5 * line(p.x * 0.9) + 0.5 * line(p.y * 0.9))
        }
        let rib = ripple(along * 11), row = ripple(p.y * 9 + along * 2)
        let (weave, fuzz): (Float, Float) = (0.10 * rib * row, 0.07 * Noise.value(p.x * 24, p.y * 24, p.z * 24))
        color *= 0.90 + weave + fuzz
        color *= 1 - 0.30 * smooth(0.05, 0.0, abs(p.y + 2.13)) * smooth(0.95, 0.7, abs(p.x))
        return Surface(color: color, softness: 0.2, gloss: 0.015, sharpness: 6, bump: SIMD3(rib * 0.10, row * 0.08, 0))
    }

    private func denim(_ p: SIMD3<Float>) -> Surface {
        let weave = ripple((p.x + p.y * 0.7) * 14)
        return Surface(
            color: Palette.rgb(0x33415A) * (0.85 + 0.12 * weave + 0.15 * Noise.value(p.x * 3, p.y * 1.2, p.z * 3)), softness: 0.15, gloss: 0.02)
    }

    /// Bump function of height 1 and half width `w`.
    private func bump(_ x: Float, _ w: Float) -> Float {
        let t = max(1 - (x / w) * (x / w), 0)
        return t * t
    }

    /// A wave −1…1 of period 1, made of parabolas.
    private func ripple(_ x: Float) -> Float {
        let t = x - x.rounded()
        return 16 * t * (0.5 - abs(t))  // ±1 at the quarter points
    }
}
