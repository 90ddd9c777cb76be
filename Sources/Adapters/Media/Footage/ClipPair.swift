import CoreMedia
import Foundation
import Pipeline

/// Two clips that are read together, matched by time: to each frame of the first belongs the one of the second nearest to it, of two the earlier,
/// at most half a frame of the slower clip away. Frames without a partner are left out and counted.
///
/// Either clip may end one frame of the slower one before the other; what ends earlier is an error.
struct ClipPair<Partner> {
    /// A frame of the second clip.
    typealias Timed = (partner: Partner, time: CMTime)

    let first: ClipSide
    let second: ClipSide
    /// Duration of a frame of the slower clip.
    private let frame: CMTime
    /// The last two frames of the second clip that were read.
    private var earlier: Candidate?
    private var later: Candidate?
    private var isAtEnd = false
    /// Whether both clips are read from a time on, to which the second one's first frames may be earlier.
    private let isSought: Bool
    /// Time of the first clip's first frame.
    private var begin: CMTime?
    /// Time of the first clip's last frame.
    private var last: CMTime?
    /// Frames read of each clip, and those of them that are left out.
    private var read = (first: 0, second: 0)
    private var leftOut = (first: 0, second: 0)
    /// Frames of the first clip whose partner was that of another before.
    private var shared = 0

    private struct Candidate {
        let frame: Timed
        var isUsed = false
    }

    /// Checks sizes, rates and known lengths; throws `mismatch`. The rates of two eyes must be the same, those of a picture and its depth need not be.
    /// Lengths may differ where only the beginning of both is used; frames of the second clip before the first one's are no loss where both were sought.
    init(_ first: ClipSide, _ second: ClipSide, areEyes: Bool, isBeginning: Bool = false, isSought: Bool = false) throws(MediaError) {
        (self.first, self.second, self.isSought) = (first, second, isSought)
        frame = max(first.description.frameDuration, second.description.frameDuration)
        let (a, b) = (first.description, second.description)
        if areEyes, a.width != b.width || a.height != b.height {
            throw mismatch(second, "is \(b.width)x\(b.height), but \(first.path) is \(a.width)x\(a.height); both must have one size")
        }
        if areEyes, a.frameDuration != b.frameDuration, !first.isRateVariable, !second.isRateVariable {
            throw mismatch(
                second, "runs at \(b.frameDuration.rateText) frames/s, but \(first.path) at \(a.frameDuration.rateText); both must have one rate")
        }
        if !isBeginning { try checkLengths() }
    }

    private func checkLengths() throws(MediaError) {
        guard let one = first.length, let other = second.length, first.exactCount != second.exactCount else { return }
        let (short, long) = one < other ? (first, second) : (second, first)
        guard (max(one, other) - min(one, other)).seconds > 1.5 * frame.seconds else { return }
        let has = "both must have one length"
        if first.description.frameDuration == second.description.frameDuration, let count = short.exactCount, let more = long.exactCount, count < more
        {
            throw mismatch(short, "ends after frame \(count), but \(long.path) has \(more) frames; \(has)")
        }
        let (seconds, more) = (String(format: "%.3f", min(one, other).seconds), String(format: "%.3f", max(one, other).seconds))
        throw mismatch(short, "lasts \(seconds) s, but \(long.path) \(more) s; \(has)")
    }

    private func mismatch(_ side: ClipSide, _ reason: String) -> MediaError { MediaError(code: .mismatch, path: side.path, reason: reason) }

    /// Whether the first clip's next frame, one frame after its last, will ask for another of the second: it may be read beside that one.
    var wantsNext: Bool { !isAtEnd && (later.map { $0.frame.time <= last ?? .zero } ?? true) }

    /// Takes the second clip's next frame; nil at its end.
    mutating func take(_ next: Timed?) {
        guard let next else { return isAtEnd = true }
        read.second += 1
        if let earlier { leaveOut(earlier) }
        (earlier, later) = (later, Candidate(frame: next))
    }

    /// Counts a frame of the second clip that was no partner.
    private mutating func leaveOut(_ candidate: Candidate) {
        guard !candidate.isUsed else { return }
        guard !isSought || candidate.frame.time >= begin ?? candidate.frame.time else { return read.second -= 1 }
        leftOut.second += 1
    }

    /// The partner of the first clip's next frame, which is at `time`; nil where none is near enough. `next` reads the second clip on. Throws
    /// `mismatch` where that ended long before.
    mutating func partner(at time: CMTime, next: () throws -> Timed?) throws -> Partner? {
        (begin, last, read.first) = (begin ?? time, time, read.first + 1)
        while !isAtEnd, later.map({ $0.frame.time < time }) ?? true { take(try next()) }
        guard let newest = later?.frame.time else { throw ends(second, after: 0, other: first) }
        if newest < time, isLong(time - newest) { throw ends(second, after: read.second, other: first) }
        let nearest = earlier.map { time - $0.frame.time <= distance(newest, time) } ?? false ? \Self.earlier : \Self.later
        guard let candidate = self[keyPath: nearest], distance(candidate.frame.time, time) + distance(candidate.frame.time, time) <= frame else {
            leftOut.first += 1
            return nil
        }
        if candidate.isUsed { shared += 1 }
        self[keyPath: nearest]?.isUsed = true
        return candidate.frame.partner
    }

    /// Checks, at the end of the first clip, that the second ends there too. Throws `mismatch` where that goes on.
    mutating func finish(next: () throws -> Timed?) throws {
        let end = last ?? .zero
        repeat {
            if let newest = later?.frame.time, newest > end, isLong(newest - end) { throw ends(first, after: read.first, other: second) }
            if !isAtEnd { take(try next()) }
        } while !isAtEnd
        for candidate in [earlier, later] { if let candidate { leaveOut(candidate) } }
        (earlier, later) = (nil, nil)
    }

    private func distance(_ one: CMTime, _ other: CMTime) -> CMTime { max(one, other) - min(one, other) }
    private func isLong(_ time: CMTime) -> Bool { time + time > frame + frame + frame }

    private func ends(_ side: ClipSide, after count: Int, other: ClipSide) -> MediaError {
        mismatch(side, "ends after frame \(count), but \(other.path) goes on; both must have one length")
    }

    /// Counts of frames left out and shared so far, in words.
    var remarks: [String] {
        var lines: [String] = []
        if leftOut.first > 0 {
            let near = String(format: "%.1f ms", frame.seconds * 500)
            lines.append(
                "\(leftOut.first) of \(read.first) frames of \(first.path) are left out: \(second.path) has none within \(near) of their times")
        }
        if leftOut.second > 0 {
            lines.append("\(leftOut.second) of \(read.second) frames of \(second.path) are left out: they are nearest to no frame of \(first.path)")
        }
        if shared > 0 { lines.append("\(shared) of \(read.first) frames of \(first.path) share a frame of \(second.path) with the one before") }
        return lines
    }
}
