import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("A still through the lens")
struct StillTests {
    /// A picture whose bytes tell where they are, and its map: nearer at the left.
    private func write(
        width: Int, height: Int, in scratch: Scratch, map: (width: Int, height: Int), noise: (Int, Int) -> Float = { _, _ in 0 }
    ) throws {
        let picture = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        for y in 0..<height {
            let row: UnsafeMutablePointer<UInt8> = picture.plane(0).row(y)
            for x in 0..<width { for (c, value) in [x * 5, y * 7, (x ^ y) * 3, 255].enumerated() { row[4 * x + c] = UInt8(value & 255) } }
        }
        let disparity = CVPixelBuffer(width: map.width, height: map.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<map.height {
            for x in 0..<map.width { disparity.plane(0).row(y, as: Float.self)[x] = (x < map.width / 2 ? 0.75 : 0.25) + noise(x, y) }
        }
        try PictureFile.writePNG(picture, to: scratch("image.png"))
        try PictureFile.writePNG(DisparityMap(buffer: disparity), range: 0...1, to: scratch("map.png"))
    }

    private func still(_ scratch: Scratch, blurScale: Double) -> StillJob {
        StillJob(
            image: scratch("image.png"), depth: .disparity(scratch("map.png"), range: nil), focus: .disparity(0.75),
            blur: .perDisparity(blurScale), lens: BokehOptions(highlights: 0), output: scratch("out.png"), gpu: nil, replacesExisting: false)
    }

    @Test("of any size, odd too, comes out at its size; an aperture wide shut changes no bit", arguments: [(32, 18), (33, 18), (33, 19), (1, 1)])
    func sizes(width: Int, height: Int) throws {
        let scratch = try Scratch()
        try write(width: width, height: height, in: scratch, map: (width, height))
        try still(scratch, blurScale: 0).run()
        let (before, after) = (try PictureFile.read(scratch("image.png")), try PictureFile.read(scratch("out.png")))
        #expect(after.size == (width, height))
        for y in 0..<height {
            let rows = (before.plane(0).row(y, as: UInt32.self), after.plane(0).row(y, as: UInt32.self))
            #expect((0..<width).allSatisfy { rows.0[$0] == rows.1[$0] })
        }
    }

    @Test("blurs what is not at the focus disparity and nothing else")
    func blur() throws {
        let scratch = try Scratch()
        try write(width: 65, height: 37, in: scratch, map: (65, 37))
        try still(scratch, blurScale: 16).run()
        let (before, after) = (try PictureFile.read(scratch("image.png")), try PictureFile.read(scratch("out.png")))
        func changed(_ columns: Range<Int>) -> Int {
            let rows = (before.plane(0).row(18, as: UInt32.self), after.plane(0).row(18, as: UInt32.self))
            return columns.count { rows.0[$0] != rows.1[$0] }
        }
        #expect(changed(0..<20) == 0)
        #expect(changed(45..<65) > 15)
    }

    @Test("measured with noise is in focus all the same where it is in focus")
    func noise() throws {
        let scratch = try Scratch()
        try write(width: 64, height: 36, in: scratch, map: (64, 36)) { x, y in Float((x * 37 + y * 101 + x * y * 13) % 41 - 20) * 0.0015 }
        try still(scratch, blurScale: 64).run()
        let (before, after) = (try PictureFile.read(scratch("image.png")), try PictureFile.read(scratch("out.png")))
        for y in 6..<30 {
            let rows = (before.plane(0).row(y, as: UInt32.self), after.plane(0).row(y, as: UInt32.self))
            #expect((2..<20).count { rows.0[$0] != rows.1[$0] } == 0, "row \(y)")
        }
    }

    @Test("refuses a map of another aspect, by name")
    func aspect() throws {
        let scratch = try Scratch()
        try write(width: 32, height: 18, in: scratch, map: (18, 18))
        let error = #expect(throws: MediaError.self) { try still(scratch, blurScale: 9).run() }
        #expect(error?.description == "\(scratch("map.png")): is 18x18, which has not the aspect of \(scratch("image.png")) (32x18)")
    }

    /// 16 bits a sample: a fine ramp, and in the `light` of an HDR picture one spot far above white.
    private func wide(_ width: Int, _ height: Int, isHDR: Bool = false) -> CVPixelBuffer {
        let picture = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_64RGBALE)
        if isHDR {
            CVBufferSetAttachment(
                picture, kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ, .shouldPropagate)
        }
        for y in 0..<height {
            let row = picture.plane(0).row(y, as: UInt16.self)
            for x in 0..<width {
                for (channel, value) in [9000 + 211 * x + 13 * y, 20000 + 97 * x + 31 * y, 12000 + 53 * x + 7 * y].enumerated() {
                    row[4 * x + channel] = UInt16(isHDR && x == width - 12 && y == height / 2 ? 60000 : value)
                }
                row[4 * x + 3] = 65535
            }
        }
        return picture
    }

