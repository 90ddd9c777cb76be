import AVFoundation
import Cinematic
import CinematicClient
import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

/// Cuts takes of the stage by a client that imports Apple's names alone.
@Suite("A composition of cinematic movies in an app")
struct CompositionClientTests {
    /// One person, who is in focus from the first frame on.
    private static let portrait = """
        scenario: Portrait
        clip: {source: synthetic, size: 128x72, fps: 30000/1001, length: 12f, seed: 5}
        device: {aperture: f/2, focalLength: 60mm}
        subjects:
          ida: {kind: face, box: [0.40, 0.25, 0.15, 0.35], depth: 2m}
        """

    /// Three people; the nearest leaves, and focus goes to Tom.
    private static let leaving = """
        scenario: Leaving
        clip: {source: synthetic, size: 128x72, fps: 30000/1001, length: 48f, seed: 7}
        device: {aperture: f/2, focalLength: 60mm}
        subjects:
          maya: {kind: face, box: [0.20, 0.25, 0.15, 0.35], depth: 1.5m, exits: 0.4s}
          tom: {kind: face, box: [0.65, 0.30, 0.10, 0.25], depth: 4m}
          ben: {kind: face, box: [0.45, 0.40, 0.06, 0.15], depth: 3m}
        """

    @Test("is rendered as its takes were, with the decision that was in effect where a part begins, and is focused again across its parts")
    func cut() async throws {
        let scratch = try Scratch()
        let (pair, portrait) = (try CinematicTake(in: scratch), try CinematicTake(Self.portrait, in: scratch, named: "portrait.mov"))
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let first = try await CNAssetInfo(asset: AVURLAsset(url: URL(fileURLWithPath: pair.path)))
            let second = try await CNAssetInfo(asset: AVURLAsset(url: URL(fileURLWithPath: portrait.path)))
            let cut = CinematicCut(like: first)
            try await cut.append(CinematicTake.frames(20..<32), of: first)
            try await cut.append(CinematicTake.frames(2..<10), of: second)
            try await cut.append(CinematicTake.frames(0..<6), of: first)
            #expect(cut.info.timeRange == CinematicTake.frames(0..<26) && cut.composition.duration == CinematicTake.frames(0..<26).end)
            #expect(cut.info.naturalSize == CGSize(width: 128, height: 72) && cut.info.allCinematicTracks.map(\.trackID) == [1, 2, 3])

            let editor = try await cut.editor()
            let script = editor.script
            let (frames, rendered) = (script.frames(in: script.timeRange), try editor.render())
            let order: [(CinematicTake, Int)] = (20..<32).map { (pair, $0) } + (2..<10).map { (portrait, $0) } + (0..<6).map { (pair, $0) }
            try #require(frames.count == 26 && rendered.count == 26)
            for (index, (take, number)) in order.enumerated() {
                let record = take.records[number]
                #expect(rendered[index].time == CinematicTake.frames(index..<index + 1).start && frames[index].time == rendered[index].time)
                #expect(frames[index].focusDisparity == Float(record.state.focusDisparity), "frame \(index)")
                #expect(frames[index].allDetections.map(\.normalizedRect) == record.detections.map(\.bounds))
                let fidelity = CinematicRoundTripTests.psnr(rendered[index].image, take.baked[number])
                #expect(fidelity >= 50, "frame \(index): \(fidelity) dB")
            }

            // People of one take keep their numbers in all of its parts, and share none with another take's.
            func people(_ range: Range<Int>) -> Set<Int64> { Set(frames[range].flatMap { $0.allDetections.compactMap(\.detectionID?.rawValue) }) }
            #expect(people(0..<12) == people(20..<26) && people(0..<12).isDisjoint(with: people(12..<20)))
            // The tap on Tom was ahead of the first part; Ida was found ahead of the second.
            let starts = [0, 12, 20].map { frames[$0].time }
            let decisions = try starts.map { try #require(script.decision(at: $0, tolerance: .zero)) }
            #expect(decisions.map(\.isUserDecision) == [true, false, false])
            #expect(script.primaryDecision(at: frames[5].time) == decisions[0] && script.primaryDecision(at: frames[15].time) == decisions[1])

            // A compositor of the app renders the same pictures, in a part of the cut, too.
            let composed = try editor.compose()
            #expect(composed.map(\.time) == rendered.map(\.time))
            #expect(zip(composed, rendered).allSatisfy { CinematicRoundTripTests.psnr($0.image, $1.image) == .infinity })
            #expect(try editor.compose(in: CinematicTake.frames(10..<14)).map(\.time) == rendered[10..<14].map(\.time))

            // Maya instead, from the last part's third frame on; the others stay as they are.
            let (before, changed) = (frames.map(\.focusDisparity), frames[22].time)
            let decision = try #require(editor.focusOnSomebodyElse(at: changed, strong: true))
            let after = script.frames(in: script.timeRange)
            #expect(script.userDecisions(in: CMTimeRange(start: changed, end: script.timeRange.end)) == [decision])
            #expect(Array(after.map(\.focusDisparity)[12..<20]) == Array(before[12..<20]))
            #expect(after[25].focusDisparity != before[25])
            let again = try await CNScript(asset: cut.composition, changes: script.changes())
            #expect(again.frames(in: again.timeRange).map(\.focusDisparity) == after.map(\.focusDisparity))
        }
    }

