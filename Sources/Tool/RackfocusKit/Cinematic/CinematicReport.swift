import AVFoundation
import Cinematic
import CoreMedia
import Foundation
import Optics
import Pipeline
import Support

/// Report on a cinematic movie: its tracks, its subjects, and the decisions of focus with the racks between them.
///
/// Made of the metadata alone; no picture is decoded. Times are seconds of the movie, disparities 1/m where the maps are metric.
public struct CinematicReport: Encodable, Sendable {
    /// Track of the file.
    struct Track: Encodable, Sendable {
        var kind: String
        var coding: String
        /// Width and height in pixels.
        var size: [Int]?
        var sampleRate: Int?
        var channels: Int?
        /// Pictures, maps, samples of metadata, or coded packets of sound.
        var samples: Int

        init(_ track: AVAssetTrack) {
            let track = track.track
            (kind, coding, samples) = (track.kind.word, track.coding, track.sampleCount)
            size = track.width > 0 ? [track.width, track.height] : nil
            (sampleRate, channels) = track.kind == .sound ? (track.sampleRate, track.channels) : (nil, nil)
        }
    }

    /// Detected object and its presence.
    struct Subject: Encodable, Sendable {
        var id: Int
        /// Group of objects that belong together; nil for none.
        var group: Int?
        var kind: String
        /// Name that the detector gave; nil for none.
        var label: String?
        /// First and last frame in which it was detected, and their times.
        var from: Moment
        var to: Moment
        /// Number of frames in which it was detected.
        var frames: Int

        /// Name for people: the label, else kind and number.
        var name: String { label ?? "\(kind) \(id)" }
    }

    /// Choice of a subject.
    struct Decision: Encodable, Sendable {
        var at: Moment
        /// Object that takes focus; nil for none.
        var subject: Int?
        /// Name of the subject for people.
        var name: String
        /// Hold: weak, strong or none.
        var mode: String
        var isUserDecision: Bool
        var isFixed: Bool
        var why: String
        var disparity: Double
    }

    /// Transition of focus.
    struct Transition: Encodable, Sendable {
        var from: Moment
        var to: Moment
        var fromDisparity: Double
        var toDisparity: Double
    }

    /// Time of a frame.
    struct Moment: Encodable, Sendable {
        var seconds: Double
        var timecode: String
    }

    /// Version of this format.
    let format = 1
    var file: String
    var seconds: Double
    var frames: Int
    /// Frames per second as people write them.
    var rate: String
    /// Width and height of the pictures, pixels.
    var size: [Int]
    /// Full-frame-equivalent focal length, mm.
    var focalLength: Double
    /// Smallest and largest f-number.
    var fNumbers: [Double]
    /// Whether disparities are in 1/m.
    var isMetric: Bool
    /// Number of frames with too little light.
    var darkFrames: Int
    var tracks: [Track]
    var subjects: [Subject]
    var decisions: [Decision]
    var racks: [Transition]
    /// Edits that are applied, in order.
    var edits: [String]

    /// Makes the report of a movie with its edits.
    public init(_ edited: EditedMovie) throws {
        let script = edited.script
        edits = edited.edits.items.map(\.summary)
        let (all, clock) = (script.allFrames, MovieClock(script))
        file = (edited.path as NSString).lastPathComponent
        seconds = script.end.seconds
        frames = all.count
        rate = script.frameDuration.rateText
        let video = script.info.cinematicVideoTrack.track
        size = [video.width, video.height]
        focalLength = all[0].sample.lens.focalLength
        let apertures = all.lazy.map(\.sample.lens.fNumber)
        fNumbers = [apertures.min() ?? 0, apertures.max() ?? 0]
        isMetric = all[0].sample.disparity.isMetric
        darkFrames = all.count { $0.sample.notEnoughLight }
        tracks = try script.info.asset.loadedTracks().map(Track.init)
        let subjects = Self.subjects(all, clock)
        self.subjects = subjects
        let names = Dictionary(subjects.map { ($0.id, $0.name) }) { first, _ in first }
        decisions = all.flatMap { frame in
            frame.sample.decisions.map { decision in
                Decision(
                    at: clock.moment(ofNanosecond: max(decision.time, frame.time.nanoseconds)), subject: decision.subject,
                    name: decision.isFixed ? "a distance" : decision.subject.map { names[$0] ?? "object \($0)" } ?? "nobody",
                    mode: "\(decision.mode)", isUserDecision: decision.isUserDecision, isFixed: decision.isFixed, why: decision.why.rawValue,
                    disparity: decision.disparity)
            }
        }
        racks = Self.racks(all, clock)
    }

