import AVFoundation
import Accelerate
import Combine
import Metal
import VideoToolbox

// Cause 6: modules beside AVFoundation.

/// Level of the microphone, as a meter shows it.
public final class LevelMeter: ObservableObject {
    @Published public private(set) var decibels: Float = -160

    public init() {}

    public func take(_ samples: [Float]) {
        var level: Float = 0
        vDSP_rmsqv(samples, 1, &level, vDSP_Length(samples.count))
        decibels = max(-160, 20 * log10(level))
    }
}

/// Viewfinder that draws with Metal where there is a device, and says so where there is none.
public final class MetalViewfinder {
    private let device: any MTLDevice
    private var cache: CVMetalTextureCache?

    public init?() {
        guard let device = MTLCreateSystemDefaultDevice() else { return nil }
        self.device = device
        CVMetalTextureCacheCreate(kCFAllocatorDefault, nil, device, nil, &cache)
    }

    public func texture(of buffer: CVPixelBuffer, format: MTLPixelFormat, plane: Int) -> (any MTLTexture)? {
        guard let cache else { return nil }
        var texture: CVMetalTexture?
        let status = CVMetalTextureCacheCreateTextureFromImage(
            kCFAllocatorDefault, cache, buffer, nil, format, CVPixelBufferGetWidthOfPlane(buffer, plane),
            CVPixelBufferGetHeightOfPlane(buffer, plane), plane, &texture)
        guard status == kCVReturnSuccess, let texture else { return nil }
        return CVMetalTextureGetTexture(texture)
    }
}

/// Encoder of a stream that an app sends.
public final class StreamEncoder {
    private var session: VTCompressionSession?
    public private(set) var status: OSStatus = noErr

    public init(width: Int32, height: Int32) {
        status = VTCompressionSessionCreate(
            allocator: kCFAllocatorDefault, width: width, height: height, codecType: kCMVideoCodecType_H264, encoderSpecification: nil,
            imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil, compressionSessionOut: &session)
        guard let session else { return }
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue)
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_ProfileLevel, value: kVTProfileLevel_H264_High_AutoLevel)
        VTCompressionSessionPrepareToEncodeFrames(session)
    }

    deinit { if let session { VTCompressionSessionInvalidate(session) } }
}
