import CoreMedia
import Focus
import Foundation
import Optics
import Pipeline
import Synchronization

extension CNScript {
    /// Changes to a recording, to be kept beside it: aperture, decisions of the user and tracks that were added.
    public struct Changes: Sendable {
        /// Simulated f-number of the whole movie.
        public let fNumber: Float
        /// All decisions of the user, those of the recording among them.
        public let userDecisions: [CNDecision]
        /// Tracks that were added.
        public let addedDetectionTracks: [CNDetectionTrack]
        /// Digest of the movie's metadata; nil of changes to a trimmed movie.
        package let digest: String?
        /// Whether the f-number differs from that of the first recorded frame.
        package let changesAperture: Bool

        init(fNumber: Float, userDecisions: [CNDecision], addedDetectionTracks: [CNDetectionTrack], digest: String?, changesAperture: Bool) {
            (self.fNumber, self.userDecisions, self.addedDetectionTracks) = (fNumber, userDecisions, addedDetectionTracks)
            (self.digest, self.changesAperture) = (digest, changesAperture)
        }

        /// Reads changes that were kept; nil for anything else.
        public init?(dataRepresentation: Data) {
            guard let kept = try? JSONDecoder().decode(KeptChanges.self, from: dataRepresentation), kept.format == 1, kept.fNumber > 0,
                kept.tracks.allSatisfy({ (1..<(1 << 53)).contains($0.id) })
            else { return nil }
            self.init(
                fNumber: kept.fNumber, userDecisions: kept.decisions.map(\.decision), addedDetectionTracks: kept.tracks.map(\.track),
                digest: kept.digest, changesAperture: kept.changesAperture)
        }

        /// The changes as bytes (JSON), valid with the movie that they are of.
        public var dataRepresentation: Data {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let kept = KeptChanges(
                fNumber: fNumber, changesAperture: changesAperture, decisions: userDecisions.map(KeptChanges.Decision.init),
                tracks: addedDetectionTracks.map(KeptChanges.Track.init), digest: digest)
            // Numbers that JSON has no words for were replaced.
            return (try? encoder.encode(kept)) ?? Data()
        }
    }

    /// Returns the changes so far.
    public func changes() -> Changes {
        let digest = digest
        return state.withLock { state in
            Changes(
                fNumber: Float(state.focus.firstFNumber), userDecisions: state.userDecisions(recording).map(\.decision),
                addedDetectionTracks: state.tracks, digest: digest, changesAperture: changesAperture(state))
        }
    }

    /// Returns the changes for a movie that is cut to a time range, whose start becomes zero. A decision of the user's in effect at the start moves there.
    public func changes(trimmedBy timeRange: CMTimeRange) -> Changes {
        let first = recording.times.lastIndex { $0 <= timeRange.start }
        return state.withLock { state in
            let inEffect = first.flatMap { state.known(recording).decision(in: $0)?.decision }
            let user = state.userDecisions(recording).map(\.decision)
            func moved(_ decision: CNDecision, to time: CMTime) -> CNDecision {
                CNDecision(time: time, decision.focusDetectionID, isStrong: decision.isStrongDecision, isUser: true)
            }
            let ahead = inEffect.flatMap { $0.isUserDecision && $0.time < timeRange.start ? moved($0, to: .zero) : nil }
            let inside = user.filter { timeRange.containsTime($0.time) }.map { moved($0, to: $0.time - timeRange.start) }
            let isReplaced = inside.first?.time == .zero
            let tracks = state.tracks.map { $0.trimmed(by: timeRange) }
            return Changes(
                fNumber: Float(state.focus.firstFNumber), userDecisions: (isReplaced ? [] : [ahead].compactMap { $0 }) + inside,
                addedDetectionTracks: tracks, digest: nil, changesAperture: changesAperture(state))
        }
    }

    private func changesAperture(_ state: State) -> Bool { Float(state.focus.firstFNumber) != Float(recording.samples[0].lens.fNumber) }

