import Bokeh
import CoreVideo
import Foundation
import LensTruth
import Optics
import Pipeline

/// Benchmark of the lens's steadiness over time: a scene moved by whole pixels, noisy disparity, an opening aperture, a rack.
///
/// Limits: at least 55 dB, less than 0.6 codes, at most 5 codes and less than 0.05 % above 10.
struct LensSteadiness {
    let options: LensBench.Options

    private static let frames = 9
    private static let noiseDraws = 6

    /// `scene` is painted somewhat wider than what is drawn of it, so that it can move.
    func run(_ scene: LensScene, width: Int, _ table: LensTable) throws {
        let lens = try VulkanBokehRenderer(gpu: options.gpu.map(GPUChoice.init) ?? .automatic, options: BokehOptions(highlights: 0))
        let view = View(scene, width: width)
        let still = try lens.render(view.image(), disparity: view.map(), circle: scene.circle)
        table.print("\(scene.name), \(width)x\(scene.height)")
        let moved = try table.working(on: "moved") {
            try (1...3).map { shift in
                let picture = try lens.render(view.image(from: shift), disparity: view.map(from: shift), circle: scene.circle)
                return String(format: "%.1f", Self.decibels(still, picture, moved: shift))
            }
        }
        table.print("  moved by 1, 2, 3 pixels    \(moved.joined(separator: ", ")) dB")
        let flicker = try table.working(on: "noise") {
            try Self.flicker((0..<Self.noiseDraws).map { try lens.render(view.image(), disparity: view.noisyMap(draw: $0), circle: scene.circle) })
        }
        table.print("  noise of 0.01              " + String(format: "%.2f codes", flicker))
        let (focus, scale) = (scene.circle.focusDisparity, scene.circle.diameterPerDisparity)
        let ramps: [(String, (Double) -> CircleOfConfusion)] = [
            ("aperture opened", { CircleOfConfusion(focusDisparity: focus, diameterPerDisparity: scale * (5 + $0) / 6) }),
            ("focus pulled", { CircleOfConfusion(focusDisparity: focus - 0.016 * $0, diameterPerDisparity: scale) }),
        ]
        for (name, circle) in ramps {
            let bends = try table.working(on: name) {
                try Bends(
                    (0..<Self.frames).map {
                        try lens.render(view.image(), disparity: view.map(), circle: circle(Double($0) / Double(Self.frames - 1)))
                    })
            }
            let text = String(format: "%d codes at 99.9 %%, %.4f %% above 10", bends.most, bends.jumps * 100)
            table.print("  " + name.padding(toLength: 27, withPad: " ", startingAt: 0) + text)
        }
        table.print("")
    }

    /// Part of a scene wider than the picture, as a camera shows it.
    private struct View {
        let width: Int
        private let sharp: CVPixelBuffer
        private let disparity: DisparityMap

        init(_ scene: LensScene, width: Int) { (self.width, sharp, disparity) = (width, scene.sharp(), scene.disparity()) }

        func image(from left: Int = 0) -> CVPixelBuffer {
            let part = CVPixelBuffer(width: width, height: sharp.size.height, pixelFormat: kCVPixelFormatType_32BGRA)
            for y in 0..<sharp.size.height {
                part.plane(0).row(y, as: UInt32.self).update(from: sharp.plane(0).row(y, as: UInt32.self) + left, count: width)
            }
            return part
        }

        func map(from left: Int = 0, adding noise: () -> Float = { 0 }) -> DisparityMap {
            let part = DisparityMap(
                buffer: CVPixelBuffer(width: width, height: disparity.height, pixelFormat: kCVPixelFormatType_DisparityFloat32))
            for y in 0..<disparity.height { for x in 0..<width { part.row(y)[x] = disparity.row(y)[x + left] + noise() } }
            return part
        }

        /// A standard deviation of 0.01: the sum of four even draws.
        func noisyMap(draw: Int) -> DisparityMap {
            var state = UInt64(draw) &* 0x9E37_79B9_7F4A_7C15 &+ 1
            func even() -> Float {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Float(state >> 40) / Float(1 << 24) - 0.5
            }
            return map { (even() + even() + even() + even()) * 0.01 * 1.7320508 }
        }
    }

    /// Rows of blue, green, red and alpha codes.
    private static func row(_ picture: CVPixelBuffer, _ y: Int) -> UnsafeMutablePointer<UInt8> { picture.plane(0).row(y) }

    /// PSNR of what both pictures show, but for what the edges of the picture reach.
    private static func decibels(_ still: CVPixelBuffer, _ moved: CVPixelBuffer, moved shift: Int) -> Double {
        let (width, height) = still.size
        let margin = min(72, height / 4)
        var squares = 0
        for y in margin..<height - margin {
            let (a, b) = (row(still, y), row(moved, y))
            for x in margin + shift..<width - margin {
                for channel in 0..<3 {
                    let difference = Int(a[4 * x + channel]) - Int(b[4 * (x - shift) + channel])
                    squares += difference * difference
                }
            }
        }
        let count = Double((height - 2 * margin) * (width - 2 * margin - shift) * 3)
        return 10 * log10(255 * 255 * count / max(Double(squares), 1))
    }

    /// Mean standard deviation of a code from picture to picture.
    private static func flicker(_ pictures: [CVPixelBuffer]) -> Double {
        let (width, height) = pictures[0].size
        var sum = 0.0
        for y in 0..<height {
            let rows = pictures.map { row($0, y) }
            for index in 0..<4 * width where index % 4 != 3 {
                let values = rows.map { Double($0[index]) }
                let mean = values.reduce(0, +) / Double(values.count)
                sum += (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)).squareRoot()
            }
        }
        return sum / Double(3 * width * height)
    }

    /// Second differences of codes over time.
    private struct Bends {
        /// 99.9th percentile of the second difference, codes, and the share above 10.
        let most: Int
        let jumps: Double

        init(_ pictures: [CVPixelBuffer]) {
            let (width, height) = pictures[0].size
            var counts = [Int](repeating: 0, count: 511)
            for (before, (now, after)) in zip(pictures, zip(pictures.dropFirst(), pictures.dropFirst(2))) {
                for y in 0..<height {
                    let (a, b, c) = (row(before, y), row(now, y), row(after, y))
                    for index in 0..<4 * width where index % 4 != 3 { counts[abs(Int(a[index]) - 2 * Int(b[index]) + Int(c[index]))] += 1 }
                }
            }
            let all = counts.reduce(0, +)
            var (passed, most) = (counts[0], 0)
            while passed * 1000 < all * 999 {
                most += 1
                passed += counts[most]
            }
            self.most = most
            jumps = Double(counts.dropFirst(11).reduce(0, +)) / Double(all)
        }
    }
}
