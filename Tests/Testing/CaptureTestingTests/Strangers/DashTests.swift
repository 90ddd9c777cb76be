import AVFoundation
import CaptureTesting
import Foundation
import TestSupport
import Testing

@Suite("A dash camera as a stranger writes it")
struct DashTests {
    @Test("clips overlap, the oldest go, those around a crash stay, and a call of the phone leaves whole files")
    func dash() async throws {
        let scratch = try Scratch()
        let folder = scratch.url
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let dash = DashCamera(folder: folder, length: 2, overlap: 0.5, most: 2)
            try await dash.start()
            await phone.step(for: .seconds(7))
            // Begun at 0, 1.5, 3 and 4.5 s; that of 4.5 s ended at 6.5, and is finished beside the frames.
            try await phone.until(within: .zero) { dash.clips.last?.url.lastPathComponent == "clip-004.mp4" }
            #expect(dash.clips.map { $0.url.lastPathComponent } == ["clip-003.mp4", "clip-004.mp4"] && dash.clips.allSatisfy { $0.seconds == 2 })
            let third = try #require(phone.movies.dropFirst(2).first)
            #expect(third.isFinished && third.times.count == 60 && abs(third.soundDuration - 2) < 0.04)
            #expect(zip(third.times, third.times.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 1.0 / 30) < 1e-6 } && third.times[0] == .zero)
            dash.save()
            await phone.step(for: .seconds(2))
            phone.conditions.interrupt(.videoDeviceNotAvailableWithMultipleForegroundApps)
            await phone.step(for: .seconds(1))
            phone.conditions.endInterruption()
            await phone.step(for: .seconds(3))
            await dash.stop()
            #expect(dash.history == ["interrupted 4", "resumed"] && dash.errors.isEmpty)
            let saved = dash.clips.filter(\.isSaved).map { $0.url.lastPathComponent }
            #expect(saved == ["clip-004.mp4", "clip-005.mp4"] && dash.clips.count == 4)
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == Set(dash.clips.map { $0.url.lastPathComponent }))
            #expect(phone.movies.allSatisfy(\.isFinished) && phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a folder that is gone is told as an error of each clip, and the camera runs on")
    func gone() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let scratch = try Scratch()
            let dash = DashCamera(folder: scratch.url.appending(path: "nowhere"), length: 1, overlap: 0.5, most: 2)
            try await dash.start()
            await phone.step(for: .seconds(2))
            await dash.stop()
            #expect(dash.clips.isEmpty && !dash.errors.isEmpty && dash.errors.allSatisfy { $0 is AVError })
            #expect(phone.violations.isEmpty)
        }
    }
}
