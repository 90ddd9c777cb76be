import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A recorder of cinematic movies as a stranger writes it")
@MainActor
struct FilmTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func file(_ name: String) -> URL { scratch.url.appending(path: name) }

    @Test("pauses and goes on in one file, in chapters, and every call of the delegate comes in its order")
    func chapters() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = FilmCamera()
            try await camera.prepare()
            try await phone.expect(focus: "maya", mode: .weak, within: .seconds(1))
            camera.roll(to: file("film.mov"), title: "Maya")
            try await phone.until(within: .seconds(1)) { camera.stage == .rolling }
            camera.follow(at: CGPoint(x: 0.5, y: 0.5), strongly: true)
            await phone.step(frames: 29)
            try await phone.expect(focus: "maya", mode: .strong)
            camera.pause()
            try await phone.until(within: .seconds(1)) { camera.stage == .paused }
            #expect(camera.movieOutput.isRecording && camera.movieOutput.isRecordingPaused)
            await phone.step(frames: 40)
            camera.goOn()
            try await phone.until(within: .seconds(1)) { camera.stage == .rolling }
            await phone.step(frames: 30)
            camera.cut()
            try await phone.until(within: .seconds(1)) { camera.stage == .idle }
            #expect(camera.log == ["start 2", "pause", "resume", "will finish -", "finish -"])
            let film = try #require(camera.films.first)
            let movie = try #require(phone.movies.last)
            #expect(movie.isFinished && zip(movie.times, movie.times.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 1.0 / 30) < 1e-6 })
            #expect(film.chapters.count == 2 && film.chapters[0] == 0 && abs(film.chapters[1] - 1) < 0.05)
            #expect(abs(film.seconds - Double(movie.times.count) / 30) < 1e-6 && abs(movie.soundDuration - film.seconds) < 0.04)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("ends whole at its longest time, at its largest size and where the disk gets full, each with its reason")
    func limits() async throws {
        let free = Mutex<Int64>(10_000_000)
        var stage = TestStage.mayaWithTone
        stage.equip = { environment in
            var environment = environment
            environment.freeDiskSpace = { _ in free.withLock { $0 } }
            return environment
        }
        try await withTestPhone(showing: stage) { phone in
            let camera = FilmCamera()
            try await camera.prepare()
            await phone.step(frames: 2)
            camera.roll(to: file("long.mov"), limits: .init(seconds: 1))
            try await phone.until(within: .seconds(3)) { camera.films.count == 1 }
            #expect(camera.films[0].reason == .maximumDurationReached && camera.films[0].seconds == 1 && phone.movies[0].times.count == 30)
            camera.roll(to: file("large.mov"), limits: .init(bytes: 1020))
            try await phone.until(within: .seconds(3)) { camera.films.count == 2 }
            #expect(camera.films[1].reason == .maximumFileSizeReached && camera.movieOutput.recordedFileSize >= 1020)
            camera.roll(to: file("full.mov"), limits: .init(freeBytes: 5_000_000))
            try await phone.until(within: .seconds(1)) { camera.stage == .rolling }
            await phone.step(frames: 10)
            free.withLock { $0 = 4_000_000 }
            try await phone.until(within: .seconds(1)) { camera.films.count == 3 }
            #expect(camera.films[2].reason == .diskFull && camera.alert == nil)
            #expect(camera.log.count { $0.hasPrefix("finish") } == 3 && phone.movies.allSatisfy(\.isFinished))
            // There is no room to begin with.
            camera.roll(to: file("none.mov"), limits: .init(freeBytes: 5_000_000))
            try await phone.until(within: .seconds(1)) { camera.stage == .idle }
            #expect(camera.films.count == 3 && camera.alert != nil && !FileManager.default.fileExists(atPath: file("none.mov").path))
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a call of the phone ends a paused film whole, and darkness is told while it rolls")
    func interruption() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = FilmCamera()
            try await camera.prepare()
            await phone.step(frames: 2)
            camera.roll(to: file("call.mov"))
            try await phone.until(within: .seconds(1)) { camera.stage == .rolling }
            phone.setLight(1)
            try await phone.until(within: .seconds(2)) { camera.isTooDark }
            phone.setLight(200)
            try await phone.until(within: .seconds(3)) { !camera.isTooDark }
            camera.pause()
            try await phone.until(within: .seconds(1)) { camera.stage == .paused }
            phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            try await phone.until(within: .seconds(1)) { camera.stage == .idle }
            #expect(camera.films.count == 1 && camera.films[0].reason != nil)
            phone.conditions.endInterruption()
            await phone.step(frames: 2)
            // The name is taken.
            camera.roll(to: file("call.mov"))
            try await phone.until(within: .seconds(1)) { camera.stage == .idle }
            #expect(camera.log.last == "finish \(AVError.Code.fileAlreadyExists.rawValue)" && camera.alert != nil)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }
}
