import AVFCapture
import CoreMedia
import Pipeline

/// Number of packets, of uncompressed sound frames.
public typealias AVAudioPacketCount = UInt32

/// Frames that count at the beginning and the end of a conversion of rates.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// The output begins after the filter's reach, with what lies before it.
    case pre = 0
    /// The output begins with the first frame of the input, ahead of which silence lies; what the filter needs of later frames is waited for.
    case normal = 1
    /// The output comes as the input does, late by the filter's reach.
    case none = 2
}

/// Answer of the block that a converter asks for input.
public enum AVAudioConverterInputStatus: Int, Sendable {
    /// A buffer is returned.
    case haveData = 0
    /// There is nothing now; more will come.
    case noDataNow = 1
    /// There is nothing more.
    case endOfStream = 2
}

/// Result of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
    /// The buffer is full, or has the last frames of the stream.
    case haveData = 0
    /// The input had nothing now; the buffer has what could be converted.
    case inputRanDry = 1
    /// The stream is over; the buffer is empty.
    case endOfStream = 2
    /// It failed.
    case error = 3
}

/// Source of a converter's input, asked for a number of packets, of which it may return more or fewer, or nil with another status than `haveData`.
public typealias AVAudioConverterInputBlock = (
    _ inNumberOfPackets: AVAudioPacketCount, _ outStatus: UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// Converter of uncompressed sound: samples of 16, 24 and 32 bits and floats, interleaved or not, number of channels and rate. One thread at a time.
///
///     let converter = AVAudioConverter(from: microphone, to: speech)
///     var error: NSError?
///     let status = converter.convert(to: buffer, error: &error) { _, status in … }
///
/// At the end of the stream all frames come out that the input makes, its number times the rates' ratio, rounded up; `reset()` begins anew.
open class AVAudioConverter: NSObject {
    /// Format of what goes in.
    public let inputFormat: AVAudioFormat
    /// Format of what comes out.
    public let outputFormat: AVAudioFormat
    /// Number of the input's channel for each of the output, from 0; silence for -1. By default the channels of both are taken in order: what the input
    /// has more is left out, and what the output has more is silent.
    open var channelMap: [NSNumber]
    /// Whether channels are mixed where their numbers differ, unless the map was changed: several into one by their mean, one into each. Default false.
    open var downmix = false
    /// Whether noise is added ahead of rounding; kept, without effect.
    open var dither = false
    /// Care taken over rates, a number of `AVAudioQuality`; kept, as all is converted alike.
    open var sampleRateConverterQuality = AVAudioQuality.medium.rawValue
    /// Way to another rate, one of Apple's strings; kept, as all is converted alike.
    open var sampleRateConverterAlgorithm: String? = AVSampleRateConverterAlgorithm_Normal
    /// Frames that count at the beginning of the stream, set ahead of it or of `reset()`; default `.normal`.
    open var primeMethod = AVAudioConverterPrimeMethod.normal

    private let firstMap: [NSNumber]
    private var rates: RateConverter?
    private var isEnded = false

    /// Makes a converter; nil for compressed sound, unsigned samples, and widths other than 16, 24, 32 and, of floats, 64 bits.
    public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
        guard SampleCoding(fromFormat.streamDescription.pointee) != nil, SampleCoding(toFormat.streamDescription.pointee) != nil else { return nil }
        (inputFormat, outputFormat) = (fromFormat, toFormat)
        firstMap = (0..<Int(toFormat.channelCount)).map { NSNumber(value: $0 < Int(fromFormat.channelCount) ? $0 : -1) }
        channelMap = firstMap
    }

    /// Begins anew: forgets what the filter holds back, and the end of the stream.
    open func reset() { (rates, isEnded) = (nil, false) }

    /// Converts a whole buffer between formats of the same rate. Throws the code -50 for different rates, buffers of other formats, and an output that is
    /// smaller.
    open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
        guard inputFormat.sampleRate == outputFormat.sampleRate, inputFormat.holds(inputBuffer), outputFormat.holds(outputBuffer),
            outputBuffer.frameCapacity >= inputBuffer.frameLength
        else { throw AVAudioSession.ErrorCode.badParam.error }
        outputBuffer.frameLength = inputBuffer.frameLength
        for (channel, samples) in mapped(inputBuffer).enumerated() { outputBuffer.store(samples, in: channel, from: 0) }
    }

    /// Converts until the output buffer is full or the input has no more, and asks the block for it as often as needed.
    @discardableResult
    open func convert(
        to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer, withInputFrom inputBlock: AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus {
        guard let output = outputBuffer as? AVAudioPCMBuffer, outputFormat.holds(output) else { return fail(outError) }
        var rates =
            rates
            ?? RateConverter(
                from: inputFormat.sampleRate, to: outputFormat.sampleRate, channels: Int(outputFormat.channelCount), priming: priming)
        // Held once, so that nothing is copied.
        self.rates = nil
        defer { self.rates = rates }
        let capacity = Int(output.frameCapacity)
        var length = 0
        while true {
            let made = rates.take(min(rates.available, capacity - length))
            output.frameLength = AVAudioFrameCount(length + (made.first?.count ?? 0))
            for (channel, samples) in made.enumerated() { output.store(samples, in: channel, from: length) }
            length = Int(output.frameLength)
            if length == capacity { return .haveData }
            if isEnded { return length > 0 ? .haveData : .endOfStream }
            var status = AVAudioConverterInputStatus.haveData
            let input = inputBlock(AVAudioPacketCount(rates.needed(for: capacity - length)), &status)
            switch status {
            case .haveData:
                guard let input else { return .inputRanDry }
                guard let input = input as? AVAudioPCMBuffer, inputFormat.holds(input) else { return fail(outError) }
                guard input.frameLength > 0 else { return .inputRanDry }
                rates.append(mapped(input))
            case .noDataNow: return .inputRanDry
            case .endOfStream:
                isEnded = true
                rates.end()
            }
        }
    }

    private var priming: RateConverter.Priming {
        switch primeMethod {
        case .pre: .lead
        case .normal: .none
        case .none: .delay
        }
    }

    /// Samples of a buffer by the output's channels.
    private func mapped(_ buffer: AVAudioPCMBuffer) -> [[Double]] {
        let count = Int(outputFormat.channelCount)
        let channels = (0..<Int(inputFormat.channelCount)).map(buffer.samples)
        if downmix, channelMap == firstMap, channels.count != count {
            if count == 1 { return [(0..<Int(buffer.frameLength)).map { frame in channels.reduce(0) { $0 + $1[frame] } / Double(channels.count) }] }
            if channels.count == 1 { return Array(repeating: channels[0], count: count) }
        }
        let silence = [Double](repeating: 0, count: Int(buffer.frameLength))
        return (0..<count).map { channel in
            let source = channel < channelMap.count ? channelMap[channel].intValue : -1
            return channels.indices.contains(source) ? channels[source] : silence
        }
    }

    private func fail(_ error: NSErrorPointer) -> AVAudioConverterOutputStatus {
        error?.pointee = AVAudioSession.ErrorCode.badParam.error
        return .error
    }
}

extension AVAudioFormat {
    /// Whether a buffer has this format, whatever the places of its channels.
    func holds(_ buffer: AVAudioPCMBuffer) -> Bool {
        let (own, other) = (streamDescription.pointee, buffer.format.streamDescription.pointee)
        return own.mSampleRate == other.mSampleRate && own.mChannelsPerFrame == other.mChannelsPerFrame
            && SampleCoding(own) == SampleCoding(other) && (isInterleaved == buffer.format.isInterleaved || channelCount == 1)
    }
}
