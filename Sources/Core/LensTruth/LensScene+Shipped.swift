import Foundation
import Optics

extension LensScene {
    /// Seven scenes on which every change of the lens is measured. Blur grows with the picture: a radius of at most 26 pixels at 1920, of wide open 64.
    ///
    /// `aperture` scales the blur, so that small pictures can be tried with discs as large as those of big ones.
    public static func shipped(width: Int, height: Int, aperture: Double = 1) -> [LensScene] {
        let easel = Easel(width: width, height: height, aperture: aperture)
        return [easel.nearDepths, easel.slantedGround, easel.hairAndFoliage, easel.midBeforeWall, easel.night, easel.wideOpen, easel.whiteShirt]
    }
}

/// Paints the shipped scenes at one size.
private struct Easel {
    let width: Int
    let height: Int
    let aperture: Double

    private var aspect: Float { Float(width) / Float(height) }

    /// Bars at three depths in front of a person in focus.
    var nearDepths: LensScene {
        let aspect = aspect
        func bars(_ disparity: Float, at places: [Float], _ half: Float, _ colour: SIMD3<Float>, _ seed: UInt64) -> Sheet {
            Sheet(disparity) { p in
                guard places.contains(where: { abs(p.x / aspect - $0 + 0.05 * (p.y - 0.5)) < half }) else { return Paint.clear }
                return Paint.plaster(p, colour * 0.6, colour * 1.2, seed)
            }
        }
        return scene(
            "near depths", 53,
            [
                bars(0.98, at: [0.08, 0.93], 0.035, SIMD3(0.50, 0.08, 0.06), 31),
                bars(0.82, at: [0.27], 0.020, SIMD3(0.10, 0.35, 0.14), 32),
                bars(0.66, at: [0.40, 0.70], 0.014, SIMD3(0.55, 0.50, 0.10), 33),
                Sheet(0.5) { Paint.figure($0, x: 0.5 * aspect, size: 0.85) },
                Sheet(0.1) { Paint.bricks($0, SIMD2(0.11, 0.045), 34) },
            ])
    }

    /// A floor from the horizon through the focus to the feet, with a post standing in focus.
    var slantedGround: LensScene {
        let aspect = aspect
        let (top, bottom): (Float, Float) = (-0.60, 1.0)
        return scene(
            "slanted ground", 53,
            [
                Sheet(0.5) { p in
                    guard abs(p.x - 0.62 * aspect) < 0.05, p.y > 0.15, p.y < 0.6875 else { return Paint.clear }
                    return Paint.plaster(p, SIMD3(0.30, 0.05, 0.04), SIMD3(0.75, 0.30, 0.12), 41)
                },
                Sheet(top, bottom) { p in
                    let disparity = top + (bottom - top) * p.y
                    return disparity > 0.06 ? Paint.tiles(p, depth: disparity, middle: 0.5 * aspect) : Paint.clear
                },
                Sheet(0.05) { Paint.plaster($0, SIMD3(0.18, 0.26, 0.38), SIMD3(0.65, 0.70, 0.75), 42) },
            ])
    }

    /// Hair in focus, leaves close to the lens, and leaves behind.
    var hairAndFoliage: LensScene {
        let aspect = aspect
        return scene(
            "hair and foliage", 53,
            [
                Sheet(0.92) { $0.x < 0.30 * aspect ? Paint.leaves($0, cell: 0.13, density: 0.55, 51) : Paint.clear },
                Sheet(0.505) { Paint.hair($0, x: 0.58 * aspect, size: 0.9) },
                Sheet(0.5) { Paint.figure($0, x: 0.58 * aspect, size: 0.9) },
                Sheet(0.22) { Paint.leaves($0, cell: 0.06, density: 0.45, 52) },
                Sheet(0.04) { Paint.plaster($0, SIMD3(0.10, 0.16, 0.06), SIMD3(0.80, 0.78, 0.60), 53) },
            ])
    }

    /// Person in focus, a shelf out of focus, a wall farther still; nothing in front.
    var midBeforeWall: LensScene {
        let aspect = aspect
        return scene(
            "mid before far wall", 53,
            [
                Sheet(0.5) { Paint.figure($0, x: 0.30 * aspect, size: 0.8) },
                Sheet(0.30) { p in
                    let shelf = p.y > 0.62 && p.x > 0.45 * aspect
                    let across = (p.x / aspect - 0.62) * 5
                    let post = abs(across - across.rounded()) < 0.18 && p.y > 0.2 && p.x > 0.42 * aspect
                    return shelf || post ? Paint.bricks(p, SIMD2(0.09, 0.03), 61) : Paint.clear
                },
                Sheet(0) { Paint.plaster($0, SIMD3(0.15, 0.35, 0.50), SIMD3(0.85, 0.85, 0.80), 62) },
            ])
    }

