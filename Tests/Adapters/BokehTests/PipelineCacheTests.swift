@testable import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import TestSupport
import Testing

@Suite("Compiled passes: kept, warm and timed", .validated)
struct PipelineCacheTests {
    @Test("A lens keeps its passes, and opens with a damaged file or an unwritable folder as with none")
    func lens() throws {
        let scratch = try Scratch()
        let image = TestPicture.textured(48, 32, kCVPixelFormatType_32BGRA)
        let map = TestPicture.disparity(48, 32) { x, _ in Float(x) / 48 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 40)
        func draw(_ folder: String) throws -> [UInt8] {
            let lens = try VulkanBokehRenderer(options: BokehOptions(highlights: 0), validation: true, cacheFolder: folder)
            let drawn = try lens.render(image, disparity: map, circle: circle)
            #expect(lens.validationMessages == [])
            return TestPicture.bytes(drawn)
        }
        let first = try draw(scratch.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(names.count == 1 && names[0].hasPrefix("pipelines-"))
        try Data([7, 7, 7]).write(to: URL(fileURLWithPath: scratch.path + "/" + names[0]))
        #expect(try draw(scratch.path) == first)
        #expect(try draw("/proc/nowhere") == first)
    }

    @Test("A lens made ready draws the same, and every pass's time is booked")
    func warm() throws {
        let timings = Timings()
        let lens = try VulkanBokehRenderer(validation: true, timings: timings)
        let image = TestPicture.textured(96, 64, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let map = TestPicture.disparity(96, 64) { x, y in x < 20 ? 0.9 : Float(y) / 64 }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 40)
        try lens.prepare(for: image, disparity: map)
        try lens.warmUp(for: image, disparity: map)
        #expect(timings.report.isEmpty)
        let drawn = try lens.render(image, disparity: map, circle: circle)
        #expect(TestPicture.bytes(drawn) == TestPicture.bytes(try SharedLens.shining.get().render(image, disparity: map, circle: circle)))
        let passes = timings.report.map { $0.name.trimmingCharacters(in: .whitespaces) }
        let over = lens.device.type == .discrete ? ["read back"] : []
        let own = ["radii", "lights", "plan", "upload", "device", "setup", "fill", "row sums", "far discs", "near discs", "composite"]
        #expect(passes == own + over + ["download"])
        let device = timings.report.first { $0.name == "  device" }?.seconds ?? 0
        let booked = timings.report.filter { $0.name.hasPrefix("    ") }.reduce(0) { $0 + $1.seconds }
        #expect(booked > 0 && booked <= device)
        #expect(lens.validationMessages == [])
    }
}
