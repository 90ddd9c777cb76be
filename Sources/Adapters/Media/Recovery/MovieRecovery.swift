import Foundation
import Pipeline
import Support

/// Makes an ordinary movie of a recording whose process was killed, or of a movie whose end is missing behind its index: every sample that is whole,
/// untouched, with one index before them.
public enum MovieRecovery {
    /// Outcome of a recovery.
    public struct Result: Sendable {
        /// Duration of the movie, seconds.
        public let seconds: Double
        /// Tracks, and how much was kept of each.
        public let tracks: [RecoveredTrack]
        /// Bytes behind the last whole sample, which are left out.
        public let bytesLost: Int64
    }

    /// Leaves the recording as it is. Throws `MediaError` for a file that lacks nothing, or has no whole sample, `OutputError` where the movie cannot be
    /// written.
    public static func recover(_ path: String, to output: String, replacingExisting: Bool = false) throws -> Result {
        let recording = try InputFile(path: path)
        let scan = FragmentScan(recording, revealing: true)
        try recording.checkReads()
        let isCutMovie = scan.fragments == 0 && ContainerEnd.isCutMovie(recording)
        guard scan.fragments > 0 || isCutMovie else {
            let reason = ContainerEnd.reasonForNoFragment(in: recording)
            throw MediaError(code: .unsupported, path: path, reason: "holds no whole fragment of a recording: \(reason)")
        }
        if let damage = scan.damage { throw InputFile.damaged(path, damage) }
        if !isCutMovie { recording.show(until: scan.end, edits: scan.edits) }
        let input = try Input(recording)
        guard !input.hasCinematicTracks || MovieContainer(output) == .mov else {
            throw MediaError(
                code: .unsupported, path: output, reason: "has no place for the disparity of \(path), a cinematic movie; name the movie .mov")
        }
        let file = try OutputFile(path: output, replacingExisting: replacingExisting)
        let copy: MovieCopy.Result
        do {
            copy = try MovieCopy.copy(input, as: output, to: file.temporaryPath, movie: nil, isCut: isCutMovie)
        } catch let error as MediaError where error.code == .encodingFailed {
            // The muxer refuses what it was handed, which is the recording's own.
            throw MediaError(
                code: .corrupt, path: path, reason: "is damaged: no movie can be made of it", underlying: error.underlying,
                underlyingText: error.underlyingText)
        }
        guard copy.tracks.contains(where: { $0.samples > 0 }) else {
            throw MediaError(code: .unsupported, path: path, reason: "holds no whole sample: it was cut off before the first one was")
        }
        // FFmpeg ends early, and says nothing, where it had no memory for all of an index. Tracks of other media are left out.
        let isWhole = copy.mediaSize >= scan.mediaSize ?? 0 || !MovieCopy.keepsAll(of: input)
        guard isWhole else {
            throw MediaError(
                code: .encodingFailed, path: output, reason: "does not hold all samples of \(path): FFmpeg had too little memory for its index")
        }
        try file.commit()
        return Result(seconds: copy.seconds, tracks: copy.tracks, bytesLost: recording.length - (isCutMovie ? copy.mediaEnd : scan.end))
    }
}

extension InputFile {
    /// A file as a player sees it: of a recording that was cut off, every sample that is whole and not hidden. Throws for other files that are
    /// shorter than they promise, unless that is allowed.
    static func footage(_ path: String, mayBeCut: Bool = false) throws(MediaError) -> InputFile {
        let file = try InputFile(path: path)
        let scan = FragmentScan(file, revealing: false)
        try file.checkReads()
        if let damage = scan.damage { throw damaged(path, damage) }
        let phone = PhoneTracks(in: file)
        guard !phone.hasTwoEyes else {
            throw MediaError(
                code: .unsupported, path: path,
                reason: "holds two eyes in one track (MV-HEVC), of which this FFmpeg decodes the first alone; write each to a file with FFmpeg "
                    + "7.1 or later and give them as --left and --right: ffmpeg -i IN.mov -map 0:v:0:view:0 L.mov -map 0:v:0:view:1 R.mov")
        }
        (file.disparityTrack, file.metadataKeys) = (phone.disparity, phone.metadataKeys)
        if scan.isCut, scan.fragments > 0 {
            file.show(until: scan.end, edits: scan.edits + phone.edits)
        } else if let torn = EmbeddedEdits.tornBox(of: file) {
            file.show(until: torn, edits: phone.edits)
        } else if !phone.edits.isEmpty, ContainerEnd.shortfall(of: file) == nil {
            file.show(until: file.length, edits: phone.edits)
        } else if scan.fragments == 0, scan.firstHidden != nil {
            throw MediaError(
                code: .unsupported, path: path, reason: "is a recording that was not finished; `rackfocus recover` makes a movie of it")
        } else if !mayBeCut, let shortfall = ContainerEnd.shortfall(of: file) {
            let hint = ContainerEnd.isCutMovie(file) ? ", or let `rackfocus recover` keep what is whole" : ""
            throw MediaError(code: .truncated, path: path, reason: "is cut short: \(shortfall); copy or download it again\(hint)")
        }
        return file
    }

    fileprivate static func damaged(_ path: String, _ damage: String) -> MediaError {
        MediaError(code: .corrupt, path: path, reason: "is damaged: \(damage)")
    }
}
