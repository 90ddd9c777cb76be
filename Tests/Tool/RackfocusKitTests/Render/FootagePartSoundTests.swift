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

    /// Samples of a file's sound from its time zero on, as ffmpeg decodes them, in one channel.
    private func decoded(_ path: String, in scratch: Scratch) throws -> [Float] {
        try Probe.make(scratch("decoded.f32"), "-copyts -i \(path) -map 0:a -af aresample=async=1:first_pts=0 -ac 1 -c:a pcm_f32le -f f32le")
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: scratch("decoded.f32"))))
        return bytes.withUnsafeBytes { raw in (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) } }
    }

    @Test(
        "is that of the whole file at that time in every coding, copied or in one that the container takes",
        arguments: [
            ("flac -sample_fmt s16", "flac", "mov", "pcm_s16le"), ("flac", "flac", "mp4", "flac"),
            ("flac -sample_fmt s32", "flac", "mov", "pcm_s24le"),
            ("libopus -b:a 96k", "opus", "mov", "pcm_f32le"), ("truehd -strict -2", "truehd", "mov", "pcm_s24le"),
            ("truehd -strict -2", "truehd", "mp4", "alac"), ("wavpack", "wavpack", "mp4", "alac"), ("wavpack", "wavpack", "mov", "pcm_f32le"),
            ("pcm_f32le", "pcm_f32le", "mov", "pcm_f32le"), ("alac", "alac", "mkv", "pcm_s"), ("alac", "alac", "mp4", "alac"),
        ] as [(String, String, String, String)])
    func coding(make: String, from: String, container: String, to: String) throws {
        let scratch = try Scratch()
        try Probe.make(
            scratch("in.mkv"),
            "-f lavfi -i testsrc2=s=64x36:r=25:d=3 -f lavfi -i aevalsrc=0.5*sin(2*PI*t*(200+40*t)):s=48000:d=3 -c:v libx264 -g 5 -c:a \(make)")
        let output = scratch("out.\(container)")
        let writer = try MovieFileWriter(
            path: output, movie: MovieDescription(width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 25)),
            footage: .init(path: scratch("in.mkv"), start: CMTime(value: 17, timescale: 25)))
        let picture = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for index in 0..<24 { try writer.append(picture, at: CMTime(value: Int64(index), timescale: 25)) }
        try writer.finish()
        let sound = try #require(try Probe.report(output).sound.first)
        #expect(sound.codec_name?.hasPrefix(to) == true)
        #expect(writer.remarks.map { $0.contains("it became \(to)") } == (from == to ? [] : [true]), "\(writer.remarks)")
        let (whole, part) = (try decoded(scratch("in.mkv"), in: scratch), try decoded(output, in: scratch))
        // Copied sound goes on to the end of its last packet, which players cut off by the edit list.
        #expect((46_080 - 96...46_080 + (from == to ? 4700 : 96)).contains(part.count), "\(part.count)")
        // Its first picture is at 7 ms beside Opus, whose sound begins before zero.
        let pictureStart = try #require(try Probe.report(scratch("in.mkv")).video?.start_pts)
        let (first, count) = (17 * 1920 + 48 * Int(pictureStart), min(part.count, 46_080))
        func difference(_ shift: Int) -> Float { (0..<count).reduce(0) { max($0, abs(whole[first + shift + $1] - part[$1])) } }
        // Matroska's times are milliseconds.
        let least = (-48...48).map { ($0, difference($0)) }.min { $0.1 < $1.1 }
        #expect((least?.1 ?? 1) < (from == "opus" ? 0.02 : 1e-3), "\(String(describing: least))")
    }
}