    /// Lamps brighter than white, far behind and close to the lens; each is seen whole, since no lens can draw one beyond the picture's edge.
    var night: LensScene {
        let aspect = aspect
        let radiance: Float = 17
        let (far, near): (Float, Float) = (0.012, 0.022)
        let figure: @Sendable (SIMD2<Float>) -> SIMD4<Float> = { Paint.figure($0, x: 0.45 * aspect, size: 0.85) * SIMD4(0.3, 0.3, 0.3, 1) }
        @Sendable func isInside(_ p: SIMD2<Float>, _ radius: Float) -> Bool {
            min(p.x, aspect - p.x) > radius && min(p.y, 1 - p.y) > radius
        }
        @Sendable func isSeen(_ p: SIMD2<Float>) -> Bool {
            isInside(p, far) && (0..<16).allSatisfy { figure(p + far * SIMD2(cos(Float($0) * .pi / 8), sin(Float($0) * .pi / 8))).w == 0 }
        }
        return scene(
            "night", 53, radiance: Double(radiance),
            [
                Sheet(0.9) { p in
                    guard p.x > 0.80 * aspect else { return Paint.clear }
                    return Paint.lights(p, cell: 0.22, radius: near, density: 0.6, radiance: radiance, 71) { isInside($0, near) }
                },
                Sheet(0.5) { figure($0) },
                Sheet(0.06) { Paint.lights($0, cell: 0.12, radius: far, density: 0.5, radiance: radiance, 72, isFree: isSeen) },
                Sheet(0.05) { Paint.plaster($0, SIMD3(0.004, 0.005, 0.012), SIMD3(0.03, 0.035, 0.06), 73) },
            ])
    }

    /// The largest discs the lens draws: leaves as near and a wall as far as it goes.
    var wideOpen: LensScene {
        let aspect = aspect
        return scene(
            "wide open", 128,
            [
                Sheet(1) { $0.x > 0.66 * aspect ? Paint.leaves($0, cell: 0.21, density: 0.6, 81) : Paint.clear },
                Sheet(0.5) { Paint.figure($0, x: 0.40 * aspect, size: 0.85) },
                Sheet(0) { Paint.bricks($0, SIMD2(0.16, 0.06), 82) },
            ])
    }

    /// White things that are no lights, behind the focus and in front of it: a shirt, a wall, a window with bars, a sleeve; and a few lamps that are.
    var whiteShirt: LensScene {
        let aspect = aspect
        let (radiance, lamp): (Float, Float) = (9, 0.010)
        let shirt: @Sendable (SIMD2<Float>) -> SIMD4<Float> = { p in
            let figure = Paint.figure(p, x: 0.34 * aspect, size: 0.8)
            guard figure.w > 0, figure.z > figure.x else { return figure }
            return Paint.plaster(p, SIMD3(0.80, 0.82, 0.84), SIMD3(1.10, 1.10, 1.10), 91)
        }
        @Sendable func room(_ p: SIMD2<Float>) -> SIMD4<Float> {
            let q = SIMD2(p.x / aspect, p.y)
            if q.x > 0.86 { return Paint.plaster(p, SIMD3(0.88, 0.88, 0.86), SIMD3(1.02, 1.02, 1.00), 92) }
            let pane = SIMD2((q.x - 0.52) / 0.07, (q.y - 0.10) / 0.16)
            guard pane.x > 0, pane.y > 0, pane.x < 3, pane.y < 3 else {
                return Paint.plaster(p, SIMD3(0.03, 0.035, 0.04), SIMD3(0.22, 0.20, 0.18), 93)
            }
            let inside = pane - pane.rounded(.down)
            return inside.x < 0.12 || inside.y < 0.12 ? SIMD4(0.12, 0.08, 0.05, 1) : SIMD4(0.97, 0.99, 1, 1)
        }
        @Sendable func isFree(_ p: SIMD2<Float>) -> Bool {
            let apart = 2 * lamp
            return p.x > apart && p.x < 0.18 * aspect && p.y > apart && p.y < 0.6
        }
        return scene(
            "white shirt", 53, radiance: Double(radiance),
            [
                Sheet(0.92) { p in
                    guard p.x < 0.22 * aspect, p.y > 0.72 - 0.2 * p.x else { return Paint.clear }
                    return Paint.plaster(p, SIMD3(0.84, 0.84, 0.86), SIMD3(1.06, 1.06, 1.06), 94)
                },
                Sheet(0.5) { Paint.figure($0, x: 0.66 * aspect, size: 0.7) },
                Sheet(0.20) { shirt($0) },
                Sheet(0.06) { Paint.lights($0, cell: 0.10, radius: lamp, density: 0.6, radiance: radiance, 95, isFree: isFree) },
                Sheet(0.05) { room($0) },
            ])
    }

    /// `radius` is that of the blur in pixels per unit of disparity in a picture 1920 wide.
    private func scene(_ name: String, _ radius: Double, radiance: Double = 1, _ sheets: [Sheet]) -> LensScene {
        let perDisparity = radius * aperture * Double(width) / 1920
        let margin = Int((perDisparity * 0.55).rounded(.up)) + 2
        return LensScene(
            name: name, width: width, height: height,
            circle: CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 2 * perDisparity), radiance: radiance,
            planes: sheets.map { ScenePlane(width: width, height: height, margin: margin, disparity: ($0.top, $0.bottom), $0.paint) })
    }
}

/// Painter of a plane, and its disparity at the picture's top and bottom edge.
private struct Sheet {
    let top: Float
    let bottom: Float
    let paint: ScenePlane.Painter

    init(_ disparity: Float, _ paint: @escaping ScenePlane.Painter) { self.init(disparity, disparity, paint) }

    init(_ top: Float, _ bottom: Float, _ paint: @escaping ScenePlane.Painter) {
        self.top = top
        self.bottom = bottom
        self.paint = paint
    }
}
