import AVFCapture
import CoreMedia
import Pipeline

extension AVAudioPCMBuffer {
    /// Coding of the samples; nil for one that is not converted here.
    var coding: SampleCoding? { SampleCoding(format.streamDescription.pointee) }

    /// Calls with the place of each sample of a channel, in order.
    private func each(of channel: Int, from first: Int, count: Int, _ body: (Int, UnsafeMutableRawPointer) -> Void) {
        guard let size = coding?.size else { return }
        let isShared = format.isInterleaved
        guard let data = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)[isShared ? 0 : channel].mData else { return }
        let step = isShared ? Int(format.channelCount) * size : size
        let start = data + (isShared ? channel * size : 0)
        for index in 0..<count { body(index, start + (first + index) * step) }
    }

    /// Samples of a channel, full scale ±1.
    func samples(of channel: Int) -> [Double] {
        guard let coding else { return [] }
        var samples = [Double](repeating: 0, count: Int(frameLength))
        each(of: channel, from: 0, count: samples.count) { samples[$0] = coding.load($1) }
        return samples
    }

    /// Stores samples of a channel, full scale ±1, from a frame on; there is room for them.
    func store(_ samples: [Double], in channel: Int, from frame: Int) {
        guard let coding else { return }
        each(of: channel, from: frame, count: samples.count) { coding.store(samples[$0], at: $1) }
    }

    /// Copy of a sample buffer's uncompressed sound; nil for other media.
    convenience init?(_ sampleBuffer: CMSampleBuffer) {
        guard let description = sampleBuffer.formatDescription, description.audioStreamBasicDescription != nil else { return nil }
        let count = AVAudioFrameCount(sampleBuffer.numSamples)
        self.init(pcmFormat: AVAudioFormat(cmAudioFormatDescription: description), frameCapacity: count)
        frameLength = count
        guard (try? sampleBuffer.copyPCMData(into: UnsafeMutableAudioBufferListPointer(mutableAudioBufferList))) != nil else { return nil }
    }
}
