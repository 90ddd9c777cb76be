import Foundation
import Media
import RackfocusKit
import Support
import Vision

/// Cinematic movie of a phone's, whose own decisions nobody can read: `PHONE.take.mov` beside it, with decisions made anew, made when it is first edited and
/// used from then on.
struct PhoneTake {
    /// Path of the take.
    let path: String
    private let movie: String

    /// Nil for a movie that is no phone's.
    init?(of movie: String) {
        guard MovieDisparity(of: movie) == .phone else { return nil }
        (self.movie, path) = (movie, movie + ".take.mov")
    }

    /// Whether it was made.
    var isThere: Bool { FileManager.default.fileExists(atPath: path) }

    /// Path of the take, which is made where there is none. Throws `InputError` for one that is older than its movie.
    func made(_ models: VisionModels) throws -> String {
        if isThere {
            guard try Self.date(of: path) >= Self.date(of: movie) else {
                throw InputError(path: path, reason: "is older than \(movie), of which it was made; remove it, and it is made anew")
            }
            return path
        }
        var options = RenderOptions(output: path)
        (options.cinematic, options.models, options.keptBytes) = (path, models, 0)
        let job = try RenderJob(scenario: nil, footage: .plain(movie), options: options)
        StandardError.print("rackfocus: note: decisions are in the phone's own format and are left alone; \(path.printable) has them made anew")
        let progress = ProgressLine(total: job.frameCount)
        _ = try progress.whileShown { try job.run { progress.update(frame: $0) } }
        return path
    }

    private static func date(of path: String) throws -> Date {
        try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date ?? .distantPast
    }
}
