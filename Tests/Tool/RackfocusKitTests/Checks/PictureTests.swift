import Bokeh
import CoreVideo
import Foundation
import Media
import Optics
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("Pictures in tests")
struct PictureTests {
    private static let scenario = """
        scenario: A picture
        clip: {source: synthetic, size: 64x36, fps: 30, length: 1s, seed: 3}
        light: 4000lx
        device: {aperture: f/2, focalLength: 70mm}
        subjects:
          maya: {kind: face, box: [0.30, 0.25, 0.13, 0.30], depth: 1.5m}
        goldens: {frames: {at: [0.5s], min: {ssim: 0.98, psnr: 34}}}
        timeline:
          - 0.5s: {expect: {focus: maya, blur: {background: "> 1px"}}}
        """
    private static let golden = "goldens/a.frame-15.png"

    private func test(_ scratch: Scratch, _ options: String..., isCI: Bool = false) throws -> ToolRun {
        try ToolRun(["test", "a.yaml", "-o", "out", "--force"] + options, environment: ["CI": isCI ? "true" : "false"], directory: scratch.url)
    }

    @Test("goldens are written, compared, and blessed with what changed; without --render they are left out and that is said")
    func goldens() throws {
        let scratch = try Scratch()
        _ = try scratch.write(Self.scenario, to: "a.yaml")
        #expect(try test(scratch).output.contains("not looked at without --render: 1 golden frame, 1 × blur"))
        #expect(try test(scratch, "--render", isCI: true).exitCode == 4)
        let first = try test(scratch, "--render")
        #expect(first.exitCode == 0 && first.output.contains("golden picture written, not compared; look at it"), "\(first.output)")
        #expect(try PictureFile.read(scratch(Self.golden)).size == (64, 36))
        #expect(FileManager.default.fileExists(atPath: scratch("out/a.yaml/frames/frame-15.png")))
        #expect(try test(scratch, "--render", isCI: true).exitCode == 0)

        _ = try scratch.write(Self.scenario.replacing("f/2,", with: "f/16,").replacing("> 1px", with: "< 9px"), to: "a.yaml")
        let changed = try test(scratch, "--render")
        #expect(changed.exitCode == 1 && changed.output.contains("a.yaml:7:25: the picture at 0.500 s (frame 15) differs from"), "\(changed.output)")
        for name in ["expected", "actual", "difference"] {
            #expect(try PictureFile.read(scratch("out/a.yaml/diff/frame-15-\(name).png")).size == (64, 36))
        }
        let blessed = try test(scratch, "--render", "--bless")
        #expect(blessed.exitCode == 0 && blessed.output.contains("golden picture rewritten") && blessed.output.contains("it was: maya SSIM"))
        #expect(try test(scratch, "--render", isCI: true).exitCode == 0)
    }

    @Test("a device's own golden is met bit for bit; on a device without one the common golden is enough")
    func exact() throws {
        let scratch = try Scratch()
        _ = try scratch.write(Self.scenario.replacing("psnr: 34}", with: "psnr: 34}, exact: true"), to: "a.yaml")
        #expect(try test(scratch, "--render").exitCode == 0)
        let goldens = try FileManager.default.contentsOfDirectory(atPath: scratch("goldens")).sorted()
        #expect(goldens.count == 2)
        #expect(try test(scratch, "--render", isCI: true).exitCode == 0)

        let own = scratch("goldens/" + (try #require(goldens.first { "goldens/" + $0 != Self.golden })))
        let picture = try PictureFile.read(own)
        picture.plane(0).row(20, as: UInt8.self)[4 * 30] ^= 1
        try PictureFile.pngData(picture, path: own).write(to: URL(fileURLWithPath: own))
        let changed = try test(scratch, "--render", isCI: true)
        #expect(changed.exitCode == 1 && changed.output.contains("bit for bit on "), "\(changed.output)")
        #expect(changed.output.contains("worst at [30, 20], off by 1"))

        try FileManager.default.removeItem(atPath: own)
        let elsewhere = try test(scratch, "--render", isCI: true)
        #expect(elsewhere.exitCode == 0 && elsewhere.output.contains("no golden picture of "), "\(elsewhere.output)")
    }

    @Test("a result for which no picture was looked at is no result for --resume --render")
    func resume() throws {
        let scratch = try Scratch()
        try scratch.write(Self.scenario.replacing("> 1px", with: "> 20px"), to: "a.yaml")
        func test(_ options: String...) throws -> Int32 {
            try ToolRun(["test", "a.yaml", "-o", "out"] + options, environment: ["CI": "false"], directory: scratch.url).exitCode
        }
        #expect(try test() == 0)
        #expect(try test("--resume", "--render") == 1, "the blur is not there")
        #expect(try test("--resume", "--render") == 1, "the result with pictures was kept")
    }

    @Test("a blur that is not there fails with the one that is")
    func blur() throws {
        let scratch = try Scratch()
        let text = Self.scenario.replacing("> 1px", with: "> 20px").replacing(
            "goldens: {frames: {at: [0.5s], min: {ssim: 0.98, psnr: 34}}}", with: "")
        _ = try scratch.write(text, to: "a.yaml")
        let run = try test(scratch, "--render")
        #expect(run.exitCode == 1)
        #expect(run.output.contains("expected blur background > 20px, but at 0.500 s it was "), "\(run.output)")
        #expect(run.output.contains("with f/2 and focus at 1.50 m"))
        #expect(try test(scratch).exitCode == 0, "only rendered runs look at blur")
    }

    @Test("the meter finds the diameter that the lens drew", arguments: [0.0, 5, 9, 17])
    func meter(diameter: Double) throws {
        let picture = CVPixelBuffer(width: 96, height: 64, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for y in 0..<64 {
            for x in 0..<96 { picture.plane(0).row(y, as: UInt8.self)[x] = (x / 6 + y / 7) % 3 == 0 ? 200 : UInt8(40 + (x * 31 + y * 17) % 50) }
        }
        for y in 0..<32 { for x in 0..<96 { picture.plane(1).row(y, as: UInt8.self)[x] = 128 } }
        let map = CVPixelBuffer(width: 96, height: 64, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<64 { for x in 0..<96 { map.plane(0).row(y, as: Float.self)[x] = 0.25 } }
        let circle = CircleOfConfusion(focusDisparity: 1.25, diameterPerDisparity: diameter)
        let shallow = try ReferenceBokehRenderer(options: BokehOptions(highlights: 0)).render(
            picture, disparity: DisparityMap(buffer: map), circle: circle)
        let meter = BlurMeter(sharp: picture, shallow: shallow)
        let all = [Bool](repeating: true, count: 96 * 64)
        let found = try #require(meter.diameter(in: all))
        #expect(abs(found - diameter) <= max(0.15 * diameter, 1), "found \(found)")
        #expect(meter.diameter(in: all.map { _ in false }) == nil)
    }
}
