import AVFoundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import AVFCapture

@Suite("An audio data output")
struct AudioOutputTests {
    @Test("delivers the sound of every frame on the queue given, gapless, as 16-bit numbers on the session's time")
    func delivers() throws {
        try inEnvironment(soundEnvironment()) {
            let app = try SoundApp()
            try app.run()
            let samples = app.samples()
            #expect(samples.map(\.numSamples) == [Int](repeating: 1600, count: 10))
            #expect(Set(app.heard.withLock { $0.map(\.queue) }) == ["sound app"])
            var next = CMTime.zero
            for sample in samples {
                #expect(sample.presentationTimeStamp == next)
                next = next + sample.duration
            }
            #expect(next == CMTime(value: 1, timescale: 3))
            let format = try #require(samples[0].formatDescription?.audioStreamBasicDescription)
            #expect(format.mSampleRate == 48_000 && format.mChannelsPerFrame == 1 && format.mBitsPerChannel == 16)
            #expect(format.mFormatFlags == kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked)
            #expect(try samples.flatMap { try $0.channel(0) } == (0..<16_000).map { Int16($0 % 100) * 256 })
        }
    }

    @Test("comes with the picture of its time, and at television's rate without drift")
    func order() throws {
        let source = CountingSource(count: 20)
        try inEnvironment(soundEnvironment(source: source)) {
            let app = try SoundApp()
            try app.run()
            let events = app.events.withLock { $0 }
            #expect(events.map(\.kind).joined() == String(repeating: "av", count: 20))
            for pair in stride(from: 0, to: 40, by: 2) { #expect(events[pair].time == events[pair + 1].time) }
        }
    }

    @Test("what frames are missing, no sound is")
    func missingFrames() throws {
        let voice = TestVoice()
        let microphone = try inEnvironment(soundEnvironment(voice)) {
            Microphone(input: try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .audio))), source: voice)
        }
        func frame(_ number: Int64) -> CMTime { CMTime(value: number * 1001, timescale: 30000) }
        func listen(_ number: Int64) throws -> Range<Int64> {
            let sound = try #require(try microphone.listen(from: frame(number), to: frame(number + 1), hasListener: true))
            return sound.presentationTime.value..<sound.presentationTime.value + Int64(sound.sampleCount)
        }
        #expect(try listen(0) == 0..<1601)
        #expect(try listen(4) == 1601..<8008, "three frames lost")
        #expect(try listen(5) == 8008..<9609)
        #expect(try microphone.listen(from: frame(6), to: frame(7), hasListener: false) == nil)
        #expect(try listen(7) == 11211..<12812, "what passed unheard stays unheard")
        #expect(try listen(100) == 160_160..<161_761, "after a long gap it begins anew")
        #expect(try listen(0) == 0..<1601, "and where time goes back")
    }

    @Test("hears in the microphone's mode", arguments: [AVCaptureMultichannelAudioMode.none, .stereo, .firstOrderAmbisonics])
    func modes(mode: AVCaptureMultichannelAudioMode) throws {
        let voice = TestVoice(layout: .firstOrderAmbisonics) { _ in 0.5 }
        try inEnvironment(soundEnvironment(voice, source: CountingSource(count: 2))) {
            let app = try SoundApp(mode: mode)
            let connection = try #require(app.audioOutput.connection(with: .audio))
            try app.run()
            let sample = try #require(app.samples().first)
            let channels: [Int16] =
                switch mode {
                case .none: [16_384]
                case .stereo: [12_288, 4096]
                case .firstOrderAmbisonics: [16_384, 8192, 0, 12_288]
                }
            let first = try channels.indices.map { try sample.channel($0)[0] }
            #expect(first == channels && connection.audioChannels.count == channels.count)
            let tags = [kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_HOA_ACN_SN3D | 4]
            let layout = sample.formatDescription.flatMap { CMAudioFormatDescriptionGetChannelLayout($0, sizeOut: nil)?.pointee }
            #expect(layout?.mChannelLayoutTag == tags[mode.rawValue])
        }
    }

    @Test("with ambisonics there may be two, one of each layout, which hear the same time")
    func two() throws {
        let voice = TestVoice(layout: .firstOrderAmbisonics) { _ in 0.5 }
        try inEnvironment(soundEnvironment(voice, source: CountingSource(count: 3))) {
            let app = try SoundApp(mode: .firstOrderAmbisonics)
            let stereo = AVCaptureAudioDataOutput()
            stereo.spatialAudioChannelLayoutTag = kAudioChannelLayoutTag_HOA_ACN_SN3D | 4
            #expect(!app.session.canAddOutput(stereo))
            stereo.spatialAudioChannelLayoutTag = kAudioChannelLayoutTag_Stereo
            #expect(app.session.canAddOutput(stereo))
            app.session.addOutput(stereo)
            #expect(!app.session.canAddOutput(AVCaptureAudioDataOutput()))
            stereo.setSampleBufferDelegate(app, queue: app.queue)
            try app.run()
            #expect(app.samples(of: stereo).map(\.presentationTimeStamp) == app.samples().map(\.presentationTimeStamp))
            #expect(try app.samples(of: stereo)[2].channel(1)[7] == 4096 && app.samples()[2].channel(3)[7] == 12_288)
            #expect(voice.stretches.withLock { $0 } == [0..<1600, 1600..<3200, 3200..<4800], "the room is heard once for both")
        }
    }

    @Test("raises what Apple's raises: no queue, a layout that is none, a layout that is missing, a second output")
    func violations() throws {
        try inEnvironment(soundEnvironment()) {
            let app = try SoundApp()
            let raised = CaptureEnvironment.violations {
                app.audioOutput.setSampleBufferDelegate(app, queue: nil)
                app.audioOutput.spatialAudioChannelLayoutTag = kAudioChannelLayoutTag_Mono
                app.session.addOutput(AVCaptureAudioDataOutput())
                app.session.beginConfiguration()
                app.microphone.multichannelAudioMode = .firstOrderAmbisonics
                app.session.commitConfiguration()
                app.session.startRunning()
                app.session.stopRunning()
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument, .invalidArgument, .invalidArgument, .invalidArgument])
            #expect(raised[0].reason.hasSuffix("setSampleBufferDelegate:queue:] NULL queue passed with a delegate"))
            #expect(raised[2].reason.contains("more than one output of the same type is unsupported"))
            #expect(
                raised[3].selector == "-[AVCaptureSession commitConfiguration]" && raised[3].reason.contains("spatialAudioChannelLayoutTag must be"))
            #expect(raised[4].selector == "-[AVCaptureSession startRunning]")
            app.audioOutput.spatialAudioChannelLayoutTag = kAudioChannelLayoutTag_Stereo
            let second = AVCaptureAudioDataOutput()
            app.session.addOutput(second)
            let twins = CaptureEnvironment.violations {
                app.session.beginConfiguration()
                second.spatialAudioChannelLayoutTag = kAudioChannelLayoutTag_Stereo
                app.session.commitConfiguration()
                app.session.beginConfiguration()
                app.microphone.multichannelAudioMode = .stereo
                app.session.commitConfiguration()
            }
            #expect(twins.map(\.name) == [.invalidArgument, .invalidArgument])
            #expect(twins[0].reason.contains("must differ") && twins[1].reason.contains("more than one AVCaptureAudioDataOutput"))
        }
    }

    @Test("a client that is half a second behind loses sound silently, and catches up")
    func lateClient() throws {
        var environment = soundEnvironment(source: CountingSource(count: 60))
        // The sound of a thirtieth of a second keeps the client busy for a tenth, in the first second.
        environment.audioClientTime = { CMTime(value: $0 < CMTime(value: 1, timescale: 1) ? 3 : 0, timescale: 30) }
        try inEnvironment(environment) {
            let app = try SoundApp()
            try app.run()
            let frames = Set(app.samples().map { Int($0.presentationTimeStamp.value / 1600) })
            #expect(frames.isSuperset(of: 0...7) && !frames.contains(8), "eight stretches make it 24 - 7 = 17 frames behind, more than 15")
            #expect(frames.isSuperset(of: 32..<60) && frames.count < 60)
            #expect(app.events.withLock { $0.count { $0.kind == "v" } } == 60, "pictures do not mind")
        }
    }

    @Test("under the wall clock a client that does not come back for a while loses sound, and only then")
    func wallClock() throws {
        let (voice, isBack) = (TestVoice(), DispatchSemaphore(value: 0))
        var environment = soundEnvironment(voice)
        environment.clock = .wall
        try inEnvironment(environment) {
            let app = try SoundApp(hasCamera: false)
            app.onSound = { sample in
                let stretch = sample.presentationTimeStamp.value / 1024
                // Away until stretch 36 is read, by when those before it were handed over.
                if stretch == 0 { #expect(eventually { voice.stretches.withLock { $0.contains { $0.lowerBound >= 36 * 1024 } } }) }
                if stretch > 36 { isBack.signal() }
            }
            app.session.startRunning()
            #expect(isBack.wait(timeout: .now() + patience) == .success)
            app.session.stopRunning()
            let stretches = app.samples().map { $0.presentationTimeStamp.value / 1024 }
            #expect(Array(stretches.prefix(15)) == Array(0..<15), "these waited")
            #expect(!stretches.contains { (15..<36).contains($0) } && stretches == stretches.sorted())
        }
    }

    @Test("settings for an asset writer follow the file and the channels")
    func recommended() throws {
        try inEnvironment(soundEnvironment()) {
            let app = try SoundApp(mode: .stereo)
            let movie = try #require(app.audioOutput.recommendedAudioSettingsForAssetWriter(writingTo: .mov))
            #expect(movie[AVFormatIDKey] as? AudioFormatID == kAudioFormatMPEG4AAC && movie[AVNumberOfChannelsKey] as? Int == 2)
            let wave = try #require(app.audioOutput.recommendedAudioSettingsForAssetWriter(writingTo: .wav))
            #expect(wave[AVFormatIDKey] as? AudioFormatID == kAudioFormatLinearPCM && wave[AVSampleRateKey] as? Double == 48_000)
            #expect(AVCaptureAudioDataOutput().recommendedAudioSettingsForAssetWriter(writingTo: .mov) == nil)
        }
    }
}
