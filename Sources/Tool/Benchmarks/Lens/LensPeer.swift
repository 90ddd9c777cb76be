import CoreVideo
import Foundation
import LensTruth
import Media
import Optics
import Pipeline
import Support

/// A program that blurs a picture by a map of radii, as its user would call it.
struct LensPeer: Sendable {
    let name: String
    let program: String
    var versionOption = "-version"
    /// Text that `program` prints of itself with that option; another program of that name does not count.
    let signature: String
    let package: String
    /// Draws `sharp.png` by `radius.png` into `drawn.png`.
    let draw: @Sendable (Task) -> [String]
    /// Prepares and runs a movie of so many frames; nil for a program of stills, whose time is that of one call, files included.
    var prepare: [@Sendable (Task) -> [String]] = []
    var movie: (@Sendable (Task, Int) -> [String])?

    /// One scene as peers take it.
    struct Task {
        let width: Int
        let height: Int
        /// Pixels; white in `radius.png`.
        let largestRadius: Double
        let frames: Int
        let folder: String

        init(_ scene: LensScene, frames: Int, folder: String) throws {
            (width, height) = (scene.width, scene.height)
            largestRadius = scene.largestRadius
            self.frames = frames
            self.folder = folder
            try PictureFile.writePNG(scene.sharp(), to: folder + "/sharp.png", replacingExisting: true)
            let map = scene.disparity()
            for y in 0..<height {
                for x in 0..<width { map.row(y)[x] = Float(abs(scene.circle.diameter(at: Double(map.row(y)[x]))) / 2 / largestRadius) }
            }
            try PictureFile.writePNG(map, to: folder + "/radius.png", replacingExisting: true)
        }

        func path(_ name: String) -> String { folder + "/" + name }
    }

    /// Times and scores it, or says why not.
    func run(_ task: Task, _ judge: LensJudge?, beside ours: OwnLens) -> LensBenchRow.Outcome {
        guard let executable = InstalledProgram.path(of: program, saying: signature, to: versionOption) else {
            return .notInstalled("apt install \(package)")
        }
        do {
            let still = try InstalledProgram.time(executable, [draw(task)])
            let score = try judge.map { try $0.score(PictureFile.read(task.path("drawn.png"))) }
            guard let movie else { return .measured(still, ratio: still.cores / (try ours.time()).cores, score) }
            for step in prepare { _ = try InstalledProgram.time(executable, [step(task)]) }
            return try .alternating(with: ours, score: score) {
                let short = try InstalledProgram.time(executable, [movie(task, 1)])
                return (try InstalledProgram.time(executable, [movie(task, task.frames + 1)]) - short) / task.frames
            }
        } catch {
            return .failed("\(error)")
        }
    }
}
