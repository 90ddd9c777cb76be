import AVFoundation
import CameraApp
import Foundation
import Pipeline
import ScenarioFormat
import ScenarioRun
import Synchronization
import Testing
import Vision

@testable import RackfocusKit

@Suite("What the eyes see comes to the app in Apple's classes, what belongs together in one group")
struct MetadataKindsTests {
    /// Metadata that the app got for each frame, and the graph's own records.
    private struct Take {
        var told: [[AVMetadataObject]] = []
        var known: [[Detection]] = []

        /// Objects of a type in the last frame that has one.
        func last(_ type: AVMetadataObject.ObjectType) -> AVMetadataObject? { told.reversed().lazy.compactMap { $0.first { $0.type == type } }.first }
    }

    private final class Observer: CaptureObserver {
        let records = Mutex<[[Detection]]>([])
        func willProcess(_ frame: Frame) {}
        func didDecide(_ record: FrameRecord) { records.withLock { $0.append(record.detections) } }
    }

    /// Films a scene with the camera app; `tap` is on a place of the twelfth frame.
    private func film(_ text: String, models: VisionModels = VisionModels(), tap: CGPoint? = nil) throws -> Take {
        let scenario = try ScenarioFile.parse(text, path: "kinds.yaml", ReadingOptions(folders: [Project.data.path]))
        let (feed, observer) = (try CameraFeed.open(scenario, models: models), Observer())
        var environment = CaptureEnvironment(
            cameras: [scenario.camera(for: feed.source.description)], renderer: SharpLens(), tuning: scenario.tuning, observer: observer
        ) { _ in feed }
        environment.clock = .lockStep
        let camera = try CaptureEnvironment.$scoped.withValue(environment) { try CinematicCamera() }
        let told = Mutex<[[AVMetadataObject]]>([])
        let end = camera.play(timeLimit: 300) { shot in
            let count = told.withLock { told in
                told.append(shot.objects)
                return told.count
            }
            guard count == 12, let tap else { return }
            do { try camera.device.lockForConfiguration() } catch { return _ = Issue.record(error) }
            camera.device.setCinematicVideoTrackingFocus(at: tap, focusMode: .strong)
            camera.device.unlockForConfiguration()
        }
        guard case .stopped = end else { throw SessionEnded(how: "\(end)") }
        return Take(told: told.withLock { $0 }, known: observer.records.withLock { $0 })
    }

    private struct SessionEnded: Error { let how: String }

    private static let classes: [AVMetadataObject.ObjectType: AVMetadataObject.Type] = [
        .face: AVMetadataFaceObject.self, .humanBody: AVMetadataHumanBodyObject.self, .catHead: AVMetadataCatHeadObject.self,
        .catBody: AVMetadataCatBodyObject.self, .dogHead: AVMetadataDogHeadObject.self, .dogBody: AVMetadataDogBodyObject.self,
        .salientObject: AVMetadataSalientObject.self,
    ]

    /// Every object of the take is of its type's class, and no frame has two faces, heads or bodies in one group.
    private func expectOrder(_ take: Take) {
        for frame in take.told {
            for object in frame { #expect(Self.classes[object.type].map { type(of: object) == $0 } ?? false, "\(object)") }
            let grouped = frame.filter { $0.groupID >= 0 }
            #expect(Set(grouped.map { "\($0.groupID) \($0.type.rawValue)" }).count == grouped.count, "\(grouped)")
        }
    }

    @Test("painted: a person's face, head and body, a cat's head and body, and a mug that was tapped")
    func painted() throws {
        let take = try film(
            """
            scenario: One of each
            clip: {source: synthetic, size: 640x360, fps: 30, length: 1.5s, seed: 7, detections: vision}
            subjects:
              maya: {kind: face, box: [0.2, 0.2, 0.1, 0.2], depth: 1.6m}
              tom:  {kind: catBody, box: [0.55, 0.45, 0.3, 0.4], depth: 1.2m}
              mug:  {kind: prop, box: [0.42, 0.70, 0.08, 0.16], depth: 0.9m}
            """, tap: CGPoint(x: 0.46, y: 0.78))
        expectOrder(take)
        let seen = try #require(take.told.last)
        #expect(Set(seen.map(\.type)) == [.face, .humanBody, .catHead, .catBody, .salientObject], "\(seen)")
        func groups(_ types: AVMetadataObject.ObjectType...) -> Set<Int> { Set(seen.filter { types.contains($0.type) }.map(\.groupID)) }
        let (person, cat) = (groups(.face, .humanBody), groups(.catHead, .catBody))
        #expect(person.count == 1 && cat.count == 1 && person.isDisjoint(with: cat) && groups(.salientObject) == [-1])
        #expect(seen.first { $0.type == .salientObject }?.cinematicVideoFocusMode == .strong)
        #expect(take.known.last?.filter { $0.kind == .humanHead }.map(\.groupID) == Array(person))
    }

    @Test("painted: focus on somebody who turned away shows on the body")
    func turnedAway() throws {
        let take = try film(
            """
            scenario: Maya turns away
            clip: {source: synthetic, size: 640x360, fps: 30, length: 2.5s, seed: 7, detections: vision}
            subjects:
              maya: {kind: face, box: [0.3, 0.25, 0.1, 0.2], depth: 1.6m}
            timeline:
              - 1s: {turn: {subject: maya, to: away, over: 300ms}}
            """, tap: CGPoint(x: 0.35, y: 0.35))
        expectOrder(take)
        #expect(take.told[25].first { $0.type == .face }?.cinematicVideoFocusMode == .strong)
        let seen = try #require(take.told.last)
        #expect(seen.map(\.type) == [.humanBody] && seen[0].cinematicVideoFocusMode == .strong, "\(seen)")
        #expect(take.known.last?.map(\.kind) == [.humanHead, .humanBody])
    }

    private static let models = Project.data.appending(path: "models").path
    private static let object = models + "/yolo-fastest-1.1.weights"

    @Test("filmed: a woman and her dog, head and body each", .enabled(if: Project.hasData, "needs ../shared/data"))
    func dog() throws {
        let take = try film(
            """
            scenario: A walk with the dog
            clip: {source: {video: "\(Project.data.appending(path: "video/01_dog.mp4").path)"}, length: 2s, detections: vision}
            """, models: VisionModels(face: Self.models + "/face_detection_yunet_2022mar.onnx", object: Self.object))
        expectOrder(take)
        let (body, head) = (try #require(take.last(.dogBody)), try #require(take.last(.dogHead)))
        #expect(body.groupID == head.groupID && body.groupID != take.last(.humanBody)?.groupID)
        #expect(take.known.contains { $0.contains { $0.kind == .humanHead } })
    }

    @Test("filmed: who shows only the back of the head has a head in the group of the body", .enabled(if: Project.hasData, "needs ../shared/data"))
    func fromBehind() throws {
        let take = try film(
            """
            scenario: From behind
            clip: {source: {video: "\(Project.data.appending(path: "video/klahaag_person_from_behind.avi").path)"}, length: 1s, detections: vision}
            """, models: VisionModels(object: Self.object))
        expectOrder(take)
        let known = try #require(take.known.last)
        let (head, body) = (try #require(known.first { $0.kind == .humanHead }), try #require(known.first { $0.kind == .humanBody }))
        #expect(
            head.groupID == body.groupID && body.bounds.contains(CGPoint(x: head.bounds.midX, y: head.bounds.maxY))
                && head.bounds.maxY < body.bounds.midY)
        #expect(take.told.last?.map(\.type) == [.humanBody])
    }
}
