import AVFoundation
import CaptureTesting
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing
import UIKit

@Suite("A camera as strangers write it")
struct StrangerShapeTests {
    private let stage = TestStage.mayaWithTone

    private final class Clips: ClipRecorderDelegate, @unchecked Sendable {
        let ended = Mutex<[(URL, TimeInterval)]>([])
        let failed = Mutex<[any Error]>([])
        func clipRecorder(_ recorder: ClipRecorder, didFinish clip: URL, duration: TimeInterval) { ended.withLock { $0.append((clip, duration)) } }
        func clipRecorder(_ recorder: ClipRecorder, didFail error: any Error) { failed.withLock { $0.append(error) } }
    }

    @Test("records clips of buffers on its own queue, and cuts a break out")
    func clips() async throws {
        let scratch = try Scratch()
        let url = scratch.url.appending(path: "clip.mp4")
        try await withTestPhone(showing: stage) { phone in
            let (recorder, clips) = (ClipRecorder(), Clips())
            recorder.delegate = clips
            let isReady = Mutex(false)
            recorder.prepare { error in
                #expect(error == nil)
                isReady.withLock { $0 = true }
            }
            try await phone.until(within: .seconds(1)) { isReady.withLock { $0 } }
            recorder.record(to: url)
            await phone.step(frames: 30)
            recorder.pause()
            await phone.step(frames: 20)
            recorder.resume()
            await phone.step(frames: 30)
            recorder.finish()
            try await phone.until(within: .seconds(1)) { !clips.ended.withLock { $0.isEmpty } || !clips.failed.withLock { $0.isEmpty } }
            #expect(clips.failed.withLock { $0.map { "\($0)" } } == [])
            let movie = try #require(phone.movies.last)
            #expect(movie.isFinished && movie.times.count == 60 && recorder.droppedFrames == 0)
            #expect(zip(movie.times, movie.times.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 1.0 / 30) < 1e-6 })
            #expect(abs(movie.soundDuration - 2) < 0.1)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("looks for codes within a window, tells each once, and lights the scene")
    func scanner() async throws {
        try await withTestPhone(showing: stage) { phone in
            let scanner = CodeScanner()
            scanner.preview.frame = CGRect(x: 0, y: 0, width: 390, height: 844)
            try scanner.start()
            await phone.step(frames: 2)
            scanner.limit(to: CGRect(x: 95, y: 322, width: 200, height: 200))
            let window = scanner.window
            #expect(abs(window.midX - 0.5) < 0.01 && abs(window.midY - 0.5) < 0.01 && window.width < window.height && window.width > 0.1)
            scanner.isTorchOn = true
            #expect(scanner.isTorchOn)
            scanner.isTorchOn = false
            var told: [(String, AVMetadataObject.ObjectType, [CGPoint])] = []
            scanner.onCode = { told.append(($0, $1, $2)) }
            // Beside the window, then within.
            let address = "https://example.org"
            phone.conditions.showCodes([.init(.qr, "beside", bounds: CGRect(x: 0.05, y: 0.05, width: 0.1, height: 0.1)), .init(.code39, "other")])
            await phone.step(frames: 2)
            #expect(told.isEmpty)
            phone.conditions.showCodes([.init(.qr, address)])
            await phone.step(frames: 3)
            phone.conditions.showCodes([])
            #expect(told.count == 1 && told[0].0 == address && told[0].1 == .qr)
            let middle = told[0].2.reduce(CGPoint.zero) { CGPoint(x: $0.x + $1.x / 4, y: $0.y + $1.y / 4) }
            #expect(abs(middle.x - 195) < 1 && abs(middle.y - 422) < 1)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("takes photos and films from an actor on the session's queue")
    func service() async throws {
        let scratch = try Scratch()
        let url = scratch.url.appending(path: "service.mov")
        try await withTestPhone(showing: stage) { phone in
            let service = StrangerService()
            try await service.start()
            await phone.step(frames: 2)
            try await service.focus(at: CGPoint(x: 0.5, y: 0.5))
            #expect(try await phone.result { try await service.capture() }.count > 1000)
            #expect(await service.angle == 90)
            try await service.setMode(.video)
            await service.record(to: url)
            await phone.step(for: .seconds(1))
            #expect(try await phone.result { try await service.stop() } == url)
            phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            await phone.step(frames: 2)
            for _ in 0..<100 where await !service.isInterrupted { await Task.yield() }
            #expect(await service.isInterrupted)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("shows frames through filters that it is given by name")
    func filters() async throws {
        var stage = stage
        stage.paintsPictures = true
        try await withTestPhone(showing: stage) { phone in
            let camera = FilterCamera()
            try camera.start()
            try await phone.until(within: .seconds(1)) { camera.picture != nil }
            #expect(camera.picture?.size == CGSize(width: 480, height: 640))
            var means: [Double] = []
            for look in FilterCamera.Look.allCases {
                camera.look = look
                await phone.step(frames: 2)
                let buffer = try #require(camera.buffer)
                #expect(CVPixelBufferGetWidth(buffer) == 480 && CVPixelBufferGetHeight(buffer) == 640)
                let row = try #require(CVPixelBufferGetBaseAddress(buffer)) + 320 * CVPixelBufferGetBytesPerRow(buffer)
                means.append((0..<480 * 4).reduce(0.0) { $0 + Double(row.load(fromByteOffset: $1, as: UInt8.self)) * Double($1 % 4 + 1) })
            }
            #expect(Set(means).count == means.count)
            #expect(camera.picture?.preparingThumbnail(of: CGSize(width: 64, height: 64))?.size == CGSize(width: 48, height: 64))
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("measures the middle of the picture, together with what is seen there")
    func depth() async throws {
        try await withTestPhone(showing: stage) { phone in
            let camera = DepthCamera()
            try camera.start()
            try await phone.until(within: .seconds(1)) { camera.readings.count >= 10 }
            let readings = camera.readings
            #expect(zip(readings, readings.dropFirst()).allSatisfy { abs(($1.time - $0.time).seconds - 1.0 / 30) < 1e-6 })
            #expect(readings.allSatisfy { abs($0.metres - 2) < 0.1 && $0.faces == 1 && $0.hasCalibration })
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("takes photos for a view that observes it, in the formats that the phone has, and in brackets")
    @MainActor
    func studio() async throws {
        try await withTestPhone(showing: .mayaBeforeOneCamera) { phone in
            let studio = StillStudio()
            let hasChanged = Mutex(false)
            withObservationTracking {
                _ = studio.shots.count
            } onChange: {
                hasChanged.withLock { $0 = true }
            }
            try await studio.start()
            await phone.step(frames: 2)
            #expect(studio.formats == [.heic, .jpeg] && studio.isReady)
            let heic = try await phone.result { try await studio.shoot(.raw) }
            #expect(!heic.isRaw && heic.exposure > 0 && hasChanged.withLock { $0 })
            // Held upright the picture is higher than wide, and its small one has that shape.
            let size = try #require(UIImage(data: heic.data)?.size)
            #expect(size.height > size.width)
            let small = try #require(heic.thumbnail?.size)
            #expect(small.height == 120 && small.width == 90)
            let bracket = try await phone.result { try await studio.bracket(by: 1) }
            #expect(bracket.count == 3 && abs(bracket[2].exposure / bracket[0].exposure - 4) < 0.1)
            try studio.use(.front)
            await phone.step(frames: 2)
            let front = try await phone.result { try await studio.shoot(.jpeg) }
            #expect(front.data.starts(with: [0xFF, 0xD8]) && studio.shots.count == 5 && studio.lens == .front)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }
}
