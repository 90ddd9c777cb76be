import Bokeh
import CoreVideo
import Foundation
import LensTruth
import Media
import Pipeline

/// Benchmark of the lens against every lens-blur program installed, on the same frames in one run, with scores against ray-traced truth.
///
/// Processor ms a frame of 420v at 1920x1080 on lavapipe 22.3.6, two threads of a Cascade Lake core in a slow hour, those of ffmpeg 5.1's varblur and
/// their ratio: near depths 108, 118, 1.02; slanted ground 105, 111, 1.03; hair and foliage 105, 114, 1.11; mid before far wall 82, 114, 1.33;
/// night 76, 117, 1.63 (HDR 116, 115, 1.04); wide open 81, 116, 1.08. Varblur had 35.5 / 32.6 dB of near depths where ours had 42.9 / 39.1.
///
/// Ours on all scenes at 1920x1080, 1024 samples, on an H100 (lavapipe's pictures but for one code here and there), PSNR / edge in dB: near depths
/// 42.9 / 39.1, slanted ground 36.9 / 44.8, hair and foliage 38.6 / 36.8, mid before far wall 49.0 / 43.8, night 46.7 / 38.3, in HDR
/// 37.3 / 32.4 (from ten bits 36.5 / 32.4), wide open 42.6 / 39.7.
public struct LensBench: Sendable {
    /// Options of a run.
    public struct Options: Sendable {
        /// Width of the frames in pixels, even.
        public var width = 1920
        /// Height of the frames in pixels, even.
        public var height = 1080
        /// Frames timed after the warm-up.
        public var frames = 10
        /// Points of the aperture the truth is summed over; 0 leaves the pictures unscored.
        public var samples = 0
        /// Part of the names of the scenes to run; nil runs all.
        public var scene: String?
        /// Vulkan device by number or part of its name; nil takes the best.
        public var gpu: String?
        /// Parts of the names of the programs to run beside ours, in any case; nil runs all that are installed, none leaves ours alone.
        public var peers: [String]?
        /// Frames of a long take of the first scene, which is drawn instead of all else; nil for none.
        public var endurance: Int?
        /// Size of the picture over that of the disparity map: 1, or 2 and more for maps as estimators and depth cameras give them.
        public var mapDivisor = 1
        /// Size of our lens's layers.
        public var quality = BokehOptions.Quality.full
        /// Whether scenes are moved, made noisy and refocused instead of all else.
        public var steadiness = false
        /// Whether the time of each step and pass of our lens is printed too.
        public var isTimed = false

        /// Creates options for ten frames at 1080p, without scores.
        public init() {}
    }

    /// Names of the programs that can run beside ours.
    public static var peerNames: [String] { LensPeer.known.map(\.name) }

    /// Names of the scenes of the tables, or of those that are looked at for steadiness.
    public static func sceneNames(isStill: Bool) -> [String] {
        LensScene.shipped(width: 32, height: 18).map(\.name) + (isStill ? [] : [StereoSteadiness.name])
    }

    private let options: Options

    /// Creates a run.
    public init(_ options: Options) { self.options = options }

    /// Prints a table for each scene, row by row as they are measured; `progress` receives the work under way, an empty text at each end.
    public func run(progress: @escaping (String) -> Void = { _ in }, print: @escaping (String) -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rackfocus-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = LensTable(print: print, progress: progress)
        if let frames = options.endurance {
            return try LensEndurance(options: options, frames: frames, folder: folder.path).run(table) { width, height in
                LensScene.shipped(width: width, height: height).first(where: isWanted)?.clipped()
            }
        }
        if options.steadiness {
            for scene in LensScene.shipped(width: options.width + 16, height: options.height) where isWanted(scene) {
                try LensSteadiness(options: options).run(scene.clipped(), width: options.width, table)
            }
            if options.scene.map({ StereoSteadiness.name.contains($0.lowercased()) }) ?? true { try StereoSteadiness(options: options).run(table) }
            return
        }
        for scene in LensScene.shipped(width: options.width, height: options.height) where isWanted(scene) {
            try measure(scene.clipped(), title: scene.name, highlights: 0, folder.path, table)
            if scene.radiance > 1 { try measure(scene, title: scene.name + ", HDR", highlights: scene.radiance - 1, folder.path, table) }
        }
    }

    private var peers: [LensPeer] {
        LensPeer.known.filter { peer in options.peers.map { $0.contains { peer.name.localizedCaseInsensitiveContains($0) } } ?? true }
    }

    private func isWanted(_ scene: LensScene) -> Bool { options.scene.map { scene.name.contains($0.lowercased()) } ?? true }

    private func measure(
        _ scene: LensScene, title: String, highlights: Double, _ folder: String, _ table: LensTable
    ) throws {
        let radius = String(format: "%.1f", scene.largestRadius)
        table.print("\(title): \(scene.width)x\(scene.height), radius to \(radius) px")
        table.print(LensBenchRow.heading)
        let judge =
            options.samples > 0
            ? table.working(on: "truth") { LensJudge(truth: scene.truth(samples: options.samples), edges: scene.edges()) } : nil
        let ours = try table.working(on: "rackfocus") {
            let path = folder + "/ours.png"
            try PictureFile.writePNG(scene.sharp(), to: path, replacingExisting: true)
            let frame = try PictureFile.read(path, as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            return try OwnLens(scene, frame, highlights: highlights, options)
        }
        try table.add("rackfocus, 420v") {
            let time = try ours.time()
            if let timings = ours.timings { table.print(timings.report.table) }
            return .measured(time, ratio: 1, try judge.map { $0.score(try ours.draw(scene.sharp())) })
        }
        if highlights > 0 {
            // From ten bits of PQ, where lights are recorded and not guessed.
            try table.add("rackfocus, x420 PQ") {
                let frame = scene.sharpHDR()
                let lens = try OwnLens(scene, frame, highlights: 0, options)
                return try .alternating(with: ours, score: judge.map { $0.score(HDRPicture.clipped(try lens.draw(frame))) }, lens.time)
            }
        }
        if !peers.isEmpty {
            let task = try LensPeer.Task(scene, frames: options.frames, folder: folder)
            for peer in peers { table.add(peer.name) { peer.run(task, judge, beside: ours) } }
        }
        table.print("")
    }
}