    private func job(
        _ scratch: Scratch, _ image: String, to output: String, depth: StillJob.Depth? = nil, focus: StillJob.Focus = .disparity(0.75),
        blur: StillJob.Blur = .perDisparity(24)
    ) -> StillJob {
        StillJob(
            image: scratch(image), depth: depth ?? .disparity(scratch("map.png"), range: nil), focus: focus, blur: blur,
            lens: BokehOptions(highlights: 0), output: scratch(output), gpu: nil, replacesExisting: false)
    }

    private func samples(_ picture: CVPixelBuffer, columns: Range<Int>) -> [UInt16] {
        (0..<picture.size.height).flatMap { y in
            let row = picture.plane(0).row(y, as: UInt16.self)
            return columns.flatMap { x in (0..<3).map { row[4 * x + $0] } }
        }
    }

    @Test("of 16 bits comes out with 16 bits, the same where it is in focus", arguments: ["png", "tiff"], ["png", "tiff"])
    func wide(from: String, to: String) throws {
        let scratch = try Scratch()
        try write(width: 65, height: 37, in: scratch, map: (65, 37))
        try Still.write(wide(65, 37), to: scratch("in.\(from)"))
        let before = try Still.read(scratch("in.\(from)")).image
        #expect(samples(before, columns: 0..<65) == samples(wide(65, 37), columns: 0..<65), "what is written is read")
        try job(scratch, "in.\(from)", to: "out.\(to)").run()
        let after = try Still.read(scratch("out.\(to)")).image
        #expect(after.format == kCVPixelFormatType_64RGBALE)
        #expect(samples(after, columns: 0..<20) == samples(before, columns: 0..<20))
        let blurred = samples(after, columns: 45..<60)
        #expect(blurred != samples(before, columns: 45..<60))
        #expect(blurred.count { $0 % 257 != 0 } > blurred.count / 2, "not 8 bits in 16")
        // A ramp stays one in blur: half-float layers keep it to a thousandth.
        for (blurred, sharp) in zip(samples(after, columns: 48..<54), samples(before, columns: 48..<54)) {
            #expect(abs(Int(blurred) - Int(sharp)) < 160, "\(blurred), \(sharp)")
        }
    }

    @Test("of EXR keeps light above white, blurs it as light, and is clipped at white in a PNG")
    func light() throws {
        let scratch = try Scratch()
        try write(width: 64, height: 36, in: scratch, map: (64, 36))
        try Still.write(wide(64, 36, isHDR: true), to: scratch("in.exr"))
        let before = try Still.read(scratch("in.exr"))
        #expect(before.isHDR)
        for (read, written) in zip(samples(before.image, columns: 0..<64), samples(wide(64, 36, isHDR: true), columns: 0..<64)) {
            #expect(abs(Int(read) - Int(written)) < 12, "a half-float's last digit: \(read), \(written)")
        }
        try job(scratch, "in.exr", to: "out.exr").run()
        let after = try Still.read(scratch("out.exr"))
        #expect(after.isHDR)
        for (drawn, read) in zip(samples(after.image, columns: 0..<20), samples(before.image, columns: 0..<20)) {
            #expect(abs(Int(drawn) - Int(read)) < 12, "\(drawn), \(read)")
        }
        let (spot, around) = (52, 49)
        func code(_ picture: CVPixelBuffer, _ x: Int) -> Int { Int(picture.plane(0).row(18, as: UInt16.self)[4 * x]) }
        #expect(code(after.image, spot) < code(before.image, spot) - 10000, "the spot is spread")
        #expect(code(after.image, around) > code(before.image, around) + 2000, "and shines around")
        try job(scratch, "in.exr", to: "out.png").run()
        #expect(try !Still.read(scratch("out.png")).isHDR)
    }

    @Test("focuses at a pixel, and at a distance where depth is metric")
    func focus() throws {
        let scratch = try Scratch()
        try write(width: 64, height: 36, in: scratch, map: (64, 36))
        let near = try job(scratch, "image.png", to: "a.png", focus: .pixel(x: 10, y: 18)).run()
        #expect(abs(near.focusDisparity - 0.75) < 0.001 && !near.isMetric)
        let far = try job(scratch, "image.png", to: "b.png", focus: .pixel(x: 60, y: 18)).run()
        #expect(abs(far.focusDisparity - 0.25) < 0.001)
        let metric = StillJob.Depth.disparity(scratch("map.png"), range: 0...2)
        let distant = try job(scratch, "image.png", to: "c.png", depth: metric, focus: .distance(2), blur: .aperture(1.4, focalLength: 50)).run()
        #expect(distant.focusDisparity == 0.5 && distant.isMetric)
    }

