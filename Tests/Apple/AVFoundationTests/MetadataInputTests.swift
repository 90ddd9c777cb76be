import AVFoundation
import Pipeline
import Synchronization
import Testing

@Suite("An app's timed metadata in recordings")
struct MetadataInputTests {
    private static let location = AVMetadataIdentifier.quickTimeMetadataLocationISO6709

    private static func format() throws -> CMMetadataFormatDescription {
        let place = [
            kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier as String: location.rawValue,
            kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType as String:
                kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 as String,
        ]
        var format: CMMetadataFormatDescription?
        CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
            allocator: nil, metadataType: kCMMetadataFormatType_Boxed, metadataSpecifications: [place] as CFArray, formatDescriptionOut: &format)
        return try #require(format)
    }

    private static func group(_ text: String?, at time: CMTime, _ identifier: AVMetadataIdentifier = location) -> AVTimedMetadataGroup {
        let item = AVMutableMetadataItem()
        item.identifier = identifier
        item.dataType = kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 as String
        item.value = text.map { NSString(string: $0) }
        return AVTimedMetadataGroup(items: text == nil ? [] : [item], timeRange: CMTimeRange(start: time, duration: .invalid))
    }

    private struct Rig: Sendable {
        let session: AVCaptureSession
        let output: AVCaptureMovieFileOutput
        let input: AVCaptureMetadataInput
        let recorder = Recorder()

        /// Hands over a place of now.
        func append(_ text: String?) throws {
            let now = try #require(session.synchronizationClock).time
            try input.append(MetadataInputTests.group(text, at: now))
        }
    }

    /// Records ten frames; `script` is called before the frame of an index is written.
    private func record(_ movie: FakeMovie, name: String = "x.mov", _ script: @escaping @Sendable (Int, Rig) throws -> Void) throws -> Rig {
        var environment = fakeEnvironment()
        environment.openMovie = { _, description in
            movie.content.withLock { $0.codedTracks = description.codedTracks }
            return movie
        }
        return try inEnvironment(environment) {
            let app = try CameraApp()
            let clock = try #require(app.session.synchronizationClock)
            let rig = Rig(
                session: app.session, output: AVCaptureMovieFileOutput(),
                input: AVCaptureMetadataInput(formatDescription: try Self.format(), clock: clock))
            app.session.addOutput(rig.output)
            app.session.addInputWithNoConnections(rig.input)
            let connection = AVCaptureConnection(inputPorts: rig.input.ports, output: rig.output)
            #expect(app.session.canAddConnection(connection))
            app.session.addConnection(connection)
            let next = Mutex(0)
            app.onMetadata = { _ in
                let index = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                if index == 0 {
                    rig.output.startRecording(to: URL(fileURLWithPath: "/tmp/rackfocus-never-written/\(name)"), recordingDelegate: rig.recorder)
                }
                do { try script(index, rig) } catch { Issue.record(error) }
            }
            try app.run()
            try #require(rig.recorder.end(), "the recording did not end")
            app.onMetadata = nil
            return rig
        }
    }

    private static func values(_ movie: FakeMovie) -> [String] {
        movie.all.coded.compactMap { sample in
            guard case .data(let data, _) = sample.content else { return nil }
            return MetadataKeyTable.values(in: data).map { String(decoding: $0.1, as: UTF8.self) }.joined(separator: " ")
        }
    }

    @Test("hold from their time to the next, go on after a pause, and end with the last frame")
    func times() throws {
        let movie = FakeMovie()
        let rig = try record(movie) { index, rig in
            switch index {
            case 2: try rig.append("a")
            case 3: rig.output.pauseRecording()
            case 4: try rig.append("in the pause")
            case 6: rig.output.resumeRecording()
            case 7: try rig.append("b")
            case 8: try rig.append(nil)
            case 9:
                // Later than the last frame.
                try rig.input.append(Self.group("c", at: CMTime(value: 20, timescale: 30)))
                rig.output.stopRecording()
            default: break
            }
        }
        #expect(rig.recorder.error == nil && movie.all.times.count == 6)
        #expect(movie.all.codedTracks.map(\.codec) == [kCMMetadataFormatType_Boxed])
        #expect(Self.values(movie) == ["", "a", "b", ""])
        let frame = { CMTime(value: $0, timescale: 30) }
        #expect(movie.all.coded.map(\.time) == [.zero, frame(2), frame(4), frame(5)])
        let port = try #require(rig.input.ports.first)
        #expect(port.formatDescription?.identifiers == [Self.location.rawValue] && port.clock === rig.session.synchronizationClock)
    }

    @Test("of an earlier time hold from the first frame; those before it and without a recording are left out")
    func earlier() throws {
        let movie = FakeMovie()
        _ = try record(movie) { index, rig in
            if index == 0 { try rig.input.append(Self.group("before", at: CMTime(value: -9, timescale: 1))) }
            if index == 1 { try rig.input.append(Self.group("a", at: CMTime(value: -5, timescale: 1))) }
            if index == 4 { rig.output.stopRecording() }
            if index == 5 { try rig.append("afterwards") }
        }
        let tick = CMTime(value: 1, timescale: 360_000)
        #expect(Self.values(movie) == ["", "a"] && movie.all.coded.map(\.time) == [.zero, tick])
    }

    @Test("are refused under other names and out of order, and have no place in MP4")
    func refusals() throws {
        let movie = FakeMovie()
        _ = try record(movie, name: "x.mp4") { index, rig in
            guard index < 2 else { return rig.output.stopRecording() }
            try rig.append("a")
            let later = CMTime(value: 9, timescale: 1)
            #expect { try rig.append("b") } throws: { ($0 as? AVError)?.code == .invalidSourceMedia }
            #expect { try rig.input.append(Self.group("a", at: later, .commonIdentifierTitle)) } throws: {
                ($0 as? AVError)?.localizedDescription.contains("comn/title") == true
            }
            #expect(throws: AVError.self) { try rig.input.append(Self.group("a", at: .invalid)) }
        }
        #expect(movie.all.codedTracks.isEmpty && movie.all.coded.isEmpty && movie.all.isFinished)
        let format = CMFormatDescription(metadataKeys: [])
        let violations = CaptureEnvironment.violations { _ = AVCaptureMetadataInput(formatDescription: format, clock: .hostTimeClock) }
        #expect(violations.map(\.name) == [.invalidArgument])
    }
}
