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

/// Runs a client that imports Apple's names alone against takes of the stage.
@Suite("A cinematic movie in an app")
struct CinematicClientTests {
    @Test("rendered without edits is the live picture, and has its decisions, detections and times")
    func roundTrip() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let url = URL(fileURLWithPath: take.path)
            #expect(await CNAssetInfo.isCinematic(asset: AVURLAsset(url: url)))
            let editor = try await CinematicEditor(url: url)
            #expect(editor.info.naturalSize == CGSize(width: 128, height: 72) && editor.info.preferredTransform == .identity)
            #expect(editor.script.fNumber == 2)
            let frames = try editor.render()
            #expect(frames.count == 40)
            let least = zip(frames, take.baked).map { CinematicRoundTripTests.psnr($0.image, $1) }.min() ?? 0
            #expect(least >= 50, "\(least) dB")
            for (frame, record) in zip(editor.script.frames(in: editor.script.timeRange), take.records) {
                #expect(frame.time == record.frame.presentationTime && frame.focusDisparity == Float(record.state.focusDisparity))
                #expect(frame.focusDetection.detectionID?.rawValue == record.state.subject.map { Int64($0) })
                #expect(frame.allDetections.map(\.detectionID?.rawValue) == record.detections.map { Int64($0.objectID) })
                #expect(frame.allDetections.map(\.normalizedRect) == record.detections.map(\.bounds))
            }
            let decisions = editor.script.decisions(in: editor.script.timeRange)
            #expect(decisions.map(\.time.nanoseconds) == take.records.flatMap(\.decisions).map(\.time))
            #expect(decisions.map(\.isUserDecision) == take.records.flatMap(\.decisions).map(\.isUserDecision))
        }
    }

    @Test("is rendered into textures as into pictures, in the order of their channels")
    func textures() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let editor = try await CinematicEditor(url: URL(fileURLWithPath: take.path))
            let planes = try #require(try editor.firstFrameInPlanes())
            let picture = try #require(try editor.render(in: CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 60))).first)
            #expect(CinematicRoundTripTests.psnr(planes, picture.image) == .infinity)
            let blueFirst = try #require(try editor.firstFrame(as: .bgra8Unorm, bytesPerPixel: 4))
            let redFirst = try #require(try editor.firstFrame(as: .rgba8Unorm, bytesPerPixel: 4))
            let expected = PictureConverter().convert(picture.image, to: kCVPixelFormatType_32BGRA, rotation: 0, isMirrored: false)
            let rows = (0..<72).flatMap { y in (0..<128 * 4).map { expected.plane(0).row(y, as: UInt8.self)[$0] } }
            #expect(blueFirst == rows && redFirst != rows)
            #expect((0..<redFirst.count).allSatisfy { redFirst[$0] == rows[$0 ^ ($0 % 2 == 0 ? 2 : 0)] })
            let halves = try #require(try editor.firstFrame(as: .rgba16Float, bytesPerPixel: 8))
            let values = halves.withUnsafeBytes { Array($0.bindMemory(to: Float16.self)) }
            #expect(zip(values, redFirst).allSatisfy { abs(Float($0) - Float($1) / 255) < 0.001 })
            #expect(try editor.firstFrame(as: .r8Unorm, bytesPerPixel: 1) == nil)
        }
    }

    @Test("with its focus changed is sharp elsewhere; the changes are kept, and taken back")
    func edits() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let url = URL(fileURLWithPath: take.path)
            let editor = try await CinematicEditor(url: url)
            let all = editor.script.timeRange
            let recorded = editor.script.frames(in: all).map(\.focusDisparity)
            let tapped = try #require(editor.script.userDecisions(in: all).first)
            #expect(editor.script.removeUserDecision(tapped) && !editor.script.removeUserDecision(tapped))
            let time = CMTime(value: 37 * 1001, timescale: 30_000)
            let decision = try #require(editor.focusOnSomebodyElse(at: time, strong: true))
            #expect(editor.script.userDecisions(in: all) == [decision] && decision.isStrongDecision)
            let edited = editor.script.frames(in: all)
            // Maya at 1.5 m until Tom at 4 m is to be sharp, whose rack ends then.
            #expect(abs(edited[20].focusDisparity - 1 / 1.5) < 0.01 && abs(edited[37].focusDisparity - 0.25) < 0.01)
            let rack = editor.script.timeRangeOfTransition(before: decision)
            #expect(rack.duration > .zero && abs((rack.end - time).seconds) < 0.04)
            let middle = rack.start + CMTimeMultiplyByRatio(rack.duration, multiplier: 1, divisor: 2)
            #expect(editor.script.secondaryDecision(at: middle) == decision && editor.script.primaryDecision(at: middle) != decision)
            #expect(editor.script.primaryDecision(at: time + CMTime(value: 1, timescale: 20)) == decision)

            let frames = try editor.render()
            let moved = zip(frames, take.baked).map { CinematicRoundTripTests.psnr($0.image, $1) }
            #expect(moved[26..<30].allSatisfy { $0 < 45 } && moved[39] > 45, "\(moved)")

            let kept = try #require(CNScript.Changes(dataRepresentation: editor.script.changes().dataRepresentation))
            let again = try await CinematicEditor(url: url, changes: kept)
            #expect(again.script.frames(in: all).map(\.focusDisparity) == edited.map(\.focusDisparity))
            again.script.reload(changes: nil)
            #expect(again.script.frames(in: all).map(\.focusDisparity) == recorded)
            #expect(CNScript.Changes(dataRepresentation: Data("{}".utf8)) == nil)
        }
    }

    @Test("holds a distance or a track of one's own in focus, and a wider aperture")
    func tracks() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let editor = try await CinematicEditor(url: URL(fileURLWithPath: take.path))
            let (script, start) = (editor.script, CMTime.zero)
            let held = CNFixedDetectionTrack(focusDisparity: 0.4)
            let id = script.addDetectionTrack(held)
            #expect(held.detectionID == id && !held.isDiscrete && script.detectionTrack(for: id) === held)
            #expect(script.addUserDecision(CNDecision(time: start, detectionID: id, strong: true)))
            #expect(!script.addUserDecision(CNDecision(time: start, detectionID: CNDetectionID(99), strong: true)))
            let frame = try #require(script.frame(at: start, tolerance: .zero))
            #expect(abs(frame.focusDisparity - 0.4) < 0.001 && frame.focusDetection.detectionType == .fixedFocus)
            #expect(frame.focusDetection.detectionID == id)
            script.fNumber = 16
            #expect(script.changes().fNumber == 16)
            let wide = try editor.render(in: CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 30)))
            #expect(wide.count == 2)
            #expect(script.removeDetectionTrack(held) && script.addedDetectionTracks.isEmpty)
            #expect(script.frame(at: start, tolerance: .zero)?.focusDetection.detectionType == .humanFace)
            let detections = (0..<40).map { index in
                CNDetection(
                    time: CMTime(value: Int64(index) * 1001, timescale: 30_000), detectionType: .custom,
                    normalizedRect: CGRect(x: 0.4, y: 0.4, width: 0.1, height: 0.1), focusDisparity: 0.5)
            }
            let custom = script.addDetectionTrack(CNCustomDetectionTrack(detections: detections, smooth: true))
            #expect(script.addUserDecision(CNDecision(time: start, detectionID: custom, strong: true)))
            #expect(abs((script.frame(at: start, tolerance: .zero)?.focusDisparity ?? 0) - 0.5) < 0.001)
        }
    }

    @Test("is exported by the tool as the app changed it")
    func export() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let editor = try await CinematicEditor(url: URL(fileURLWithPath: take.path))
            let tapped = try #require(editor.script.userDecisions(in: editor.script.timeRange).first)
            editor.script.removeUserDecision(tapped)
            #expect(editor.focusOnSomebodyElse(at: CMTime(value: 37 * 1001, timescale: 30_000), strong: true) != nil)
            editor.script.fNumber = 1.4
            try editor.script.changes().dataRepresentation.write(to: scratch.url.appending(path: "app.json"))
            let edit = try ToolRun(["edit", take.path, "--apply", scratch("app.json")])
            #expect(edit.exitCode == 0, "\(edit.errors)")
            let list = try scratch.text("take.mov.edits.yaml")
            #expect(list.contains("15f: {remove: focus}") && list.contains("37f: {focus: ") && list.contains("0f: {aperture: f/1.4}"), "\(list)")
            let export = try ToolRun(["export", take.path, "-o", scratch("out.mov"), "--codec", "ffv1"])
            #expect(export.exitCode == 0, "\(export.errors)")
            let baked = try await MovieTools.pictures(
                of: URL(fileURLWithPath: scratch("out.mov")), format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            let rendered = try editor.render()
            #expect(baked.count == 40 && baked.map(\.time) == rendered.map(\.time))
            let least = zip(baked, rendered).map { CinematicRoundTripTests.psnr($0.image, $1.image) }.min() ?? 0
            #expect(least >= 50, "\(least) dB")
        }
    }

    /// Detector of a thing that moves to the right, a hundredth of the picture's width a frame, and is gone from the eighth frame on.
    private final class MovingThing: SubjectDetector {
        func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection] {
            frame.index < 8 ? [thing(frame.index)] : []
        }
        func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection? {
            thing(0).bounds.contains(point) ? thing(0) : nil
        }
        private func thing(_ index: Int) -> Detection {
            let bounds = CGRect(x: 0.4 + 0.01 * Double(index), y: 0.4, width: 0.2, height: 0.2)
            return Detection(objectID: 5, kind: .salientObject, bounds: bounds, salience: 0.5)
        }
    }

    @Test("has a thing in focus that the app's tracker followed, for as long as it was seen")
    func tracker() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        var environment = try ClientEnvironment.editing()
        environment.openDetector = { MovingThing() }
        try await CaptureEnvironment.$scoped.withValue(environment) {
            #expect(CNObjectTracker.isSupported)
            let editor = try await CinematicEditor(url: URL(fileURLWithPath: take.path))
            let device = try #require(MTLCreateSystemDefaultDevice())
            let range = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1))
            #expect(try editor.track(at: CGPoint(x: 0.9, y: 0.9), in: range, device: device) == nil)
            let track = try #require(try editor.track(at: CGPoint(x: 0.5, y: 0.5), in: range, device: device))
            let seen = track.detections(in: range)
            #expect(seen.count == 8 && seen[7].normalizedRect.minX > 0.46 && track.detectionType == .custom)
            let frame = try #require(editor.script.frame(at: seen[4].time, tolerance: .zero))
            #expect(frame.focusDetection.detectionID == track.detectionID)
            #expect(frame.detection(for: track.detectionID)?.normalizedRect == seen[4].normalizedRect)
            // The automatic decision holds again once the thing is gone.
            #expect(
                editor.script.frame(at: CMTime(value: 1, timescale: 1), tolerance: CMTime(value: 1, timescale: 30))?.focusDetection.detectionType
                    == .humanFace)
        }
    }

    @Test("that lacks its disparity is incomplete, one that is not there unreadable, changes of another incompatible")
    func refusals() async throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch, named: "take.mp4")
        let other = try CinematicTake(CinematicTake.text.replacingOccurrences(of: "depth: 4m", with: "depth: 5m"), in: scratch, named: "b.mov")
        let first = try CinematicTake(in: scratch, named: "a.mov")
        try await CaptureEnvironment.$scoped.withValue(ClientEnvironment.editing()) {
            let plain = await #expect(throws: CNCinematicError.self) {
                try await CNAssetInfo(asset: AVURLAsset(url: URL(fileURLWithPath: take.path)))
            }
            #expect(
                plain?.code == .incomplete
                    && plain?.localizedDescription == "take.mp4 is no cinematic movie: it has picture, sound, but lacks disparity and metadata")
            let (plainAsset, whole) = (AVURLAsset(url: URL(fileURLWithPath: take.path)), AVURLAsset(url: URL(fileURLWithPath: first.path)))
            #expect(await CNAssetInfo.cinematicCapability(for: plainAsset) == .none)
            #expect(await CNAssetInfo.cinematicCapability(for: whole) == .renderable)
            let info = try await CNAssetInfo(asset: whole).downloadResources()
            #expect(info.cinematicCapability == .renderable && info.resourceStatus == .ready && CNAssetInfo.resourceStatus() == .ready)
            let configuration = CNAssetPreprocessConfiguration(destinationAssetURL: URL(fileURLWithPath: scratch("p.mov")))
            let made = await #expect(throws: CNCinematicError.self) {
                try await info.preprocessAsset(configuration: configuration)
            }
            #expect(made?.code == .unsupported)
            let missing = await #expect(throws: CNCinematicError.self) {
                try await CNScript(asset: AVURLAsset(url: URL(fileURLWithPath: scratch("none.mov"))))
            }
            #expect(missing?.code == .unreadable)
            let script = try await CNScript(asset: AVURLAsset(url: URL(fileURLWithPath: first.path)))
            script.removeAllUserDecisions()
            let changes = script.changes()
            let strange = await #expect(throws: CNCinematicError.self) {
                try await CNScript(asset: AVURLAsset(url: URL(fileURLWithPath: other.path)), changes: changes)
            }
            #expect(strange?.code == .incompatible)
            let progress = Progress(totalUnitCount: 1)
            progress.cancel()
            let cancelled = await #expect(throws: CNCinematicError.self) {
                try await CNScript(asset: AVURLAsset(url: URL(fileURLWithPath: first.path)), progress: progress)
            }
            #expect(cancelled?.code == .cancelled)
        }
    }
}
