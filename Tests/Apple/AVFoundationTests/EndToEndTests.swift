import AVFoundation
import Focus
import Optics
import Pipeline
import Synchronization
import Testing

/// Near and large: what focus takes by itself.
private let left = Detection(
    objectID: 7, groupID: 3, kind: .face, bounds: CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.5), yaw: 12, disparity: 1.2)
private let right = Detection(objectID: 9, kind: .catHead, bounds: CGRect(x: 0.7, y: 0.2, width: 0.2, height: 0.4))

@Suite("A session with a camera")
struct EndToEndTests {
    @Test("delivers metadata and pictures of every frame in order, on the app's queue, and stops at the end of the source")
    func deliversAll() throws {
        let environment = fakeEnvironment(detector: ScriptedDetector { _ in [left, right] })
        try inEnvironment(environment) {
            let app = try CameraApp()
            try app.run()
            let times = (0..<10).map { CMTime(value: Int64($0), timescale: 30) }
            #expect(app.samples.map(\.presentationTimeStamp) == times)
            #expect(app.metadata.map { $0.first?.time } == times)
            #expect(app.seen.withLock { Set($0.metadata.map(\.queue) + $0.samples.map(\.queue)) } == ["camera app"])
            #expect(app.events == ["started", "stopped"])
            #expect(!app.session.isRunning)
            for (index, sample) in app.samples.enumerated() {
                let image = try #require(CMSampleBufferGetImageBuffer(sample))
                #expect(image.plane(0).row(3, as: UInt8.self)[5] == UInt8(16 + index))
                #expect(CVBufferCopyAttachment(image, kCVImageBufferYCbCrMatrixKey, nil) as? CFString == kCVImageBufferYCbCrMatrix_ITU_R_709_2)
            }
        }
    }

    @Test("numbers objects from 1 for the whole session and tells their class, group, yaw and focus")
    func metadataContent() throws {
        let environment = fakeEnvironment(detector: ScriptedDetector { _ in [right, left] })
        try inEnvironment(environment) {
            let app = try CameraApp()
            try app.run()
            let objects = try #require(app.metadata.first)
            #expect(objects.map(\.type) == [.catHead, .face])
            #expect(objects.map(\.objectID) == [1, 2])
            #expect(objects.map(\.groupID) == [-1, 1])
            let face = try #require(objects[1] as? AVMetadataFaceObject)
            #expect(face.hasYawAngle && face.yawAngle == 12 && face.faceID == 1)
            #expect(objects.filter { $0.cinematicVideoFocusMode != .none }.count == 1)
        }
    }

    @Test("gives new numbers after a restart, never old ones again")
    func numbersAreNeverReused() throws {
        let environment = CaptureEnvironment(
            cameras: [.footage(CountingSource(count: 1).description, name: "fake")], renderer: GlassRenderer()
        ) { _ in CameraFeed(source: CountingSource(count: 2), detector: ScriptedDetector { _ in [left] }) }
        try inEnvironment(environment) {
            let app = try CameraApp()
            try app.run()
            try app.run()
            #expect(app.metadata.map { $0[0].objectID } == [1, 1, 2, 2])
        }
    }

    @Test("takes a request of the observer on the very frame, and one of a metadata delegate on the next")
    func requestsTakeEffect() throws {
        let app = Mutex<CameraApp?>(nil)
        let observer = ScriptedObserver { index in
            guard index == 3 else { return }
            app.withLock { $0 }?.configure { $0.setCinematicVideoTrackingFocus(detectedObjectID: 2, focusMode: .strong) }
        }
        let environment = fakeEnvironment(detector: ScriptedDetector { _ in [left, right] }, observer: observer)
        try inEnvironment(environment) {
            let running = try CameraApp()
            app.withLock { $0 = running }
            running.onMetadata = { [unowned running] objects in
                guard objects[0].time == CMTime(value: 6, timescale: 30) else { return }
                running.configure { $0.setCinematicVideoTrackingFocus(detectedObjectID: 1, focusMode: .weak) }
            }
            try running.run()
        }
        let states = observer.all.map(\.state)
        #expect(states[2].subject == 1)
        #expect(states[3...6].allSatisfy { $0.subject == 2 && $0.mode == .strong })
        #expect(states[7...].allSatisfy { $0.subject == 1 && $0.mode == .weak })
    }

    @Test("gives one focus state per frame: record, metadata and blur agree")
    func oneStory() throws {
        let renderer = GlassRenderer()
        let app = Mutex<CameraApp?>(nil)
        let observer = ScriptedObserver { index in
            guard index == 5 else { return }
            app.withLock { $0 }?.configure { $0.setCinematicVideoTrackingFocus(at: CGPoint(x: 0.8, y: 0.3), focusMode: .strong) }
        }
        let environment = fakeEnvironment(detector: ScriptedDetector { _ in [left, right] }, renderer: renderer, observer: observer)
        try inEnvironment(environment) {
            let running = try CameraApp()
            app.withLock { $0 = running }
            running.input.simulatedAperture = 5.6
            try running.run()
            let circles = renderer.circles.withLock { $0 }
            #expect(circles.count == 10)
            for (index, record) in observer.all.enumerated() {
                let focused = running.metadata[index].first { $0.cinematicVideoFocusMode != .none }
                #expect(focused?.objectID == record.state.subject)
                #expect(focused?.time == record.frame.presentationTime)
                #expect(running.samples[index].presentationTimeStamp == record.frame.presentationTime)
                let expected = Lens(focalLength: 50, fNumber: 5.6).circleOfConfusion(
                    focusDisparity: record.state.focusDisparity, pictureWidth: 64)
                #expect(circles[index] == expected)
                #expect(record.fNumber == 5.6)
            }
            #expect(observer.all[5].state.subject == 2)
            #expect(observer.all[5].detections[1].disparity.map { abs($0 - 0.8) < 0.02 } == true)
        }
    }

