import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Microphone of a running session: stretches of sound, each from where the last one ended.
final class Microphone: Sendable {
    let input: AVCaptureDeviceInput
    private let source: any SoundSource
    /// Sample after the last one captured.
    private let next = Mutex<Int64?>(nil)

    init(input: AVCaptureDeviceInput, source: any SoundSource) {
        self.input = input
        self.source = source
    }

    /// Sound of a frame: from the end of the last stretch, though frames be missing, to the end of this one.
    ///
    /// After more than a second without a frame, and where time goes back, it begins anew with the frame. Without a listener time
    /// passes and nothing is captured.
    func listen(from start: CMTime, to end: CMTime, hasListener: Bool) throws -> Sound? {
        let (first, last) = (Sound.sample(at: start, sampleRate: source.sampleRate), Sound.sample(at: end, sampleRate: source.sampleRate))
        let begin = next.withLock { next in
            defer { next = last }
            return next.flatMap { $0 >= first - Int64(source.sampleRate) && $0 <= last ? $0 : nil } ?? first
        }
        return hasListener ? try capture(begin..<max(begin, last)) : nil
    }

    /// Next sound without a camera, to the next full pace of the source; nil at the end.
    ///
    /// The first of a run begins at the source's now; the others where the last one ended, though time was passed over.
    func listen(isFirst: Bool) throws -> Sound? {
        let samples = next.withLock { next in
            let now = max(next ?? 0, source.now)
            let begin = isFirst ? now : next ?? now
            let end = min(Sound.sample(at: beat(after: now), sampleRate: source.sampleRate), source.sampleCount ?? .max)
            next = max(begin, end)
            return begin..<max(begin, end)
        }
        return samples.isEmpty ? nil : try capture(samples)
    }

    /// The first multiple of the pace with a later sample.
    private func beat(after sample: Int64) -> CMTime {
        let pace = source.pace
        let (scaled, scale) = (Int128(sample + 1) * Int128(pace.timescale), Int128(source.sampleRate) * Int128(pace.value))
        let beats = (scaled + scale - 1) / scale
        return CMTime(value: Int64(beats) * pace.value, timescale: pace.timescale)
    }

    /// No samples, where sound is yet to come.
    var nothing: Sound { .silence(0..<0, sampleRate: source.sampleRate, layout: .mono) }

    /// Samples of the source; silence where the user has not consented to the microphone.
    private func capture(_ samples: Range<Int64>) throws -> Sound {
        guard input.environment.conditions.authorization(for: .audio) == .authorized else {
            return .silence(samples, sampleRate: source.sampleRate, layout: .mono)
        }
        return try source.sound(of: samples)
    }
}

extension AVCaptureSession {
    /// Connections through which sound flows now.
    func openSoundConnections(of microphone: Microphone) -> [AVCaptureConnection] {
        state.withLock { $0.committed }.filter { $0.isOpen && $0.inputPorts.contains { $0.input === microphone.input } }
    }

    /// Sound of the session's microphone for a frame; nil without one, or while no connection lets its sound through.
    func captureSound(from start: CMTime, to end: CMTime) throws -> Sound? {
        guard let microphone = state.withLock({ $0.microphone }) else { return nil }
        return try microphone.listen(from: start, to: end, hasListener: !openSoundConnections(of: microphone).isEmpty)
    }

    /// Sound of a stretch for a file output, empty where none has come yet, as beside the first camera; nil without an open connection of sound.
    func sound(_ sound: Sound?, for output: AVCaptureFileOutput) -> Sound? {
        guard let microphone = state.withLock({ $0.microphone }) else { return nil }
        let connection = openSoundConnections(of: microphone).first { $0.output === output }
        return connection?.soundLayout.map((sound ?? microphone.nothing).mixed)
    }

    /// Writes a stretch to the file outputs of a session without a camera.
    func record(_ sound: Sound, by delivery: Delivery) {
        for case let output as AVCaptureFileOutput in soundOutputs where output.isRecording {
            if let mixed = self.sound(sound, for: output) { output.deliver(mixed, by: delivery) }
        }
    }

    /// Outputs that sound flows to now.
    var soundOutputs: [AVCaptureOutput] {
        guard let microphone = state.withLock({ $0.microphone }) else { return [] }
        return openSoundConnections(of: microphone).compactMap(\.output)
    }

    /// Hands a stretch to the audio data outputs, in each connection's layout, and measures its level.
    func deliver(_ sound: Sound, by delivery: Delivery) {
        guard let microphone = state.withLock({ $0.microphone }) else { return }
        for connection in openSoundConnections(of: microphone) {
            guard let layout = connection.soundLayout else { continue }
            let mixed = sound.mixed(to: layout)
            connection.measure(mixed)
            (connection.output as? AVCaptureAudioDataOutput)?.deliver(mixed, through: connection, by: delivery)
        }
    }
}
