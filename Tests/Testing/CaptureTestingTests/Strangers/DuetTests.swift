import AVFoundation
import CaptureTesting
import Foundation
import TestSupport
import Testing

@Suite("A camera of two at once as a stranger writes it")
struct DuetTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func start(_ phone: TestPhone) async throws -> DuetCamera {
        let camera = DuetCamera()
        try #require(await camera.start() == .ready)
        return camera
    }

    @Test("frames of both come side by side, each through its own connections, and both are shown")
    func both() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = try await start(phone)
            await phone.step(frames: 10)
            #expect(camera.counts == [10, 10] && camera.times[0] == camera.times[1])
            let costs = camera.costs
            #expect(costs.hardware > 0 && costs.hardware <= 1 && costs.pressure <= 1)
            #expect(camera.session.sessionPreset == .inputPriority && camera.session.isRunning)
            #expect(camera.backPreview.isPreviewing && camera.frontPreview.isPreviewing)
            #expect(camera.backPreview.connection?.isVideoMirrored == false && camera.frontPreview.connection?.isVideoMirrored == true)
            // Each layer converts with its own camera: the front's is mirrored.
            for layer in [camera.backPreview, camera.frontPreview] { layer.frame = CGRect(x: 0, y: 0, width: 390, height: 844) }
            let left = CGPoint(x: 95, y: 422)
            let back = camera.backPreview.captureDevicePointConverted(fromLayerPoint: left)
            let front = camera.frontPreview.captureDevicePointConverted(fromLayerPoint: left)
            #expect(abs(back.y + front.y - 1) < 1e-6 && abs(back.x - front.x) < 1e-6 && back != front)
            // One rests, and the other goes on.
            camera.setEnabled(false, .front)
            await phone.step(frames: 10)
            #expect(camera.counts == [20, 10])
            camera.setEnabled(true, .front)
            await phone.step(frames: 5)
            #expect(camera.counts == [25, 15])
            // Each camera has settings of its own.
            let (one, other) = (try #require(camera.camera(.back)), try #require(camera.camera(.front)))
            try one.lockForConfiguration()
            one.videoZoomFactor = 2
            one.unlockForConfiguration()
            #expect(one.videoZoomFactor == 2 && other.videoZoomFactor == 1)
            camera.stop()
            #expect(!camera.session.isRunning && !camera.backPreview.isPreviewing)
            #expect(phone.frameCount == 25 && phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a movie of each, with its sound, and one of both")
    func movies() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = try await start(phone)
            await phone.step(frames: 3)
            camera.recordEach(to: scratch.url)
            try await phone.until(within: .seconds(1)) { phone.movies.count == 2 }
            await phone.step(frames: 29)
            camera.stopEach()
            try await phone.until(within: .seconds(1)) { camera.finishedMovies.count == 2 }
            for movie in phone.movies {
                #expect(movie.isFinished && movie.times.count >= 29 && abs(movie.soundDuration - Double(movie.times.count) / 30) < 0.04)
            }
            camera.begin(to: scratch.url.appending(path: "both.mov"))
            await phone.step(frames: 20)
            camera.swap()
            await phone.step(frames: 10)
            #expect(await camera.end() == .completed)
            let movie = try #require(phone.movies.last)
            #expect((29...31).contains(movie.times.count) && movie.soundDuration > 0.9)
            camera.stop()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a movie of the one has its sound where the other, hot, brings fewer frames", arguments: 0..<4)
    func slowLead(offset: Int) async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = try await start(phone)
            phone.conditions.setPressure(.serious, of: try #require(camera.camera(.back)).uniqueID)
            _ = camera.costs
            await phone.step(frames: 4 + offset)
            camera.recordEach(to: scratch.url)
            try await phone.until(within: .seconds(1)) { phone.movies.count == 2 }
            await phone.step(frames: 20)
            camera.stopEach()
            try await phone.until(within: .seconds(1)) { camera.finishedMovies.count == 2 }
            let front = try #require(phone.movies.first { $0.url.lastPathComponent == "front.mov" })
            #expect(front.isFinished && front.times.count >= 19 && front.soundDuration > 0.5, "\(front.times.count), \(front.soundDuration) s")
            camera.stop()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    enum Change: CaseIterable { case removal, format }

    @Test("a movie of the one goes on, with its sound, where the other leaves or takes another format", arguments: Change.allCases)
    func change(_ change: Change) async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = try await start(phone)
            await phone.step(frames: 3)
            camera.recordEach(to: scratch.url)
            try await phone.until(within: .seconds(1)) { phone.movies.count == 2 }
            await phone.step(frames: 10)
            switch change {
            case .removal: camera.remove(.back)
            case .format: camera.shrink(.back)
            }
            await phone.step(frames: 20)
            let movies = try ["back", "front"].map { name in try #require(phone.movies.first { $0.url.lastPathComponent == "\(name).mov" }) }
            #expect(movies[0].isFinished && movies[0].times.count < 13 && !movies[1].isFinished)
            camera.stopEach()
            try await phone.until(within: .seconds(1)) { movies[1].isFinished }
            let (count, sound) = (movies[1].times.count, movies[1].soundDuration)
            #expect(count >= 30 && abs(sound - Double(count) / 30) < 0.04, "\(count), \(sound) s")
            camera.stop()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("heat makes one camera slower, and a call of the phone stops both until it is over")
    func conditions() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = try await start(phone)
            await phone.step(frames: 2)
            let cost = camera.costs.hardware
            phone.conditions.setPressure(.serious, of: try #require(camera.camera(.front)).uniqueID)
            _ = camera.costs
            await phone.step(frames: 30)
            let counts = camera.counts
            #expect(counts[0] == 32 && counts[1] < 20 && camera.costs.hardware < cost)
            phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            #expect(!camera.session.isRunning && camera.session.isInterrupted)
            await phone.step(frames: 5)
            #expect(camera.counts == counts)
            phone.conditions.endInterruption()
            await phone.step(frames: 5)
            #expect(camera.session.isRunning && camera.counts[0] == counts[0] + 5 && camera.counts[1] > counts[1])
            camera.stop()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("an older phone has one camera at a time")
    func older() async throws {
        try await withTestPhone(showing: .mayaBeforeOneCamera) { phone in
            #expect(await DuetCamera().start() == .notSupported)
            let search = AVCaptureDevice.DiscoverySession(
                deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .unspecified)
            #expect(search.supportedMultiCamDeviceSets.isEmpty && search.devices.allSatisfy { $0.formats.allSatisfy { !$0.isMultiCamSupported } })
            #expect(phone.violations.isEmpty)
        }
    }
}
