import Bokeh
import CoreVideo
import Foundation
import LensTruth
import Media
import Optics
import Pipeline
import Support

/// Benchmark of a long take: time and memory of the lens over many frames of one size, and of twice that width and height.
///
/// Measured on two shared cores, lavapipe 22.3.6, near depths, 420v with two under way: 79 processor ms a frame of
/// 1920x1080, 154 of 3840x2160; 462 and 630 MB after 40 frames of each.
struct LensEndurance {
    let options: LensBench.Options
    let frames: Int
    /// For files on the way.
    let folder: String

    /// Frames that are rendered again and again from a few buffers, as a camera's are. The scene itself is painted and released.
    private struct Take {
        let title: String
        let size: String
        let circle: CircleOfConfusion
        let shots: [(image: CVPixelBuffer, map: DisparityMap)]

        init(_ scene: LensScene, folder: String) throws {
            (title, size, circle) = (scene.name, "\(scene.width)x\(scene.height)", scene.circle)
            let (path, map) = (folder + "/endurance.png", scene.disparity())
            try PictureFile.writePNG(scene.sharp(), to: path, replacingExisting: true)
            shots = try (0..<4).map { _ in
                let copy = CVPixelBuffer(width: scene.width, height: scene.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
                copy.storage.base.copyMemory(from: map.buffer.storage.base, byteCount: copy.storage.byteCount)
                let image = try PictureFile.read(path, as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
                return (image: image, map: DisparityMap(buffer: copy))
            }
        }
    }

    /// `scene` paints at a size; nil when there is none of the name asked for.
    func run(_ table: LensTable, scene: (Int, Int) -> LensScene?) throws {
        var first: Double?
        for scale in [1, 2] {
            let painted = try table.working(on: "painting") {
                try scene(scale * options.width, scale * options.height).map { try Take($0, folder: folder) }
            }
            guard let take = painted else { return }
            if first == nil {
                table.print("\(take.title), \(frames) frames of 420v, two under way")
                table.print("  size         core ms   ratio   MB at \(min(100, frames))   MB at end   MB at most")
            }
            let size = take.size
            let (cores, memory) = try table.working(on: size) { try measure(take) }
            let columns = zip([9, 12, 13], [memory.early, memory.late, memory.peak]).map { width, megabytes in
                let text = megabytes.map { String(format: "%.0f", $0) } ?? "?"
                return String(repeating: " ", count: max(width - text.count, 0)) + text
            }
            let times = String(format: " %8.1f %7.2f", cores * 1000, cores / (first ?? cores))
            table.print("  " + size.padding(toLength: 11, withPad: " ", startingAt: 0) + times + columns.joined())
            first = first ?? cores
        }
        table.print("")
    }

    /// Resident memory in megabytes, four frames and their maps included; nil where the system does not report it.
    private struct Memory {
        var early: Double?
        var late: Double?
        var peak: Double?
    }

    /// Processor seconds a frame, and memory.
    private func measure(_ take: Take) throws -> (Double, Memory) {
        let lens = try VulkanBokehRenderer(gpu: options.gpu.map(GPUChoice.init) ?? .automatic, options: BokehOptions(highlights: 0))
        let shots = take.shots
        for shot in shots { _ = try lens.render(shot.image, disparity: shot.map, circle: take.circle) }
        ProcessMemory.forgetPeak()
        var memory = Memory()
        var pending: PendingPicture?
        let time = try ProcessorTime.measure(.ours) {
            for number in 1...frames {
                let shot = shots[number % shots.count]
                let next = try lens.begin(shot.image, disparity: shot.map, circle: take.circle)
                _ = try pending?.finish()
                pending = next
                if number == min(100, frames) { memory.early = ProcessMemory()?.now }
            }
            _ = try pending?.finish()
        }
        (memory.late, memory.peak) = (ProcessMemory()?.now, ProcessMemory()?.peak)
        return (time.cores / Double(frames), memory)
    }
}