    private static func subjects(_ frames: [CNScript.Frame], _ clock: MovieClock) -> [Subject] {
        var (places, subjects): ([Int: Int], [Subject]) = ([:], [])
        /// Last frame of each, and how many there are.
        var seen: [(last: CMTime, count: Int)] = []
        for frame in frames {
            let fixed = frame.sample.focus.isFixed ? frame.sample.focus.subject : nil
            for detection in frame.sample.detections where detection.objectID != fixed {
                guard let place = places[detection.objectID] else {
                    places[detection.objectID] = subjects.count
                    seen.append((frame.time, 1))
                    let now = clock.moment(of: frame.time)
                    subjects.append(
                        Subject(
                            id: detection.objectID, group: detection.groupID >= 1 ? detection.groupID : nil, kind: detection.kind.rawValue,
                            label: detection.label, from: now, to: now, frames: 1))
                    continue
                }
                seen[place].last = frame.time
                seen[place].count += 1
            }
        }
        for place in subjects.indices { (subjects[place].to, subjects[place].frames) = (clock.moment(of: seen[place].last), seen[place].count) }
        return subjects
    }

    /// Least difference of disparity that counts as a rack: a centimetre at 1.5 m.
    private static let leastRack = 0.005

    /// Racks, but for those between two decisions on the same distance, which move nothing.
    private static func racks(_ frames: [CNScript.Frame], _ clock: MovieClock) -> [Transition] {
        var (racks, last): ([Transition], Rack?) = ([], nil)
        for frame in frames {
            if let rack = frame.sample.focus.rack, rack.start != last?.start || rack.to != last?.to, abs(rack.to - rack.from) >= leastRack {
                racks.append(
                    Transition(
                        from: clock.moment(ofNanosecond: rack.start), to: clock.moment(ofNanosecond: rack.start + rack.duration),
                        fromDisparity: rack.from, toDisparity: rack.to))
            }
            last = frame.sample.focus.rack
        }
        return racks
    }

    /// JSON with sorted keys and a newline at its end.
    public var json: Data {
        get throws { try JSONEncoder.readable.encode(self) + Data("\n".utf8) }
    }
}

/// Timecode of a movie's frames, counted from that of its first one, else from 00:00:00:00.
struct MovieClock {
    private let frameDuration: CMTime
    private let rate: Int
    private let dropsFrames: Bool
    /// Number of the first frame.
    private let first: Int

    init(_ script: CNScript) {
        frameDuration = script.frameDuration
        rate = max(Int((1 / frameDuration.seconds).rounded()), 1)
        let usuallyDrops = frameDuration.value == 1001 && [30_000, 60_000].contains(frameDuration.timescale)
        (dropsFrames, first) = (script.timecode?.dropsFrames ?? usuallyDrops, script.timecode?.frame(rate: rate) ?? 0)
    }

    func moment(of time: CMTime) -> CinematicReport.Moment {
        let frame = first + max(Int((time.seconds / frameDuration.seconds).rounded()), 0)
        return CinematicReport.Moment(seconds: time.seconds, timecode: Timecode(frame: frame, rate: rate, dropsFrames: dropsFrames).description)
    }

    func moment(ofNanosecond time: Int64) -> CinematicReport.Moment { moment(of: CMTime(value: time, timescale: 1_000_000_000)) }
}
