internal import COpenCV
internal import CVisionKernels
internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// Barrier distances from five seed masks in a picture of 128 pixels' width or less.
    package static func minimumBarrier(_ scene: VisionScene) throws -> KernelComparison {
        let colours = try smallColours(scene)
        let (width, height) = (colours.width, colours.height)
        let seeds = (0..<5).map { index in
            Plane<UInt8>(width, height) { x, y, _ in
                if index == 0 { return x == 0 || y == 0 || x == width - 1 || y == height - 1 ? 255 : 0 }
                let (dx, dy) = (x - width * index / 5, y - height / 2)
                return dx * dx + dy * dy <= 4 ? 255 : 0
            }
        }
        let found = Plane<Float>(width, 5 * height), expected = Plane<Float>(width, 5 * height)
        return KernelComparison(
            "MinimumBarrier", oracle: "plain: algorithm 1 of Zhang 2015",
            runKernel: {
                var picture = colours.image
                rf_minimum_barrier(&picture, seeds.map(\.image), 5, found.base)
            },
            runOracle: {
                var picture = colours.image
                rf_oracle_minimum_barrier(&picture, seeds.map(\.image), 5, expected.base)
            },
            compare: { VisionScene.difference(found, expected) })
    }

    /// Palette of the scene's colours at 128 pixels' width or less, or of one colour with a single other pixel, for which clusters stay empty.
    package static func colourPalette(_ scene: VisionScene, isFlat: Bool = false) throws -> KernelComparison {
        let colours =
            isFlat ? Plane<UInt8>(40, 30, channels: 3) { x, y, c in x == 4 && y == 6 ? 200 : UInt8(30 * (c + 1)) } : try smallColours(scene)
        let found = Plane<Float>(32, 3), expected = Plane<Float>(32, 3)
        return KernelComparison(
            "ColourPalette", oracle: "cv::kmeans",
            runKernel: {
                var picture = colours.image
                _ = rf_palette(&picture, found.base)
            },
            runOracle: {
                var picture = colours.image
                try OracleError.check("finding colours", rf_oracle_palette(&picture, expected.base))
            },
            compare: { VisionScene.difference(found, expected) })
    }

    /// A painted ball cut out of a textured wall, three iterations: right by the ball's outline.
    package static func colourModel() -> KernelComparison {
        let (width, height) = (128, 96)
        func isBall(_ x: Int, _ y: Int) -> Bool { (x - 60) * (x - 60) + (y - 50) * (y - 50) < 26 * 26 }
        let picture = Plane<UInt8>(width, height, channels: 3) { x, y, c in
            let ball = [60.0, 70, 190][c] - 0.9 * Double(abs(x - 52) + abs(y - 42)), wall = [110.0, 130, 120][c]
            return UInt8(min(max((isBall(x, y) ? ball : wall) + 40 * (VisionScene.noise(x, y, c) - 0.5), 0), 255))
        }
        let labels = Plane<UInt8>(width, height) { x, y, _ in
            let distance = hypot(Double(x - 60), Double(y - 50))
            return distance < 8 ? 1 : (distance < 20 ? 3 : (distance < 42 ? 2 : 0))
        }
        let found = Plane<UInt8>(width, height), expected = Plane<UInt8>(width, height)
        func share(_ mask: Plane<UInt8>) -> Double {
            var right = 0
            for y in 0..<height { for x in 0..<width where (mask[x, y] != 0) == isBall(x, y) { right += 1 } }
            return Double(right) / Double(width * height)
        }
        return KernelComparison(
            "ColourModel", oracle: "cv::grabCut",
            runKernel: {
                found.copy(labels)
                var (colours, mask, cutter) = (picture.image, found.image, OpaquePointer?.none)
                try OracleError.check("preparing the cut", rf_cutter_open(&colours, &cutter))
                defer { rf_cutter_close(cutter) }
                try OracleError.check("cutting", rf_cutter_cut(cutter, &mask, nil, 3))
            },
            runOracle: {
                expected.copy(labels)
                var (colours, mask) = (picture.image, expected.image)
                try OracleError.check("cutting", rf_oracle_cut(&colours, &mask, 3))
            },
            compare: { .right(kernel: share(found), oracle: share(expected)) })
    }

    /// Blue, green and red of the scene at 128 pixels' width or less.
    private static func smallColours(_ scene: VisionScene) throws -> Plane<UInt8> {
        let width = min(128, scene.luma.width / 3)
        let out = Plane<UInt8>(width, width * scene.luma.height / scene.luma.width, channels: 3)
        var (luma, chroma, bgr) = (scene.luma.image, scene.chroma.image, out.image)
        try OracleError.check("converting colours", rf_bgr(&luma, &chroma, &bgr))
        return out
    }
}
