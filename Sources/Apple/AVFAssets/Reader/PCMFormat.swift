import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Linear PCM that sound is handed over as: 16-bit integers or 32-bit floats, interleaved or not.
struct PCMFormat {
    /// Channels.
    let layout: Sound.Layout
    /// Samples per second and channel.
    let sampleRate: Int
    private let isFloat: Bool
    private let isInterleaved: Bool
    private let description: CMFormatDescription

    /// Reads the settings of an output; what they leave open is as recorded, in 16-bit integers. Throws `AVError` for what cannot be made.
    init(_ settings: [String: Any], channels recorded: Int, sampleRate recordedRate: Int) throws(AVError) {
        func refusal(_ reason: String) -> AVError { AVError(.unsupportedOutputSettings, reason: reason) }
        if let format = NumberSetting.number(settings[AVFormatIDKey]), AudioFormatID(exactly: format) != kAudioFormatLinearPCM {
            throw refusal("sound is read as linear PCM, or as stored without any settings")
        }
        let rate = NumberSetting.number(settings[AVSampleRateKey]) ?? Double(recordedRate)
        guard let sampleRate = Int(exactly: rate), sampleRate == recordedRate || (8000...192_000).contains(sampleRate) else {
            throw refusal("sound is read at 8000 to 192000 Hz, not at \(Int(exactly: rate).map { "\($0)" } ?? "\(rate)") Hz")
        }
        self.sampleRate = sampleRate
        let channels = NumberSetting.number(settings[AVNumberOfChannelsKey]).map { Int(exactly: $0) ?? 0 } ?? recorded
        guard let layout = Sound.Layout.allCases.first(where: { $0.channelCount == channels }) else {
            throw refusal("sound is read with 1, 2 or 4 channels, not \(channels)")
        }
        isFloat = NumberSetting.number(settings[AVLinearPCMIsFloatKey]) == 1
        isInterleaved = NumberSetting.number(settings[AVLinearPCMIsNonInterleaved]) != 1
        let bits = NumberSetting.number(settings[AVLinearPCMBitDepthKey]).map { Int(exactly: $0) ?? 0 } ?? (isFloat ? 32 : 16)
        guard bits == (isFloat ? 32 : 16), NumberSetting.number(settings[AVLinearPCMIsBigEndianKey]) != 1 else {
            throw refusal("sound is read as little-endian integers of 16 bits or floats of 32")
        }
        self.layout = layout
        let stream = AudioStreamBasicDescription(
            packed: Float64(sampleRate), channels: UInt32(channels), bits: UInt32(bits), isFloat: isFloat, isBigEndian: false,
            isInterleaved: isInterleaved)
        guard
            let description = try? CMFormatDescription(
                audioStreamBasicDescription: stream, layout: AudioChannelLayout(mChannelLayoutTag: layout.tag))
        else { throw refusal("sound of \(sampleRate) Hz and \(channels) channels cannot be described") }
        self.description = description
    }

    /// Buffer of sound.
    func buffer(of sound: Sound) throws -> CMSampleBuffer {
        let mixed = sound.mixed(to: layout)
        let (count, channels) = (mixed.sampleCount, layout.channelCount)
        let data = try CMBlockBuffer(length: mixed.samples.count * (isFloat ? 4 : 2))
        try data.withUnsafeMutableBytes { bytes in
            for (index, value) in mixed.samples.enumerated() {
                let place = isInterleaved ? index : index % channels * count + index / channels
                if isFloat {
                    bytes.storeBytes(of: value, toByteOffset: 4 * place, as: Float.self)
                } else {
                    bytes.storeBytes(of: Int16(min(max((value * 32_768).rounded(), -32_768), 32_767)), toByteOffset: 2 * place, as: Int16.self)
                }
            }
        }
        return try CMSampleBuffer(
            dataBuffer: data, formatDescription: description, numSamples: count, presentationTimeStamp: mixed.presentationTime)
    }
}

extension Sound {
    /// Uncompressed sound of a buffer; nil for any other buffer.
    package init?(_ sample: CMSampleBuffer) {
        guard let stream = sample.formatDescription?.audioStreamBasicDescription, stream.mFormatID == kAudioFormatLinearPCM,
            let layout = Layout.allCases.first(where: { $0.channelCount == Int(stream.mChannelsPerFrame) }), sample.numSamples > 0,
            stream.mFormatFlags & kAudioFormatFlagIsBigEndian == 0
        else { return nil }
        let (count, channels) = (sample.numSamples, layout.channelCount)
        let isFloat = stream.mFormatFlags & kAudioFormatFlagIsFloat != 0
        let bits = Int(stream.mBitsPerChannel)
        guard isFloat ? bits == 32 : [16, 32].contains(bits) else { return nil }
        var samples = [Float](repeating: 0, count: count * channels)
        let read: Void? = try? sample.withAudioBufferList { buffers, _ in
            for channel in 0..<channels {
                let isApart = buffers.count > 1
                guard let data = buffers[isApart ? channel : 0].mData else { continue }
                let (first, step) = isApart ? (0, 1) : (channel, channels)
                for index in 0..<count {
                    let place = first + index * step
                    samples[index * channels + channel] =
                        if isFloat {
                            data.loadUnaligned(fromByteOffset: 4 * place, as: Float.self)
                        } else if bits == 16 {
                            Float(data.loadUnaligned(fromByteOffset: 2 * place, as: Int16.self)) / 0x1p15
                        } else {
                            Float(data.loadUnaligned(fromByteOffset: 4 * place, as: Int32.self)) / 0x1p31
                        }
                }
            }
        }
        guard read != nil, let rate = Int(exactly: stream.mSampleRate.rounded()), rate > 0 else { return nil }
        self.init(presentationTime: sample.presentationTimeStamp, sampleRate: rate, layout: layout, samples: samples)
    }
}
