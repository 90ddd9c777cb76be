import Foundation
import Synchronization
import Testing

@testable import Benchmarks

@Suite("Bench of the lens", .serialized)
struct LensBenchTests {
    @Test("times and scores the lens beside what is installed, and names what is not")
    func truth() throws {
        let lines = try rows(width: 128, height: 72, scene: "night") { $0.samples = 64 }
        #expect(lines.filter { $0.hasPrefix("night") }.count == 2, "clipped and HDR")
        let twice = ["rackfocus, 420v", "ffmpeg varblur", "GEGL lens-blur", "Blender Defocus", "ImageMagick blur"]
        for (program, count) in twice.map({ ($0, 2) }) + [("rackfocus, x420 PQ", 1)] {
            let rows = lines.filter { $0.hasPrefix("  " + program) }
            #expect(rows.count == count && rows.allSatisfy { !$0.contains("failed") }, "\(rows)")
            #expect(rows.allSatisfy { $0.contains("not installed: apt install") || $0.split(separator: " ").count >= 7 }, "\(rows)")
        }
    }

    @Test("runs beside the programs asked for", arguments: [([], []), (["VarBlur", "magick"], ["ffmpeg varblur", "ImageMagick blur"])])
    func peers(asked: [String], names: [String]) throws {
        let rows = try rows(width: 64, height: 32, scene: "wide") { $0.peers = asked }.filter { $0.hasPrefix("  ") }.dropFirst()
        #expect(rows.map { $0.dropFirst(2).prefix(22).trimmingCharacters(in: .whitespaces) } == ["rackfocus, 420v"] + names)
    }

    @Test("has a dash for a time that was lost in the noise")
    func cell() {
        let values: [Double] = [1.25, -0.5, 0, .infinity]
        #expect(values.map { $0.cell(6, 2) } == ["  1.25", "     -", "     -", "     -"])
    }

    @Test("times a long take at two sizes")
    func endurance() throws {
        let rows = try rows(width: 64, height: 32, scene: "mid") { $0.endurance = 5 }.map { $0.split(separator: " ") }
        #expect(rows.map(\.first) == ["mid", "size", "64x32", "128x64"])
        for row in rows.dropFirst(2) { #expect(row.count == 6 && row.dropFirst().allSatisfy { Double($0) ?? 0 > 0 }, "\(row)") }
    }

    @Test("measures how still the lens holds")
    func steadiness() throws {
        let rows = try rows(width: 160, height: 90, scene: "near") { $0.steadiness = true }
        let names = rows.dropFirst().map { $0.dropFirst(2).prefix(27).trimmingCharacters(in: .whitespaces) }
        #expect(names == ["moved by 1, 2, 3 pixels", "noise of 0.01", "aperture opened", "focus pulled"], "\(rows)")
    }

    @Test("a noisy pair is drawn at least as still as it is filmed")
    func noisyStereo() throws {
        var options = LensBench.Options()
        (options.width, options.height) = (320, 180)
        let result = try StereoSteadiness(options: options).measure()
        #expect(result.all.allSatisfy { $0.mean > 0 }, "the sensor is noisy")
        #expect(result.ratio <= 1.2, "\(result)")
        let rows = try rows(width: 160, height: 90, scene: "noisy") { $0.steadiness = true }
        let names = rows.dropFirst().map { $0.dropFirst(2).prefix(18).trimmingCharacters(in: .whitespaces) }
        #expect(names == ["source", "exact disparity", "measured disparity"])
    }

    /// Lines that a run over one frame of one scene prints.
    private func rows(width: Int, height: Int, scene: String, _ change: (inout LensBench.Options) -> Void) throws -> [String] {
        var options = LensBench.Options()
        options.width = width
        options.height = height
        options.frames = 1
        options.scene = scene
        change(&options)
        let lines = Mutex<[String]>([])
        try LensBench(options).run { text in lines.withLock { $0 += text.split(separator: "\n").map(String.init) } }
        return lines.withLock { $0 }
    }
}
