import AVFoundation
import CaptureTesting
import Cinematic
import CinematicClient
import Foundation
import Photos
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("An app's cinema on a test's phone that writes files")
struct CinemaRoomTests {
    private static let text = """
        scenario: Two people
        clip: {source: synthetic, size: 128x72, fps: 30, length: 300f, seed: 3}
        device: {aperture: f/2, focalLength: 60mm}
        subjects:
          maya: {kind: face, box: [0.20, 0.25, 0.15, 0.35], depth: 1.5m, sound: {tone: 440Hz, level: -12dB}}
          tom: {kind: face, box: [0.65, 0.30, 0.10, 0.25], depth: 4m}
        """

    @Test("films a take, keeps it, lists it, opens it, changes who is in focus, and cuts it without coding it anew")
    @MainActor
    func cinema() async throws {
        let scratch = try Scratch()
        let folder = scratch.url.appending(path: "library")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var stage = try TestStage(scenario: Self.text)
        stage.paintsPictures = true
        stage.equip = { $0.writingFiles() }
        try await PhotoLibraryFolder.$current.withValue(PhotoLibraryFolder(at: folder)) {
            try await withTestPhone(showing: stage) { phone in
                let room = CinemaRoom()
                try await room.open(aperture: 2.8)
                await phone.step(frames: 10)
                room.film(to: scratch.url.appending(path: "take.mov"))
                await phone.step(frames: 12)
                try room.focus(at: CGPoint(x: 0.7, y: 0.42))
                await phone.step(frames: 28)
                let take = try await phone.result { try await room.cut() }
                #expect(phone.movies.last?.isFinished == true && abs((phone.movies.last?.times.count ?? 0) - 40) <= 1)
                #expect(room.subjects.count >= 2)

                try await room.keep(take)
                #expect(!FileManager.default.fileExists(atPath: take.path))
                let reel = try #require(room.reels.first)
                #expect(room.reels.count == 1 && room.countOfAlbum == 1)
                #expect(reel.size == CGSize(width: 128, height: 72) && abs(reel.length - 40.0 / 30) < 0.06)

                try await room.edit(reel)
                let script = try #require(room.script)
                let frames = script.frames(in: script.timeRange)
                #expect(script.fNumber == 2.8 && frames.count == phone.movies.last?.times.count)
                // Maya, and Tom from the tap on.
                #expect(script.userDecisions(in: script.timeRange).count == 1)
                #expect(abs(frames[0].focusDisparity - 1 / 1.5) < 0.01 && abs(frames[frames.count - 1].focusDisparity - 0.25) < 0.01)
                let maya = try #require(frames[30].allDetections.firstIndex { $0.normalizedRect.midX < 0.5 })
                #expect(room.focus(onSubject: maya, from: frames[30].time))
                #expect(script.frames(in: script.timeRange).last.map { abs($0.focusDisparity - 1 / 1.5) < 0.01 } == true)

                let part = CMTimeRange(start: frames[8].time, end: script.timeRange.end)
                let url = scratch.url.appending(path: "part.mov")
                let changes = try await room.trim(to: part, as: url)
                let cut = try await CNScript(asset: AVURLAsset(url: url), changes: changes)
                #expect(
                    cut.frames(in: cut.timeRange).map(\.focusDisparity) == script.frames(in: part).map(\.focusDisparity))
                #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
            }
        }
    }
}
