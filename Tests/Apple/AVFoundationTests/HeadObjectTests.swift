import AVFoundation
import Pipeline
import Testing

@Suite("A person's head in metadata, where Apple has no class for it")
struct HeadObjectTests {
    private static func part(_ objectID: Int, _ kind: Detection.Kind, group: Int = 1, x: Double = 0.3) -> Detection {
        Detection(
            objectID: objectID, groupID: group, kind: kind, bounds: CGRect(x: x, y: 0.2, width: 0.2, height: kind == .humanBody ? 0.7 : 0.25),
            disparity: 1)
    }

    private static let (face, head, body) = (part(1, .face), part(2, .humanHead), part(3, .humanBody))

    private func objects(_ detections: [Detection]) throws -> [AVMetadataObject] {
        try inEnvironment(fakeEnvironment(detector: ScriptedDetector { _ in detections })) {
            let app = try CameraApp()
            try app.run()
            return try #require(app.metadata.last)
        }
    }

    @Test("beside face and body it is not told apart")
    func complete() throws {
        let objects = try objects([Self.face, Self.head, Self.body])
        #expect(objects.map(\.type) == [.face, .humanBody] && Set(objects.map(\.groupID)).count == 1)
        #expect(objects.map(\.cinematicVideoFocusMode) == [.weak, .none])
    }

    @Test("of who is turned away the body shows that focus is on the head")
    func turnedAway() throws {
        let objects = try objects([Self.head, Self.body])
        #expect(objects.map(\.type) == [.humanBody] && objects[0] is AVMetadataHumanBodyObject)
        #expect(objects[0].bounds == Self.body.bounds && objects[0].cinematicVideoFocusMode == .weak)
    }

    @Test("alone, or beside another person's body, it is told as a body")
    func alone() throws {
        let objects = try objects([Self.head, Self.part(4, .humanBody, group: 2, x: 0.7)])
        #expect(objects.map(\.type) == [.humanBody, .humanBody] && Set(objects.map(\.groupID)).count == 2)
        #expect(objects[0].bounds == Self.head.bounds && objects[0] is AVMetadataHumanBodyObject)
    }

    @Test("a body that nobody saw is not told, and the head stands for it in focus")
    func extrapolated() throws {
        var body = Self.body
        body.isExtrapolated = true
        #expect(try objects([Self.face, Self.head, body]).map(\.type) == [.face])
        let away = try objects([Self.head, body])
        #expect(away.map(\.bounds) == [Self.head.bounds] && away[0].cinematicVideoFocusMode == .weak)
        #expect(ReportedObjects([Self.head, body], subject: body.objectID).subject == Self.head.objectID)
        #expect(ReportedObjects([Self.face, Self.head, body], subject: body.objectID).subject == Self.face.objectID)
    }

    @Test("a tap on a body that nobody saw is on what the detector finds there")
    func tapBesideFace() throws {
        var body = Self.body
        body.isExtrapolated = true
        let app = try inEnvironment(fakeEnvironment(detector: ScriptedDetector { [body] _ in [Self.face, body] })) {
            let app = try CameraApp()
            app.configure { $0.setCinematicVideoTrackingFocus(at: CGPoint(x: 0.4, y: 0.8), focusMode: .strong) }
            try app.run()
            return app
        }
        #expect(try #require(app.metadata.last).allSatisfy { $0.cinematicVideoFocusMode != .strong })
    }

    @Test("a tap on a face is on the face, one on the hair above is on the same person")
    func taps() throws {
        let (face, head) = (Detection(objectID: 9, groupID: 1, kind: .face, bounds: CGRect(x: 0.35, y: 0.3, width: 0.1, height: 0.15)), Self.head)
        for y in [0.35, 0.25] {
            let app = try inEnvironment(fakeEnvironment(detector: ScriptedDetector { _ in [face, head, Self.body] })) {
                let app = try CameraApp()
                app.configure { $0.setCinematicVideoTrackingFocus(at: CGPoint(x: 0.4, y: y), focusMode: .strong) }
                try app.run()
                return app
            }
            let focused = try #require(app.metadata.last).filter { $0.cinematicVideoFocusMode != .none }
            #expect(focused.map(\.type) == [.face] && focused[0].cinematicVideoFocusMode == .strong, "tapped at \(y)")
        }
    }
}
