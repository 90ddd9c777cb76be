extension AVAudioConverter {
    /// Converter of a microphone's sound, that of one channel into each; nil as `init(from:to:)`.
    convenience init?(fromMicrophone format: AVAudioFormat, to other: AVAudioFormat) {
        self.init(from: format, to: other)
        if format.channelCount == 1 { channelMap = Array(repeating: 0, count: Int(other.channelCount)) }
    }

    /// Hands on what comes out of a buffer of the input, in one buffer; nil ends the stream.
    func convert(_ buffer: AVAudioPCMBuffer?, into receiver: (AVAudioPCMBuffer) throws -> Void) rethrows {
        var input = buffer
        // Room for a frame more, so that the last that can be made is not the last that fits.
        let capacity = buffer.map { AVAudioFrameCount((Double($0.frameLength) * outputFormat.sampleRate / inputFormat.sampleRate).rounded(.up)) + 1 }
        var status = AVAudioConverterOutputStatus.haveData
        while status == .haveData {
            guard let output = AVAudioPCMBuffer(pcmFormat: outputFormat, frameCapacity: capacity ?? 4096) else { return }
            status = convert(to: output, error: nil) { _, status in
                defer { input = nil }
                status.pointee = input != nil ? .haveData : buffer == nil ? .endOfStream : .noDataNow
                return input
            }
            if output.frameLength > 0 { try receiver(output) }
        }
    }
}
