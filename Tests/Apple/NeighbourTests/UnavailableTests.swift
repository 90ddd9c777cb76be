import Accelerate
import CoreMedia
import CoreVideo
import Metal
import Testing
import VideoToolbox

@Suite("A neighbour without hardware behind it")
struct UnavailableTests {
    @Test("has a Metal device that orders work and has plain textures: no shaders and buffers")
    func metal() throws {
        let device = try #require(MTLCreateSystemDefaultDevice())
        #expect(MTLCopyAllDevices().count == 1 && device.makeDefaultLibrary() == nil && device.makeBuffer(length: 16) == nil)
        #expect(throws: (any Error).self) { try device.makeLibrary(source: "", options: nil) }
        let buffer = try #require(device.makeCommandQueue()?.makeCommandBuffer())
        #expect(buffer.makeComputeCommandEncoder() == nil && buffer.status == .notEnqueued)
        buffer.commit()
        buffer.waitUntilCompleted()
        #expect(buffer.status == .completed)
        let texture = MTLTextureDescriptor.texture2DDescriptor(pixelFormat: .bgra8Unorm, width: 640, height: 360, mipmapped: true)
        #expect(texture.mipmapLevelCount == 10 && texture.usage == .shaderRead && MTLPixelFormat.bgra8Unorm.rawValue == 80)
        #expect(device.makeTexture(descriptor: texture) == nil)
        let plain = MTLTextureDescriptor.texture2DDescriptor(pixelFormat: .rg8Unorm, width: 3, height: 2, mipmapped: false)
        let made = try #require(device.makeTexture(descriptor: plain))
        made.replace(region: MTLRegionMake2D(1, 0, 2, 2), mipmapLevel: 0, withBytes: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt8], bytesPerRow: 4)
        var pixels = [UInt8](repeating: 9, count: 12)
        try #require(made.makeTextureView(pixelFormat: .r16Unorm))
            .getBytes(&pixels, bytesPerRow: 6, from: MTLRegionMake2D(0, 0, 3, 2), mipmapLevel: 0)
        #expect(pixels == [0, 0, 1, 2, 3, 4, 0, 0, 5, 6, 7, 8] && made.makeTextureView(pixelFormat: .bgra8Unorm) == nil)
        let pass = MTLRenderPassDescriptor()
        pass.colorAttachments[0].loadAction = .clear
        #expect(pass.colorAttachments[0].loadAction == .clear && pass.colorAttachments[1].loadAction == .dontCare)
    }

    @Test("finds no encoder and no decoder")
    func videoToolbox() throws {
        var encoder: VTCompressionSession?
        let status = VTCompressionSessionCreate(
            allocator: kCFAllocatorDefault, width: 64, height: 36, codecType: kCMVideoCodecType_HEVC, encoderSpecification: nil,
            imageBufferAttributes: nil, compressedDataAllocator: nil,
            outputCallback: { _, _, status, flags, sample in _ = (status, flags.contains(.frameDropped), sample?.formatDescription) }, refcon: nil,
            compressionSessionOut: &encoder)
        #expect(status == kVTCouldNotFindVideoEncoderErr && encoder == nil && !VTIsHardwareDecodeSupported(kCMVideoCodecType_HEVC))
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 4, 2, kCVPixelFormatType_32BGRA, nil, &buffer)
        var image: CGImage?
        #expect(VTCreateCGImageFromCVPixelBuffer(try #require(buffer), options: nil, imageOut: &image) == noErr)
        #expect(image?.width == 4 && image?.height == 2)
    }

    @Test("counts the values of a picture's components")
    func histograms() {
        var grey: [UInt8] = [0, 7, 99, 7, 7, 99]
        let bins = grey.withUnsafeMutableBytes { bytes in
            var picture = vImage_Buffer(data: bytes.baseAddress, height: 2, width: 2, rowBytes: 3)
            var bins = [vImagePixelCount](repeating: 5, count: 256)
            #expect(vImageHistogramCalculation_Planar8(&picture, &bins, vImage_Flags(kvImageNoFlags)) == kvImageNoError)
            return bins
        }
        #expect(bins[0] == 1 && bins[7] == 3 && bins[99] == 0 && bins.reduce(0, +) == 4)
        var colours: [UInt8] = [255, 1, 2, 3, 255, 1, 9, 3]
        var counts = [vImagePixelCount](repeating: 0, count: 4 * 256)
        counts.withUnsafeMutableBufferPointer { counts in
            var pointers = (0..<4).map { Optional(counts.baseAddress! + $0 * 256) }
            colours.withUnsafeMutableBytes { bytes in
                var picture = vImage_Buffer(data: bytes.baseAddress, height: 1, width: 2, rowBytes: 8)
                #expect(vImageHistogramCalculation_ARGB8888(&picture, &pointers, 0) == kvImageNoError)
            }
        }
        #expect(counts[255] == 2 && counts[256 + 1] == 2 && counts[512 + 2] == 1 && counts[512 + 9] == 1 && counts[768 + 3] == 2)
    }

    @Test("sums samples as Accelerate does")
    func sums() {
        let samples: [Float] = [3, -4, 0, 1]
        func result(_ function: (UnsafePointer<Float>, vDSP_Stride, UnsafeMutablePointer<Float>, vDSP_Length) -> Void) -> Float {
            var value: Float = 0
            function(samples, 1, &value, 4)
            return value
        }
        #expect(result(vDSP_meanv) == 0 && result(vDSP_meamgv) == 2 && result(vDSP_measqv) == 6.5 && result(vDSP_rmsqv) == Float(6.5).squareRoot())
        #expect(result(vDSP_maxv) == 3 && result(vDSP_minv) == -4 && result(vDSP_maxmgv) == 4 && result(vDSP_sve) == 0)
        var even: Float = 0
        vDSP_sve(samples, 2, &even, 2)
        #expect(even == 3)
    }
}
