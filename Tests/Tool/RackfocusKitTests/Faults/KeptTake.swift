import CoreMedia
import Foundation
import Media
import Pipeline
import TestSupport

/// Playable part of a recording that came to an early end, after recovery where that is needed.
struct KeptTake {
    /// Of a cinematic movie those with disparity and metadata.
    let frames: Int
    /// Frames that can be read before recovery; 0 of a file that cannot be opened.
    let framesBefore: Int
    /// Of sound.
    let seconds: Double
    /// Values of its timed metadata.
    let places: [String]

    /// 0.3 s at 30 frames/s.
    static let framesThatMayBeLost = 9

    init(_ path: String, isCinematic: Bool = false, scratch: Scratch) throws {
        framesBefore = (try? Self.frames(of: path, isCinematic)) ?? 0
        var movie = path
        let recovered = scratch("recovered-\(UUID().uuidString).mov")
        defer { unlink(recovered) }
        do {
            _ = try MovieRecovery.recover(path, to: recovered)
            movie = recovered
        } catch let error as MediaError where error.reason.hasPrefix("holds no whole fragment") {
            // An ordinary movie, or nothing.
        }
        frames = try Self.frames(of: movie, isCinematic)
        seconds = try SoundFile.read(movie).duration.seconds
        places = try Self.places(in: movie)
    }

    private static func places(in movie: String) throws -> [String] {
        let reader = try MovieReader(path: movie)
        guard let track = reader.contents.tracks.first(where: { $0.kind == .foreignMetadata }) else { return [] }
        let samples = try reader.reader(of: track.number, in: track.timeRange, as: .stored)
        var values: [String] = []
        while let sample = try samples.next() {
            guard case .data(let data, _) = sample.content else { continue }
            values += MetadataKeyTable.values(in: data).map { String(decoding: $0.1, as: UTF8.self) }
        }
        return values
    }

    private static func frames(of movie: String, _ isCinematic: Bool) throws -> Int {
        let source: any FrameSource = isCinematic ? try CinematicFileSource(path: movie) : try VideoFileSource(path: movie)
        var count = 0
        while try source.nextFrame() != nil { count += 1 }
        return count
    }

    /// Frames that the recorder had written by its own count; 0 before the first.
    static func framesTaken(log: String) -> Int {
        guard let data = FileManager.default.contents(atPath: log), data.count == 8 else { return 0 }
        return data.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
    }
}