    @Test("of one part is focused as that part of the whole by the changes cut along: by a decision while it is in effect", arguments: [10, 42])
    func trimmed(first: Int) async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(Self.leaving, in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let movie = try await CNAssetInfo(asset: AVURLAsset(url: URL(fileURLWithPath: take.path)))
            let whole = try await CNScript(asset: movie.asset)
            let ben = try #require(whole.frames(in: whole.timeRange)[4].allDetections.first { $0.normalizedRect.minX == 0.45 })
            let decision = CNDecision(time: CinematicTake.frames(4..<5).start, detectionID: try #require(ben.detectionID), strong: false)
            #expect(whole.addUserDecision(decision))
            let part = CinematicTake.frames(first..<48)
            // From frame 23 on it is Tom by himself, live from 38 on.
            #expect(abs(whole.focus(in: part)[0] - (first == 10 ? 1 / 3 : 0.25)) < 1e-3)
            let cut = CinematicCut(like: movie)
            try await cut.append(part, of: movie)
            let script = try await CNScript(asset: cut.composition, changes: whole.changes(trimmedBy: part))
            #expect(script.focus(in: script.timeRange) == whole.focus(in: part))
            #expect(script.userDecisions(in: script.timeRange).count == (first == 10 ? 1 : 0))
        }
    }

    @Test("of a part behind a decision of the user's has the automatic one below it, too: taken back, it is as the whole")
    func takenBack() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let movie = try await CNAssetInfo(asset: AVURLAsset(url: URL(fileURLWithPath: take.path)))
            let whole = try await CNScript(asset: movie.asset)
            let part = CinematicTake.frames(20..<32)
            let cut = CinematicCut(like: movie)
            try await cut.append(part, of: movie)
            let script = try await CNScript(asset: cut.composition)
            #expect(script.focus(in: script.timeRange) == whole.focus(in: part))
            for script in [whole, script] { #expect(script.removeUserDecision(try #require(script.userDecisions(in: script.timeRange).first))) }
            #expect(script.focus(in: script.timeRange) == whole.focus(in: part))
            #expect(script.decision(at: .zero, tolerance: .zero)?.focusDetectionID == whole.decision(at: .zero, tolerance: .zero)?.focusDetectionID)
        }
    }

    @Test("has the sound of its parts to the sample, and is written to a file like any asset")
    func written() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let url = URL(fileURLWithPath: take.path)
            let movie = try await CNAssetInfo(asset: AVURLAsset(url: url))
            let cut = CinematicCut(like: movie)
            try await cut.append(CinematicTake.frames(10..<20), of: movie)
            try await cut.append(CinematicTake.frames(0..<5), of: movie)
            let whole = try await MovieTools.sound(of: url)
            let parts = try MovieTools.sound(of: cut.composition)
            let rate = 48_000.0
            func place(_ frame: Int) -> Int { Int((Double(frame) * 1001 / 30_000 * rate).rounded()) }
            #expect(parts.samples == Array(whole.samples[place(10)..<place(20)] + whole.samples[place(0)..<place(5)]))

            let pictures = try MovieTools.pictures(of: cut.composition, format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            let copy = scratch.url.appending(path: "cut.mov")
            let settings: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 128, AVVideoHeightKey: 72]
            let writer = try await MovieTools.write(pictures, to: copy, settings: settings)
            #expect(writer.status == .completed)
            #expect(try await MovieTools.summary(of: copy).seconds == CinematicTake.frames(0..<15).end.seconds)
        }
    }

    @Test("cannot be read as stored where a part begins between two whole pictures, and says so")
    func stored() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let movie = AVURLAsset(url: URL(fileURLWithPath: take.path))
            let pictures = try #require(try await movie.loadTracks(withMediaType: .video).first)
            let composition = AVMutableComposition()
            let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 7))
            try track.insertTimeRange(CinematicTake.frames(0..<8), of: pictures, at: .zero)
            #expect(try MovieTools.stored(track).count == 8 && track.trackID == 7)
            try track.insertTimeRange(CinematicTake.frames(9..<12), of: pictures, at: .invalid)
            let error = #expect(throws: AVError.self) { try MovieTools.stored(track) }
            #expect(error?.code == .operationNotSupportedForAsset && error?.localizedDescription.contains("with output settings") == true)
        }
    }
}

extension CNScript {
    /// Focus of the frames in a time range, 1/m.
    fileprivate func focus(in range: CMTimeRange) -> [Float] { frames(in: range).map(\.focusDisparity) }
}