    static func apply(_ changes: Changes, to state: inout State, _ recording: CinematicRecording) {
        for track in changes.addedDetectionTracks { add(track, to: &state, recording) }
        if changes.changesAperture { state.focus.setFNumber(Double(changes.fNumber)) }
        for placed in state.userDecisions(recording) where !changes.userDecisions.contains(placed.decision) {
            state.focus.removeUserChoice(in: placed.frame)
        }
        let kept = state.userDecisions(recording).map(\.decision)
        for decision in changes.userDecisions where !kept.contains(decision) {
            guard let frame = recording.frame(at: decision.time, tolerance: recording.frameDuration) else { continue }
            _ = add(decision, in: frame, to: &state, recording)
        }
    }
}

extension CNDetectionTrack {
    /// The track on the time of a movie that is cut to a range, under the same number.
    fileprivate func trimmed(by range: CMTimeRange) -> CNDetectionTrack {
        guard isDiscrete else { return self }
        let moved = all.filter { range.containsTime($0.time) }.map {
            CNDetection(
                time: $0.time - range.start, detectionType: $0.detectionType, normalizedRect: $0.normalizedRect, focusDisparity: $0.focusDisparity)
        }
        let track = CNCustomDetectionTrack(detections: moved, smooth: false)
        track.number(detectionID.rawValue)
        return track
    }
}

/// Changes as they are kept.
private struct KeptChanges: Codable {
    struct Time: Codable {
        var value: Int64
        var timescale: Int32

        init(_ time: CMTime) { (value, timescale) = (time.value, time.timescale) }

        var time: CMTime { CMTime(value: value, timescale: max(timescale, 1)) }
    }

    struct Decision: Codable {
        var time: Time
        var subject: Int64
        var isGroup: Bool
        var isStrong: Bool

        init(_ decision: CNDecision) {
            time = Time(decision.time)
            isStrong = decision.isStrongDecision
            switch decision.focusDetectionID {
            case .single(let id): (subject, isGroup) = (id.rawValue, false)
            case .group(let id): (subject, isGroup) = (id.rawValue, true)
            }
        }

        var decision: CNDecision {
            CNDecision(
                time: time.time, isGroup ? .group(CNDetectionGroupID(subject)) : .single(CNDetectionID(subject)), isStrong: isStrong, isUser: true)
        }
    }

    struct Detection: Codable {
        var time: Time
        var type: Int
        /// x, y, width and height, 0…1.
        var rect: [Double]
        /// Nil where it is no number.
        var disparity: Float?

        init(_ detection: CNDetection) {
            (time, type) = (Time(detection.time), detection.detectionType.rawValue)
            let rect = detection.normalizedRect
            self.rect = [rect.minX, rect.minY, rect.width, rect.height].map { Double($0) }.map { $0.isFinite ? $0 : 0 }
            disparity = detection.focusDisparity.isFinite ? detection.focusDisparity : nil
        }

        var detection: CNDetection {
            CNDetection(
                time: time.time, detectionType: CNDetectionType(rawValue: type) ?? .custom,
                normalizedRect: rect.count == 4 ? CGRect(x: rect[0], y: rect[1], width: rect[2], height: rect[3]) : .zero,
                focusDisparity: disparity ?? .nan)
        }
    }

    struct Track: Codable {
        var id: Int64
        /// Disparity of a held distance; nil of a track of detections.
        var held: Float?
        var original: Detection?
        var detections: [Detection]

        init(_ track: CNDetectionTrack) {
            id = track.detectionID.rawValue
            held = (track as? CNFixedDetectionTrack)?.focusDisparity
            original = (track as? CNFixedDetectionTrack)?.originalDetection.map(Detection.init)
            detections = track.all.map(Detection.init)
        }

        var track: CNDetectionTrack {
            let track =
                held.map { CNFixedDetectionTrack($0, original?.detection) }
                ?? CNCustomDetectionTrack(detections: detections.map(\.detection), smooth: false)
            track.number(id)
            return track
        }
    }

    var format = 1
    var fNumber: Float
    var changesAperture: Bool
    var decisions: [Decision]
    var tracks: [Track]
    var digest: String?
}
