import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@Suite("The sound of a part of footage", .enabled(if: Probe.isInstalled, "ffmpeg is not installed"))
struct FootagePartSoundTests {
    /// Twenty seconds in which no two samples within a second are alike; `chunks` µs of pictures, then the same of sound, and so on.
    private func footage(_ path: String, chunks: Int?) throws {
        let interleaving = chunks.map { "-chunk_duration \($0) " } ?? ""
        try Probe.make(
            path,
            "-f lavfi -i testsrc2=s=64x36:r=25:d=20 -f lavfi -i aevalsrc=sin(2*PI*t*(200+40*t)):s=48000:d=20 -c:v libx264 -g 5 -c:a pcm_s16le "
                + interleaving)
    }

    /// Movie of `frames` pictures from `start` s on of a file, and its sound.
    private func sound(of path: String, from start: Double, frames: Int, to result: String) throws -> Sound {
        let footage = MovieFileWriter.Footage(path: path, start: CMTime(seconds: start, preferredTimescale: 25))
        let writer = try MovieFileWriter(
            path: result, movie: MovieDescription(width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 25)), footage: footage)
        let picture = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for index in 0..<frames { try writer.append(picture, at: CMTime(value: Int64(index), timescale: 25)) }
        try writer.finish()
        #expect(writer.remarks == [])
        return try SoundFile.read(result)
    }

    @Test(
        "is that of the whole file at that time, to the sample, however far apart sound and pictures lie in the file",
        arguments: ["a.mov", "a.mkv", "a.avi"], [nil, 1_000_000, 4_000_000])
    func part(name: String, chunks: Int?) throws {
        let scratch = try Scratch()
        try footage(scratch(name), chunks: chunks)
        let whole = try SoundFile.read(scratch(name)).samples
        for (index, start) in [0, 0.04, 7.96, 8.04, 11.2, 12, 13.52].enumerated() {
            let part = try sound(of: scratch(name), from: start, frames: 50, to: scratch("\(index).mov"))
            // Matroska's times are milliseconds.
            let (first, slack) = (Int((start * 48_000).rounded()), name == "a.mkv" ? 48 : 0)
            let offset = (-slack...slack).first { shift in
                first + shift >= 0 && part.samples.indices.allSatisfy { whole[first + shift + $0] == part.samples[$0] }
            }
            #expect(part.presentationTime == .zero && abs(part.sampleCount - 96_000) <= slack, "from \(start): \(part.sampleCount)")
            #expect(offset != nil, "from \(start)")
        }
    }
}