    @Test("says what is missing: depth, a pixel, a unit")
    func refusals() throws {
        let scratch = try Scratch()
        try write(width: 64, height: 36, in: scratch, map: (64, 36))
        func message(_ job: StillJob) -> String { (#expect(throws: MediaError.self) { try job.run() })?.description ?? "" }
        #expect(
            message(job(scratch, "image.png", to: "a.png", depth: .own)).hasSuffix("brings no depth; give --disparity MAP.png or --depth MAP.png"))
        #expect(message(job(scratch, "image.png", to: "a.png", focus: .pixel(x: 64, y: 3))).hasSuffix("is 64x36 and has no pixel 64,3 to focus at"))
        #expect(message(job(scratch, "image.png", to: "a.png", focus: .distance(2))).contains("--disparity-range FAR,NEAR"))
        #expect(message(job(scratch, "image.png", to: "a.png", blur: .aperture(2, focalLength: 50))).contains("--blur-scale"))
        #expect(!FileManager.default.fileExists(atPath: scratch("a.png")))
    }

    // 96x64; made with ffmpeg's testsrc2 and heif-enc: its alpha, 204 on the left half and 51 on the right, called depth (auxid:2), with the
    // representation information of disparity from 0.5 to 2.5 1/m.
    private static let portrait = Bundle.module.path(forResource: "portrait", ofType: "heic") ?? ""

    @Test("of a phone's HEIC brings its depth in 1/m")
    func heif() throws {
        let scratch = try Scratch()
        let still = try Still.read(Self.portrait)
        #expect(still.image.size == (96, 64))
        let map = try #require(still.disparity)
        #expect(map.isMetric)
        #expect(abs(map.row(32)[10] - 2.1) < 0.03 && abs(map.row(32)[85] - 0.9) < 0.03, "\(map.row(32)[10]), \(map.row(32)[85])")
        let job = StillJob(
            image: Self.portrait, depth: .own, focus: .pixel(x: 12, y: 30), blur: .aperture(1.4, focalLength: 50),
            lens: BokehOptions(highlights: 0), output: scratch("out.tiff"), gpu: nil, replacesExisting: false)
        #expect(abs(try job.run().focusDisparity - 2.1) < 0.03)
        let drawn = try PictureFile.read(scratch("out.tiff"))
        func changed(_ columns: Range<Int>) -> Int {
            let rows = (still.image.plane(0).row(32, as: UInt32.self), drawn.plane(0).row(32, as: UInt32.self))
            return columns.count { rows.0[$0] != rows.1[$0] }
        }
        #expect(changed(0..<36) == 0 && changed(60..<96) > 20)
        try Data("....ftypheic and no more".utf8).write(to: URL(fileURLWithPath: scratch("cut.heic")))
        let error = #expect(throws: MediaError.self) { try Still.read(scratch("cut.heic")) }
        #expect(error?.description.contains("cannot be read as HEIF") == true, "\(error?.description ?? "")")
    }

    @Test("of EXR that lacks lines is refused, of HEIC that is cut short too, in one line")
    func cut() throws {
        let scratch = try Scratch()
        try write(width: 32, height: 64, in: scratch, map: (32, 64))
        func bokeh(_ image: String, _ output: String) throws -> ToolRun {
            let lens = ["--focus-disparity", "0.5", "--blur-scale", "4", "-o", output]
            return try ToolRun(["bokeh", image, "--disparity", "map.png"] + lens, directory: scratch.url)
        }
        #expect(try bokeh("image.png", "whole.exr").exitCode == 0)
        #expect(try bokeh("whole.exr", "again.exr").exitCode == 0)
        let whole = try Data(contentsOf: URL(fileURLWithPath: scratch("whole.exr")))
        for length in [whole.count - 1, whole.count / 2] {
            try whole.prefix(length).write(to: URL(fileURLWithPath: scratch("cut.exr")))
            let run = try bokeh("cut.exr", "cut.png")
            #expect(run.exitCode == 66, "\(length)")
            #expect(run.errors.contains("cut.exr: is damaged or cut short: lines of its picture are missing"), "\(length): \(run.errors)")
        }
        try Data(contentsOf: URL(fileURLWithPath: Self.portrait)).prefix(3000).write(to: URL(fileURLWithPath: scratch("cut.heic")))
        let run = try bokeh("cut.heic", "cut.png")
        #expect(run.exitCode == 66 && run.errors.contains("cut.heic: cannot be read as HEIF (libheif: "), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
}
