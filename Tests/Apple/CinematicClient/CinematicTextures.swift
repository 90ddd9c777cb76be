import AVFoundation
import Cinematic
import Metal

/// Viewfinder of an editor, which renders into textures as it would for drawing them.
extension CinematicEditor {
    /// Pixels of the movie's first frame, rendered into a texture of a format, row after row.
    public func firstFrame(as format: MTLPixelFormat, bytesPerPixel: Int) throws -> [UInt8]? {
        let (attributes, image, depth) = try firstFrame()
        let target = try texture(format, CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
        let isRendered = try commit {
            session.encodeRender(to: $0, frameAttributes: attributes, sourceImage: image, sourceDisparity: depth, destinationRGBA: target)
        }
        return isRendered ? pixels(of: target, bytesPerPixel) : nil
    }

    /// Luma and chroma of the movie's first frame, rendered into textures over the planes of a picture; that picture.
    public func firstFrameInPlanes() throws -> CVPixelBuffer? {
        let (attributes, image, depth) = try firstFrame()
        guard let device = MTLCreateSystemDefaultDevice() else { throw Failure.noDevice }
        var made: (cache: CVMetalTextureCache?, picture: CVPixelBuffer?)
        CVMetalTextureCacheCreate(kCFAllocatorDefault, nil, device, nil, &made.cache)
        CVPixelBufferCreate(
            nil, CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image), CVPixelBufferGetPixelFormatType(image), nil, &made.picture)
        guard let cache = made.cache, let picture = made.picture else { throw Failure.noDevice }
        func plane(_ index: Int, _ format: MTLPixelFormat) -> (any MTLTexture)? {
            var texture: CVMetalTexture?
            CVMetalTextureCacheCreateTextureFromImage(
                kCFAllocatorDefault, cache, picture, nil, format, CVPixelBufferGetWidthOfPlane(picture, index),
                CVPixelBufferGetHeightOfPlane(picture, index), index, &texture)
            return texture.flatMap(CVMetalTextureGetTexture)
        }
        guard let luma = plane(0, .r8Unorm), let chroma = plane(1, .rg8Unorm) else { throw Failure.noDevice }
        let isRendered = try commit {
            session.encodeRender(
                to: $0, frameAttributes: attributes, sourceImage: image, sourceDisparity: depth, destinationLuma: luma, destinationChroma: chroma)
        }
        return isRendered ? picture : nil
    }

    private func firstFrame() throws -> (CNRenderingSession.FrameAttributes, image: CVPixelBuffer, depth: CVPixelBuffer) {
        let reader = try AVAssetReader(asset: asset)
        func output(_ track: AVAssetTrack, _ settings: [String: Any]?) -> AVAssetReaderTrackOutput {
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
            reader.add(output)
            return output
        }
        let format = kCVPixelBufferPixelFormatTypeKey as String
        let pictures = output(info.cinematicVideoTrack, [format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
        let maps = output(info.cinematicDisparityTrack, [format: kCVPixelFormatType_DisparityFloat16])
        let metadata = output(info.cinematicMetadataTrack, nil)
        reader.startReading()
        guard let image = pictures.copyNextSampleBuffer()?.imageBuffer, let depth = maps.copyNextSampleBuffer()?.imageBuffer,
            let sample = metadata.copyNextSampleBuffer(),
            let attributes = CNRenderingSession.FrameAttributes(sampleBuffer: sample, sessionAttributes: session.sessionAttributes)
        else { throw Failure.cannotRead("the first frame") }
        return (attributes, image, depth)
    }

    private func texture(_ format: MTLPixelFormat, _ width: Int, _ height: Int) throws -> any MTLTexture {
        let descriptor = MTLTextureDescriptor.texture2DDescriptor(pixelFormat: format, width: width, height: height, mipmapped: false)
        descriptor.usage = [.shaderRead, .shaderWrite]
        guard let texture = MTLCreateSystemDefaultDevice()?.makeTexture(descriptor: descriptor) else { throw Failure.noDevice }
        return texture
    }

    /// Commits what `encode` encoded and waits for it; false where that was nothing.
    private func commit(_ encode: (any MTLCommandBuffer) -> Bool) throws -> Bool {
        guard let buffer = session.commandQueue.makeCommandBuffer() else { throw Failure.noDevice }
        guard encode(buffer) else { return false }
        buffer.commit()
        buffer.waitUntilCompleted()
        if let error = buffer.error { throw error }
        return true
    }

    private func pixels(of texture: any MTLTexture, _ bytesPerPixel: Int) -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: texture.width * texture.height * bytesPerPixel)
        texture.getBytes(
            &pixels, bytesPerRow: texture.width * bytesPerPixel, from: MTLRegionMake2D(0, 0, texture.width, texture.height), mipmapLevel: 0)
        return pixels
    }
}
