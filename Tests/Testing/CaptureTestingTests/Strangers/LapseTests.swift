import AVFoundation
import CaptureTesting
import Foundation
import ImageIO
import Synchronization
import TestSupport
import Testing

@Suite("A camera of intervals as a stranger writes it")
struct LapseTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func prepared() throws -> LapseCamera {
        let camera = LapseCamera(folder: scratch.url)
        camera.preset = .vga640x480
        try camera.prepare()
        return camera
    }

    private func exif(_ url: URL) throws -> [CFString: Any] {
        let source = try #require(CGImageSourceCreateWithURL(url as CFURL, nil))
        let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any])
        return try #require(properties[kCGImagePropertyExifDictionary] as? [CFString: Any])
    }

    @Test("takes a bracket every second, a movie of them beside, and holds the exposure of the first")
    func bracket() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = try prepared()
            await phone.step(frames: 3)
            let end = Mutex<Result<URL, LapseCamera.Trouble>?>(nil)
            camera.begin(.init(interval: 1, count: 4, exposure: .bracket(stops: [-2, 0, 2]))) { result in end.withLock { $0 = result } }
            try await phone.until(within: .seconds(2)) { camera.moments.count == 2 }
            // Darkness afterwards changes nothing.
            phone.setLight(20)
            try await phone.until(within: .seconds(6)) { end.withLock { $0 } != nil }
            let moments = camera.moments
            #expect(zip(moments, moments.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 1) < 0.02 })
            try await phone.until(within: .seconds(1)) { camera.photos.count == 12 }
            #expect(try scratch.names.filter { $0.hasSuffix("jpg") }.count == 12)
            let lights = try camera.photos.map { url in
                let exif = try exif(url)
                return try #require(exif[kCGImagePropertyExifExposureTime] as? Double)
                    * Double(try #require((exif[kCGImagePropertyExifISOSpeedRatings] as? [Int])?.first))
            }
            // Two stops apart.
            #expect(abs(lights[1] / lights[0] - 4) < 0.1 && abs(lights[2] / lights[1] - 4) < 0.1)
            #expect(camera.camera?.exposureMode == .locked && camera.camera?.whiteBalanceMode == .locked)
            let movie = try #require(phone.movies.last)
            #expect(movie.isFinished && movie.times == (0..<4).map { CMTime(value: $0, timescale: 30) } && camera.frameCount == 4)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("exposes each picture as it is told, and a single one as the light asks")
    func manual() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = try prepared()
            let end = Mutex<Result<URL, LapseCamera.Trouble>?>(nil)
            let steps = [LapseCamera.Step(seconds: 1.0 / 1000, iso: 100), .init(seconds: 1.0 / 50, iso: 400)]
            camera.begin(.init(interval: 0.5, count: 2, exposure: .manual(steps))) { result in end.withLock { $0 = result } }
            try await phone.until(within: .seconds(3)) { end.withLock { $0 } != nil }
            try await phone.until(within: .seconds(1)) { camera.photos.count == 4 }
            let times = try camera.photos.map { try exif($0)[kCGImagePropertyExifExposureTime] as? Double }
            #expect(times == [0.001, 0.02, 0.001, 0.02])
            end.withLock { $0 = nil }
            camera.begin(.init(interval: 0.5, count: 3)) { result in end.withLock { $0 = result } }
            try await phone.until(within: .seconds(3)) { end.withLock { $0 } != nil }
            #expect(camera.photos.count == 3 && phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("heat ends it with the movie so far")
    func heat() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = try prepared()
            let end = Mutex<Result<URL, LapseCamera.Trouble>?>(nil)
            camera.begin(.init(interval: 0.2, count: 100)) { result in end.withLock { $0 = result } }
            try await phone.until(within: .seconds(3)) { camera.moments.count == 5 }
            phone.conditions.setThermalState(.serious)
            try await phone.until(within: .seconds(1)) { end.withLock { $0 } != nil }
            #expect(throws: LapseCamera.Trouble.tooHot) { try end.withLock { try $0?.get() } }
            let count = camera.moments.count
            await phone.step(for: .seconds(1))
            #expect(camera.moments.count == count && phone.movies.last?.isFinished == true && phone.violations.isEmpty)
        }
    }
}
