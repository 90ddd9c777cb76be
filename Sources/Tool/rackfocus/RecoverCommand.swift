import Foundation
import Media
import RackfocusKit
import Support

/// `rackfocus recover`: the whole part of a recording that was cut off, as an ordinary movie.
struct RecoverCommand: Command {
    static let help = Help(
        name: "recover",
        summary: "Make an ordinary movie of a recording that was cut off.",
        usage: "recover FILE -o MOVIE.mov",
        discussion: """
            A movie file output writes in small fragments, so that whatever ends the app costs 0.3 s of each track at most, whatever its
            movieFragmentInterval shows to players. A take of `render --cinematic` that was killed lies in TAKE.part.mov, without the footage's sound. Here every sample that is whole is put under one index, which every editor reads, also
            those that players do not see yet and those of a fragment that is cut. A finished movie whose end was lost, as by a download that broke off,
            keeps what is whole as well. Nothing is decoded, and FILE stays as it is.
            """,
        options: [
            .init("--output", "-o", value: "MOVIE", meaning: "where the movie goes: .mov or .mp4"),
            .init("--force", meaning: "replace an existing file"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus recover take.mov -o take-recovered.mov")

    private let recording: String
    private let output: String
    private let replacesExisting: Bool

    init(_ arguments: inout Arguments) throws {
        recording = try arguments.positional("FILE")
        try arguments.finish()
        output = try arguments.required("--output")
        replacesExisting = arguments.flag("--force")
        guard ["mov", "mp4"].contains((output as NSString).pathExtension.lowercased()) else {
            throw UsageError("--output is a movie: name it with .mov or .mp4, not \"\(output)\"")
        }
    }

    var inputs: [String] { [recording] }
    var outputs: [String] { [output] }

    func run() throws {
        let part = recording.besideAsPart
        guard FileManager.default.fileExists(atPath: recording) || !FileManager.default.fileExists(atPath: part) else {
            throw InputError(path: recording, reason: "is not there, as the render of it was killed; recover \(part), which that left")
        }
        let result = try MovieRecovery.recover(recording, to: output, replacingExisting: replacesExisting)
        let kept = result.tracks.map(\.kept).joined(separator: ", ")
        StandardOutput.print(
            String(format: "%@: %.2f s: %@; %ld bytes of %@ were not whole", output, result.seconds, kept, Int(result.bytesLost), recording))
        for left in OutputDirectory.orphans(of: RecordJob.runDirectory(of: recording)) {
            StandardError.print("rackfocus: note: trace and log of the take, as far as they were written, lie in \(left) until it is recorded anew")
        }
    }
}

extension RecoveredTrack {
    /// Number of samples kept of the track, in words; of sound the seconds.
    fileprivate var kept: String {
        switch kind {
        case .picture: samples.counted("picture")
        case .disparity: samples.counted("disparity map")
        case .metadata: "metadata of \(samples.counted("frame"))"
        case .sound: String(format: "%.2f s of sound", end.seconds)
        case .foreignMetadata: samples.counted("sample") + " of timed metadata"
        case .timecode, .other: samples.counted("other sample")
        }
    }
}
