internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// Converter of sound to another sample rate, by libswresample, with the samples at their times: the filter's delay is made up for.
final class SoundResampler: SoundConverter {
    private var context: OpaquePointer?
    private let path: String
    private let source: Int
    private let target: Int
    private let layout: Sound.Layout
    /// Time of the next sample that is to come in, and of the next that goes out; nil at the start of a stretch.
    private var times: (input: CMTime, output: CMTime)?

    /// - Parameter path: of the movie, for errors.
    init(from source: Int, to target: Int, layout: Sound.Layout, path: String) throws(MediaError) {
        (self.source, self.target, self.layout, self.path) = (source, target, layout, path)
        FFmpeg.silence()
        var channels = AVChannelLayout()
        av_channel_layout_default(&channels, Int32(layout.channelCount))
        var same = channels
        let made = swr_alloc_set_opts2(
            &context, &channels, AV_SAMPLE_FMT_FLT, Int32(clamping: target), &same, AV_SAMPLE_FMT_FLT, Int32(clamping: source), 0, nil)
        guard made >= 0, context != nil, swr_init(context) >= 0 else {
            swr_free(&context)
            throw MediaError(code: .unsupported, path: path, reason: "sound of \(source) Hz cannot be brought to \(target) Hz")
        }
    }

    deinit { swr_free(&context) }

    /// Whether it converts sound of this rate and layout.
    func takes(_ sound: Sound) -> Bool { sound.sampleRate == source && sound.layout == layout }

    /// Converts sound that follows the one before; of a gap of a sample or more the end of the one before comes first.
    func convert(_ sound: Sound) throws(MediaError) -> [Sound] {
        var converted: [Sound] = []
        if let times, CMTimeAbsoluteValue(sound.presentationTime - times.input).seconds * Double(source) >= 1 { converted += try finish() }
        let start = times?.output ?? sound.presentationTime
        let samples = try run(sound.samples)
        times = (sound.presentationTime + sound.duration, start + Sound.time(of: Int64(samples.count / layout.channelCount), sampleRate: target))
        return converted + [made(samples, at: start)].filter { $0.sampleCount > 0 }
    }

    /// Returns what the filter holds back, and begins anew.
    func finish() throws(MediaError) -> [Sound] {
        guard let start = times?.output else { return [] }
        times = nil
        let rest = try run(nil)
        guard swr_init(context) >= 0 else { throw FFmpeg.outOfMemory(path) }
        return [made(rest, at: start)].filter { $0.sampleCount > 0 }
    }

    private func made(_ samples: [Float], at time: CMTime) -> Sound {
        Sound(presentationTime: time, sampleRate: target, layout: layout, samples: samples)
    }

    /// Interleaved samples, or nil at the end.
    private func run(_ samples: [Float]?) throws(MediaError) -> [Float] {
        let channels = layout.channelCount
        let count = Int32((samples?.count ?? 0) / channels)
        let room = Int(swr_get_out_samples(context, count)) + 64
        var output = [Float](repeating: 0, count: room * channels)
        let made = output.withUnsafeMutableBytes { output in
            var to: UnsafeMutablePointer<UInt8>? = output.bindMemory(to: UInt8.self).baseAddress
            guard let samples else { return swr_convert(context, &to, Int32(room), nil, 0) }
            return samples.withUnsafeBytes { input in
                var from: UnsafePointer<UInt8>? = input.bindMemory(to: UInt8.self).baseAddress
                return swr_convert(context, &to, Int32(room), &from, count)
            }
        }
        guard made >= 0 else {
            throw MediaError(
                code: .encodingFailed, path: path, reason: "its sound cannot be brought to \(target) Hz", underlying: made,
                underlyingText: FFmpeg.text(made))
        }
        return Array(output.prefix(Int(made) * channels))
    }
}
