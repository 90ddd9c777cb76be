import Foundation
import Pipeline
import Support

extension CinematicReport {
    /// Tables that a director reads: the file, its subjects, the decisions by time code, the racks.
    public var text: String {
        let aperture = fNumbers[0] == fNumbers[1] ? Self.number(fNumbers[0]) : "\(Self.number(fNumbers[0])) to \(Self.number(fNumbers[1]))"
        let picture = size.count == 2 ? "\(size[0])x\(size[1])" : "?"
        let length = String(format: "%.3f s, ", seconds) + frames.counted("frame")
        var lines = ["\(file.printable): \(length) of \(picture) at \(rate)/s, f/\(aperture) at \(Self.number(focalLength)) mm"]
        if darkFrames > 0 { lines.append("not enough light in \(darkFrames.counted("frame"))") }
        lines += ["", "tracks"] + Self.table(tracks.map(Self.row))
        if let shortfall { lines.append("  " + shortfall) }
        lines += ["", "subjects"] + Self.table(subjects.map(Self.row))
        return (lines + [""] + focusLines).joined(separator: "\n")
    }

    /// Tracks of different lengths, in words; nil where each picture has its map and its metadata.
    private var shortfall: String? {
        func count(_ kind: String) -> Int { tracks.first { $0.kind == kind }?.samples ?? 0 }
        let (pictures, maps, samples) = (count("picture"), count("disparity"), count("metadata"))
        let least = min(pictures, maps, samples)
        guard pictures != maps || pictures != samples else { return nil }
        let counts = "\(pictures.counted("picture")), \(maps.counted("disparity map")) and \(samples.counted("metadata sample"))"
        return "\(counts): what lies behind the first \(least) is left out"
    }

    /// Tables of the edits, the decisions and the racks.
    public var focusText: String { focusLines.joined(separator: "\n") }

    private var focusLines: [String] {
        let numbered = edits.enumerated().map { [String($0 + 1), $1.printable] }
        let list = edits.isEmpty ? [] : ["edits"] + Self.table(numbered) + [""]
        return list + ["decisions"] + Self.table(decisions.map(row)) + ["", "racks"] + Self.table(racks.map(row))
    }

    /// Rows of a table of tracks.
    static func lines(of tracks: [Track]) -> [String] { table(tracks.map(row)) }

    private static func row(_ track: Track) -> [String] {
        let content =
            track.size.map { "\($0[0])x\($0[1])" } ?? track.sampleRate.map { "\(track.channels ?? 0) x \($0) Hz" } ?? ""
        return [track.kind, track.coding, content, track.samples.counted(track.kind == "sound" ? "packet" : "sample")]
    }

    private static func row(_ subject: Subject) -> [String] {
        let kind = subject.group.map { "\(subject.kind), group \($0)" } ?? subject.kind
        return [
            String(subject.id), subject.name.printable, kind, "\(subject.from.timecode) to \(subject.to.timecode)", subject.frames.counted("frame"),
        ]
    }

    private func row(_ decision: Decision) -> [String] {
        let hold = decision.isFixed ? "fixed, \(decision.mode)" : decision.mode
        return [
            decision.at.timecode, decision.name.printable, hold, decision.isUserDecision ? "user" : "automatic",
            FocusDecision.Why(rawValue: decision.why)?.words ?? decision.why, distance(decision.disparity),
        ]
    }

    private func row(_ rack: Transition) -> [String] {
        ["\(rack.from.timecode) to \(rack.to.timecode)", "\(distance(rack.fromDisparity)) to \(distance(rack.toDisparity))"]
    }

    /// Distance in metres where disparities are metric, else the disparity.
    private func distance(_ disparity: Double) -> String {
        guard isMetric else { return String(format: "disparity %.3f", disparity) }
        return disparity > 0.001 ? String(format: "%.2f m", 1 / disparity) : "infinity"
    }

    /// Two decimals at most.
    private static func number(_ value: Double) -> String {
        let hundredths = (value * 100).rounded() / 100
        return hundredths == hundredths.rounded() ? String(Int(hundredths)) : String(hundredths)
    }

    /// Rows with their columns aligned, indented; a row in words for none.
    private static func table(_ rows: [[String]]) -> [String] {
        guard let count = rows.first?.count else { return ["  none"] }
        let widths = (0..<count).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
            return String(("  " + cells.joined(separator: "  ")).reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension FocusDecision.Why {
    /// The reason as a director says it.
    var words: String {
        switch self {
        case .tapUnfocused: "tapped while out of focus"
        case .tapWeakAgain: "tapped again"
        case .fixedByPress: "distance held by a long press"
        case .api: "asked for by the app"
        case .ordered: "ordered"
        case .entered: "came into the picture"
        case .moreProminent: "became more prominent"
        case .facedAway: "the one before looked away"
        case .facedBack: "looks at the camera again"
        case .exited: "the one before left the picture"
        case .lost: "the one before vanished"
        case .groupMember: "another part of the same subject"
        case .nothingLeft: "nobody is left"
        }
    }
}