    @Test("finds a salient object at a tapped point, follows it, and reports it from then on")
    func salientObject() throws {
        let mug = Detection(objectID: 40, kind: .salientObject, bounds: CGRect(x: 0.45, y: 0.5, width: 0.1, height: 0.2))
        let app = Mutex<CameraApp?>(nil)
        let observer = ScriptedObserver { index in
            guard index == 2 else { return }
            app.withLock { $0 }?.configure { $0.setCinematicVideoTrackingFocus(at: CGPoint(x: 0.5, y: 0.6), focusMode: .strong) }
        }
        try inEnvironment(fakeEnvironment(detector: ScriptedDetector(found: mug) { _ in [left] }, observer: observer)) {
            let running = try CameraApp()
            app.withLock { $0 = running }
            try running.run()
            #expect(running.metadata[1].count == 1)
            #expect(running.metadata[2...].allSatisfy { $0.map(\.type) == [.face, .salientObject] && $0[1].objectID == 2 })
            #expect(running.metadata[2][1].cinematicVideoFocusMode == .strong)
        }
    }

    @Test("holds a fixed focus as an object of its own, at the distance seen there")
    func fixedFocus() throws {
        let app = Mutex<CameraApp?>(nil)
        let observer = ScriptedObserver { index in
            guard index == 4 else { return }
            app.withLock { $0 }?.configure { $0.setCinematicVideoFixedFocus(at: CGPoint(x: 0.5, y: 0.9), focusMode: .strong) }
        }
        try inEnvironment(fakeEnvironment(detector: ScriptedDetector { _ in [left] }, observer: observer)) {
            let running = try CameraApp()
            app.withLock { $0 = running }
            try running.run()
            #expect(!running.metadata[3].contains { $0.isFixedFocus })
            let fixed = try #require(running.metadata[4].first { $0.isFixedFocus })
            #expect(fixed.type == .salientObject && fixed.objectID == 2 && fixed.cinematicVideoFocusMode == .strong)
            #expect(fixed.bounds.contains(CGPoint(x: 0.5, y: 0.9)))
            #expect(observer.all[4].state.isFixed)
            #expect(running.metadata[9].last?.objectID == 2)
        }
    }

    @Test("does nothing and says so when there is nothing at the point, or no such object")
    func nothingThere() throws {
        let said = Mutex<[String]>([])
        let app = Mutex<CameraApp?>(nil)
        let observer = ScriptedObserver { index in
            guard index == 4 else { return }
            app.withLock { $0 }?.configure {
                $0.setCinematicVideoTrackingFocus(at: CGPoint(x: 0.95, y: 0.95), focusMode: .weak)
                $0.setCinematicVideoTrackingFocus(detectedObjectID: 99, focusMode: .weak)
            }
        }
        var environment = fakeEnvironment(detector: ScriptedDetector { _ in [left] }, observer: observer)
        environment.onDiagnostic = { message in said.withLock { $0.append(message) } }
        try inEnvironment(environment) {
            let running = try CameraApp()
            app.withLock { $0 = running }
            try running.run()
        }
        #expect(observer.all.allSatisfy { $0.state.subject == 1 })
        #expect(said.withLock { $0.count } == 2)
    }

    @Test("reports a dark scene on the device while cinematic capture is enabled")
    func darkScene() throws {
        let observer = ScriptedObserver()
        let environment = fakeEnvironment(source: CountingSource(count: 90, lux: { $0 < 5 ? 200 : 1 }), observer: observer)
        try inEnvironment(environment) {
            let app = try CameraApp()
            let changes = Mutex<[Int]>([])
            let observation = app.device.observe(\.cinematicVideoCaptureSceneMonitoringStatuses, options: [.new, .old]) { _, change in
                changes.withLock { $0.append(change.newValue?.count ?? -1) }
            }
            try app.run()
            #expect(changes.withLock { $0 } == [1])
            #expect(app.device.cinematicVideoCaptureSceneMonitoringStatuses == [.notEnoughLight])
            observation.invalidate()
        }
        #expect(observer.all.first?.notEnoughLight == false)
        #expect(observer.all.last?.notEnoughLight == true)
    }

    @Test("passes pictures through sharp while cinematic capture is off, without asking the lens")
    func plainCapture() throws {
        let renderer = GlassRenderer()
        let observer = ScriptedObserver()
        try inEnvironment(fakeEnvironment(detector: ScriptedDetector { _ in [left] }, renderer: renderer, observer: observer)) {
            let app = try CameraApp(isCinematic: false)
            try app.run()
            #expect(app.samples.count == 10)
            #expect(app.metadata.allSatisfy { $0.count == 1 && $0[0].cinematicVideoFocusMode == .none })
        }
        #expect(renderer.circles.withLock { $0.isEmpty })
        #expect(observer.all.allSatisfy { $0.fNumber == nil && $0.state.subject == nil })
    }

    @Test("makes a video delegate's request take effect on the next frame when in lock step")
    func lockStep() throws {
        let observer = ScriptedObserver()
        var environment = fakeEnvironment(detector: ScriptedDetector { _ in [left, right] }, observer: observer)
        environment.clock = .lockStep
        try inEnvironment(environment) {
            let app = try CameraApp()
            app.onSample = { [unowned app] sample in
                guard sample.presentationTimeStamp == CMTime(value: 4, timescale: 30) else { return }
                app.configure { $0.setCinematicVideoTrackingFocus(detectedObjectID: 2, focusMode: .strong) }
            }
            try app.run()
        }
        #expect(observer.all.map(\.state.subject) == Array(repeating: 1, count: 5) + Array(repeating: 2, count: 5))
    }
}
