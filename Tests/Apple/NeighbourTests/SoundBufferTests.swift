import AVFAudio
import Testing

@Suite("Sound in memory")
struct SoundBufferTests {
    @Test("has a format that tells its layout")
    func formats() throws {
        let standard = try #require(AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 2))
        #expect(standard.isStandard && standard.channelCount == 2 && standard.streamDescription.pointee.mBytesPerFrame == 4)
        let shared = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44100, channels: 2, interleaved: true))
        #expect(!shared.isStandard && shared.commonFormat == .pcmFormatInt16 && shared.streamDescription.pointee.mBytesPerFrame == 4)
        #expect(shared.settings[AVLinearPCMBitDepthKey] as? UInt32 == 16 && shared != standard)
        #expect(AVAudioFormat(cmAudioFormatDescription: standard.formatDescription) == standard)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 3) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 0, channels: 1) == nil)
    }

    @Test("is reached channel by channel, apart and interleaved")
    func buffers() throws {
        let standard = try #require(AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: standard, frameCapacity: 4))
        #expect(buffer.frameLength == 0 && buffer.stride == 1 && buffer.int16ChannelData == nil)
        buffer.frameLength = 3
        let channels = try #require(buffer.floatChannelData)
        for frame in 0..<3 { (channels[0][frame], channels[1][frame]) = (Float(frame), -Float(frame)) }
        let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        #expect(list.count == 2 && list[1].mDataByteSize == 12 && list[1].mData?.load(fromByteOffset: 8, as: Float.self) == -2)
        let mixed = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48000, channels: 2, interleaved: true))
        let pairs = try #require(AVAudioPCMBuffer(pcmFormat: mixed, frameCapacity: 2))
        pairs.frameLength = 2
        let samples = try #require(pairs.int16ChannelData)
        samples[1][pairs.stride] = 7
        #expect(pairs.audioBufferList.pointee.mNumberBuffers == 1 && pairs.audioBufferList.pointee.mBuffers.mDataByteSize == 8)
        #expect(pairs.audioBufferList.pointee.mBuffers.mData?.load(fromByteOffset: 6, as: Int16.self) == 7)
    }
}
