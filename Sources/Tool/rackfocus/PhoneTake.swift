import Foundation
import Media
import RackfocusKit
import Support
import Vision

/// Cinematic movie of a phone's, whose own decisions nobody can read: `PHONE.take.mov` beside it, with decisions made anew, made when it is first edited and
/// used from then on.
enum PhoneTake {
    /// Path of the movie whose decisions are edited: beside a phone's movie, any other movie itself.
    static func path(for movie: String) -> String { MovieDisparity(of: movie) == .phone ? movie + ".take.mov" : movie }

    /// Path of the movie whose decisions are edited; that of a phone's is made where there is none. Throws `InputError` for one that is older than its movie.
    static func editable(_ movie: String, _ models: VisionModels) throws -> String {
        let take = path(for: movie)
        guard take != movie else { return movie }
        if FileManager.default.fileExists(atPath: take) {
            guard try date(of: take) >= date(of: movie) else {
                throw InputError(path: take, reason: "is older than \(movie), of which it was made; remove it, and it is made anew")
            }
            return take
        }
        var options = RenderOptions(output: take)
        (options.cinematic, options.models, options.keptBytes) = (take, models, 0)
        let job = try RenderJob(scenario: nil, footage: .plain(movie), options: options)
        StandardError.print("rackfocus: note: decisions are in the phone's own format and are left alone; \(take.printable) has them made anew")
        let progress = ProgressLine(total: job.frameCount)
        _ = try progress.whileShown { try job.run { progress.update(frame: $0) } }
        return take
    }

    private static func date(of path: String) throws -> Date {
        try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date ?? .distantPast
    }
}
