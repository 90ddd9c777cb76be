import CoreVideo
import Foundation
import Media
import Pipeline
import Stage
import Support

/// Footage of the bench, painted by the stage: a street by 60 lx with the sensor's noise, two people who walk and a cat, for two eyes, with the left
/// one's depth.
struct ChainFootage {
    let width: Int
    let height: Int
    let frames: Int
    private let folder: String

    /// A scenario of the same kind, both eyes, and the left one's depth in millimetres at a quarter of the picture's size.
    var scenario: String { folder + "/demo.yaml" }
    var left: String { folder + "/left.mp4" }
    var right: String { folder + "/right.mp4" }
    /// The left eye again, as if its codes were those of HLG, in ten bits.
    var hdr: String { folder + "/hdr.mp4" }
    var depth: String { folder + "/depth/%04d.png" }
    /// Movie that commands write, the directory of what they keep beside it, and the figures in that.
    var movie: String { folder + "/movie.mp4" }
    var run: String { folder + "/movie.run" }
    var figures: String { run + "/" + RunFigures.fileName }

    /// Paints so many frames into a new folder; even sides.
    init(width: Int, height: Int, frames: Int, folder: String) throws {
        (self.width, self.height, self.frames, self.folder) = (width, height, frames, folder)
        try FileManager.default.createDirectory(atPath: folder + "/depth", withIntermediateDirectories: true)
        try Self.scenario(width: width, height: height, frames: frames).write(toFile: scenario, atomically: true, encoding: .utf8)
        let source = StageSource(world: Self.world(width: width, height: height, frames: frames))
        let movie = MovieDescription(width: width, height: height, frameDuration: source.description.frameDuration)
        let eyes = try [left, right].map { try MovieFileWriter(path: $0, movie: movie) }
        var ten = movie
        (ten.codec, ten.pixelFormat) = (.hevc, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)
        ten.colors = PictureColors(primaries: 9, transfer: 18, matrix: 9)
        let deep = try MovieFileWriter(path: hdr, movie: ten)
        while let frame = try source.nextFrame() {
            guard let other = frame.rightImage, let map = frame.disparity else { preconditionFailure("the stage gives a pair and its disparity") }
            for (eye, image) in zip(eyes, [frame.image, other]) { try eye.append(image, at: frame.presentationTime) }
            try deep.append(Self.deep(frame.image), at: frame.presentationTime)
            try PictureFile.writePNG(Self.depth(map), to: folder + String(format: "/depth/%04d.png", frame.index + 1))
        }
        for writer in eyes + [deep] { try writer.finish() }
    }

    /// `420v` as `x420`, whose ten bits are the upper ones of sixteen.
    private static func deep(_ image: CVPixelBuffer) -> CVPixelBuffer {
        let result = CVPixelBuffer(
            width: image.size.width, height: image.size.height, pixelFormat: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)
        for plane in 0..<2 {
            let (source, target) = (image.plane(plane), result.plane(plane))
            for y in 0..<image.size.height >> plane {
                let (codes, words) = (source.row(y, as: UInt8.self), target.row(y, as: UInt16.self))
                for x in 0..<image.size.width { words[x] = UInt16(codes[x]) << 8 }
            }
        }
        return result
    }

    /// Depth at a quarter of the map's size, millimetres.
    private static func depth(_ map: DisparityMap) -> CVPixelBuffer {
        let reduced = CVPixelBuffer(width: map.width / 4, height: map.height / 4, pixelFormat: kCVPixelFormatType_OneComponent16)
        for y in 0..<map.height / 4 {
            let (source, target) = (map.row(4 * y + 2), reduced.plane(0).row(y, as: UInt16.self))
            for x in 0..<map.width / 4 { target[x] = UInt16(clamping: Int((1000 / source[4 * x + 2]).rounded())) }
        }
        return reduced
    }

    private static func world(width: Int, height: Int, frames: Int) -> World {
        var world = World()
        (world.width, world.height, world.frameCount) = (width, height, frames)
        world.stereoBaseline = 0.065
        world.light = Motion(60)
        world.backdrop.kind = .street
        func subject(_ name: String, _ kind: Subject.Kind, _ box: CGRect, depth: Double, to goal: CGRect) -> Subject {
            var subject = Subject(name: name, kind: kind, placement: Motion(Placement(box: box, depth: depth)))
            subject.placement.move(to: Placement(box: goal, depth: depth), start: 0, over: 2_000_000_000)
            return subject
        }
        world.subjects = [
            subject(
                "maya", .face, CGRect(x: 0.2, y: 0.2, width: 0.11, height: 0.24), depth: 2, to: CGRect(x: 0.4, y: 0.2, width: 0.11, height: 0.24)),
            subject(
                "ben", .face, CGRect(x: 0.7, y: 0.15, width: 0.15, height: 0.33), depth: 1.3, to: CGRect(x: 0.6, y: 0.15, width: 0.15, height: 0.33)),
            subject(
                "cat", .catBody, CGRect(x: 0.05, y: 0.62, width: 0.17, height: 0.34), depth: 1.6,
                to: CGRect(x: 0.15, y: 0.62, width: 0.17, height: 0.34)),
        ]
        return world
    }

    /// The demo's scene, cut short.
    private static func scenario(width: Int, height: Int, frames: Int) -> String {
        """
        format: 1
        scenario: bench
        clip: {source: synthetic, size: \(width)x\(height), fps: 30, length: \(frames)f, seed: 7, detections: truth}
        device: {camera: dualWide, aperture: f/2, focalLength: 50mm}
        light: 180lx
        environment:
          backdrop: street
          wallDepth: 9m
          lights:
            - {from: [0.02, 0.10], to: [0.98, 0.12], sag: 0.10, count: 15, depth: 7m, color: [warm, amber], size: 0.006}
            - {over: [0.03, 0.22, 0.94, 0.30], count: 26, depth: [7m, 8.5m], color: [warm, cold, red, amber, green], size: 0.005}
        subjects:
          maya: {kind: face, box: [0.31, 0.24, 0.105, 0.235], depth: 2.0m}
          ben: {kind: face, box: [0.85, 0.17, 0.145, 0.325], depth: 1.3m}
          cat: {kind: catBody, box: [0.05, 0.62, 0.17, 0.34], depth: 1.6m}
        timeline:
          - 0s: {move: {subject: ben, to: [0.60, 0.17, 0.145, 0.325], depth: 1.3m, over: 2s, ease: out}}
          - 0s: {turn: {subject: ben, to: away, over: 1s}}

        """
    }
}
