import CoreMedia
import Foundation
import Pipeline
import Testing

@testable import Media

@Suite("The choice of an encoder") struct EncoderChoiceTests {
    /// Opens those of a stand-in machine.
    private func choose(_ encoder: DeliveryOptions.Encoder, _ codec: MovieDescription.Codec, among there: Set<String>) throws -> EncoderChoice<String>
    {
        try EncoderChoice(among: encoder.names(for: codec)) { name in
            guard there.contains(name) else {
                throw MediaError(code: .missingEncoder, path: "a.mp4", reason: "\(name) does not open", underlyingText: "no device")
            }
            return "opened \(name)"
        }
    }

    @Test("takes the first of the hardware's that opens, else software, and says which and why")
    func hardware() throws {
        let graphics = try choose(.hardware, .hevc, among: ["hevc_vaapi", "hevc_v4l2m2m", "libx265"])
        #expect(graphics.name == "hevc_vaapi" && graphics.encoder == "opened hevc_vaapi" && graphics.refusals == ["hevc_nvenc (no device)"])
        let remark = DeliveryOptions.Encoder.hardware.remark(graphics.name, refusals: graphics.refusals, for: .hevc)
        #expect(remark == "pictures are coded by hevc_vaapi, whose bits are its own")

        let none = try choose(.hardware, .h264, among: ["libx264"])
        #expect(none.name == "libx264")
        #expect(
            DeliveryOptions.Encoder.hardware.remark(none.name, refusals: none.refusals, for: .h264)
                == "no hardware encoder opened: h264_nvenc (no device); h264_vaapi (no device); h264_v4l2m2m (no device); libx264 took its place")
    }

    @Test("asked for by name takes that one or none, and software asks nobody else")
    func named() throws {
        #expect(throws: MediaError.self) { try choose(.named("h264_nvenc"), .h264, among: ["libx264"]) }
        let software = try choose(.software, .h264, among: ["h264_nvenc", "libx264"])
        #expect(software.name == "libx264" && DeliveryOptions.Encoder.software.remark("libx264", refusals: [], for: .h264) == nil)
    }

    @Test("passes on at once what is not about an encoder")
    func memory() throws {
        var tried: [String] = []
        let error = #expect(throws: MediaError.self) {
            try EncoderChoice(among: DeliveryOptions.Encoder.hardware.names(for: .h264)) { name -> String in
                tried.append(name)
                throw MediaError(code: .outOfMemory, path: "a.mp4", reason: "there is not enough memory")
            }
        }
        #expect(error?.code == .outOfMemory && tried == ["h264_nvenc"])
    }

    @Test("goes with h264 and hevc in 4:2:0 alone")
    func refusals() throws {
        var options = DeliveryOptions()
        options.encoder = .hardware
        let source = SourceDescription(width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 30))
        #expect(try options.resolved(for: source, path: "a.mp4").encoder == .hardware)
        options.pixelFormat = .yuv422p
        #expect(throws: MediaError.self) { try options.resolved(for: source, path: "a.mp4") }
        (options.pixelFormat, options.codec) = (nil, .prores)
        #expect(throws: MediaError.self) { try options.resolved(for: source, path: "a.mov") }
    }
}
