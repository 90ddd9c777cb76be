import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Captures that overlap, end early or lose their camera")
struct MomentTests {
    private let stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 2))

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let scratch = try Scratch()
        let folder = scratch.url
        try await body(folder)
    }

    private func withMoments(defersPhotos: Bool = false, _ body: (TestPhone, MomentCamera) async throws -> Void) async throws {
        var stage = stage
        stage.defersPhotos = defersPhotos
        try await withFolder { folder in
            try await withTestPhone(showing: stage) { phone in
                let camera = MomentCamera(folder: folder)
                try await camera.start()
                await phone.step(for: .seconds(2))
                try await body(phone, camera)
                #expect(phone.violations.isEmpty)
            }
        }
    }

    @Test("a photo is live")
    func live() async throws {
        try await withMoments { phone, camera in
            let moment = try await phone.result { try await camera.take() }
            #expect(moment.picture.starts(with: [0xFF, 0xD8]) && moment.movie != nil && moment.instant.seconds == 1.5)
            #expect(phone.movies.count == 1 && phone.diagnostics.isEmpty)
            try await phone.until(within: .zero) { await camera.recordingCount == 0 }
        }
    }

    @Test("a photo that is processed later comes as a proxy, with its movie", arguments: [false, true])
    func proxy(isDeferred: Bool) async throws {
        try await withMoments(defersPhotos: isDeferred) { phone, camera in
            let moment = try await phone.result { try await camera.take() }
            #expect(moment.isProxy == isDeferred && moment.picture.starts(with: [0xFF, 0xD8]) && moment.movie != nil)
            try await camera.turn(to: .front)
            #expect(camera.output.isAutoDeferredPhotoDeliveryEnabled == isDeferred)
        }
    }

    @Test("two at once have movies that overlap")
    func pair() async throws {
        try await withMoments { phone, camera in
            let first = Task { try await camera.take() }
            try await phone.until(within: .seconds(1)) { await camera.recordingCount == 1 }
            let second = Task { try await camera.take() }
            try await phone.until(within: .seconds(1)) { await camera.recordingCount == 2 }
            let moments = try await phone.result { (try await first.value, try await second.value) }
            #expect(moments.0.number != moments.1.number && moments.0.movie != moments.1.movie)
            #expect(phone.movies.map(\.times.count) == [91, 91])
        }
    }

    @Test("one that is given up leaves the camera ready for the next")
    func cancelled() async throws {
        try await withMoments { phone, camera in
            let task = Task { try await camera.take() }
            try await phone.until(within: .seconds(1)) { await camera.recordingCount == 1 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(await camera.abandonedCount == 1)
            let next = try await phone.result { try await camera.take() }
            #expect(next.movie != nil)
            #expect(camera.output.captureReadiness == .ready)
            // Before it is asked for, too.
            let early = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await camera.take()
            }
            await #expect(throws: CancellationError.self) { try await early.value }
        }
    }

    @Test("one whose camera is changed has a shorter movie, and the next is live again")
    func turned() async throws {
        try await withMoments { phone, camera in
            let task = Task { try await camera.take() }
            try await phone.until(within: .seconds(1)) { await camera.recordingCount == 1 }
            try await camera.turn(to: .front)
            let moment = try await phone.result { try await task.value }
            #expect(moment.movie != nil)
            let next = try await phone.result { try await camera.take() }
            #expect(next.movie != nil)
        }
    }

    @Test("one on its way when a call comes fails, and the next succeeds after it")
    func call() async throws {
        try await withMoments { phone, camera in
            let task = Task { try await camera.take() }
            try await phone.until(within: .zero) { camera.output.captureReadiness != .ready }
            phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            await #expect(throws: AVError.self) { try await phone.result { try await task.value } }
            phone.conditions.endInterruption()
            await phone.step(for: .seconds(2))
            let next = try await phone.result { try await camera.take() }
            #expect(next.movie != nil)
        }
    }

    private func withNews(_ body: (TestPhone, NewsCamera) async throws -> Void) async throws {
        try await withFolder { folder in
            try await withTestPhone(showing: stage) { phone in
                let camera = NewsCamera(folder: folder)
                camera.start()
                try await phone.until(within: .seconds(1)) { camera.session.isRunning }
                try await body(phone, camera)
                #expect(phone.violations.isEmpty)
            }
        }
    }

    @Test("a photo whose delegate is gone calls nobody, and says so")
    func gone() async throws {
        try await withNews { phone, camera in
            weak var taker: PhotoTaker?
            do {
                let forgotten = PhotoTaker { _ in Issue.record("nobody holds it") }
                taker = forgotten
                camera.photoOutput.capturePhoto(with: AVCapturePhotoSettings(), delegate: forgotten)
            }
            #expect(taker == nil)
            await phone.step(frames: 2)
            try await phone.until(within: .zero) { camera.photoOutput.captureReadiness == .ready }
            #expect(phone.diagnostics.map { $0.contains("its delegate is gone") } == [true])
        }
    }

    @Test("a film goes on over changes of the camera, in a file each")
    func film() async throws {
        try await withNews { phone, camera in
            camera.film()
            try await phone.until(within: .seconds(1)) { camera.startedClips == 1 }
            await phone.step(frames: 30)
            camera.turnAround()
            try await phone.until(within: .seconds(1)) { camera.startedClips == 2 }
            camera.shoot()
            camera.shoot()
            await phone.step(frames: 30)
            camera.cut()
            try await phone.until(within: .seconds(1)) { camera.clips.count == 2 && camera.photos.count == 2 }
            #expect(phone.movies.count == 2 && phone.movies.allSatisfy { $0.times.count >= 31 && $0.isFinished })
            #expect(camera.clipErrors.map { ($0 as? AVError)?.code } == [.sessionConfigurationChanged])
        }
    }

    @Test("a film and a photo end with a call, and go on after it")
    func interrupted() async throws {
        try await withNews { phone, camera in
            camera.film()
            try await phone.until(within: .seconds(1)) { camera.startedClips == 1 }
            camera.shoot()
            try await phone.until(within: .zero) { camera.photoOutput.captureReadiness != .ready }
            phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            try await phone.until(within: .seconds(1)) { camera.photoErrors.count == 1 && camera.clips.count == 1 && camera.isInterrupted }
            phone.conditions.endInterruption()
            try await phone.until(within: .seconds(1)) { camera.startedClips == 2 }
            camera.shoot()
            try await phone.until(within: .seconds(1)) { camera.photos.count == 1 }
            camera.cut()
            try await phone.until(within: .seconds(1)) { camera.clips.count == 2 }
            #expect((camera.clipErrors + camera.photoErrors).map { ($0 as? AVError)?.code } == [.sessionWasInterrupted, .sessionWasInterrupted])
        }
    }
}
