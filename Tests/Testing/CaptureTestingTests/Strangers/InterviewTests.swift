import AVFoundation
import CaptureTesting
import Foundation
import TestSupport
import Testing

@Suite("A camera of interviews as a stranger writes it")
struct InterviewTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func start(_ phone: TestPhone) async throws -> InterviewCamera {
        let camera = InterviewCamera()
        try await camera.setUp()
        await camera.start()
        return camera
    }

    @Test("mixes both into one movie with sound, swaps them, and goes on while the corner's camera takes another format")
    func mixed() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = try await start(phone)
            #expect(camera.devices.allSatisfy { $0.activeFormat.isMultiCamSupported } && camera.session.hardwareCost <= 1)
            #expect(camera.layers.allSatisfy { $0.isPreviewing })
            await phone.step(frames: 2)
            try await camera.begin(scratch.url.appending(path: "interview.mov"))
            await phone.step(frames: 10)
            #expect(camera.mixedCount == 10)
            let before = camera.devices.map { $0.activeFormat.formatDescription.dimensions.width }
            await camera.shrinkCorner()
            let after = camera.devices.map { $0.activeFormat.formatDescription.dimensions.width }
            #expect(after[0] == before[0] && after[1] < before[1])
            await phone.step(frames: 10)
            #expect(camera.mixedCount == 20, "the guest's pictures go on")
            camera.swap()
            await phone.step(frames: 10)
            #expect(await camera.end() == .completed)
            let movie = try #require(phone.movies.last)
            #expect(movie.times.count == 30 && abs(movie.soundDuration - 1) < 0.05)
            #expect(zip(movie.times, movie.times.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 1.0 / 30) < 1e-6 })
            await camera.stop()
            // The corner's camera alone has a gap.
            #expect(camera.events == ["runs", "lost 2 CameraModeSwitch", "movie 2", "stands"])
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("ends the movie whole at a call of the phone, shows both after it, and heat slows the one that is hot")
    func interrupted() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = try await start(phone)
            try await camera.begin(scratch.url.appending(path: "interview.mov"))
            await phone.step(frames: 6)
            phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            try await phone.until(within: .seconds(1)) { camera.events.contains("movie 2") }
            #expect(camera.layers.allSatisfy { !$0.isPreviewing } && camera.events.contains("interrupted 3"))
            phone.conditions.endInterruption()
            await phone.step(frames: 2)
            #expect(camera.events.suffix(2) == ["back", "runs"] && camera.layers.allSatisfy { $0.isPreviewing })
            let movie = try #require(phone.movies.last)
            #expect(movie.times.count == camera.mixedCount && movie.times.count >= 5)
            phone.conditions.setPressure(.serious, of: camera.devices[1].uniqueID)
            try await phone.until(within: .seconds(1)) { abs(camera.rates[1] - 15) < 1e-6 }
            #expect(abs(camera.rates[0] - 30) < 1e-6)
            try await camera.begin(scratch.url.appending(path: "second.mov"))
            let count = camera.mixedCount
            await phone.step(frames: 10)
            #expect(camera.mixedCount == count + 10, "a slow corner does not slow the movie")
            #expect(await camera.end() == .completed)
            await camera.stop()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("is not there on a phone of one camera at a time")
    func older() async throws {
        try await withTestPhone(showing: .mayaBeforeOneCamera) { phone in
            await #expect(throws: InterviewCamera.Trouble.notSupported) { try await InterviewCamera().setUp() }
            #expect(phone.violations.isEmpty)
        }
    }
}
