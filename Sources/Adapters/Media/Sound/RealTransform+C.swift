internal import CFFmpeg

/// Discrete Fourier transform of real samples and back, by libavutil.
final class RealTransform {
    /// Number of samples.
    let size: Int
    private let forward: (context: OpaquePointer, run: av_tx_fn)
    private let inverse: (context: OpaquePointer, run: av_tx_fn)
    /// Memory with the alignment that the transform needs.
    private let samples: UnsafeMutablePointer<Float>
    private let bins: UnsafeMutablePointer<SIMD2<Float>>

    /// - Parameters:
    ///   - size: number of samples, a power of two.
    ///   - path: of the movie, for errors.
    init(size: Int, path: String) throws(MediaError) {
        func opened(_ scale: Float, isInverse: Bool) throws(MediaError) -> (context: OpaquePointer, run: av_tx_fn) {
            var (context, run, scale) = (OpaquePointer?.none, av_tx_fn?.none, scale)
            let code = av_tx_init(&context, &run, AV_TX_FLOAT_RDFT, isInverse ? 1 : 0, Int32(size), &scale, 0)
            guard code >= 0, let context, let run else { throw FFmpeg.outOfMemory(path) }
            return (context, run)
        }
        self.size = size
        forward = try opened(1, isInverse: false)
        do throws(MediaError) { inverse = try opened(1 / Float(size), isInverse: true) } catch {
            var context: OpaquePointer? = forward.context
            av_tx_uninit(&context)
            throw error
        }
        let bytes = (size + 2) * MemoryLayout<Float>.stride
        samples = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64).bindMemory(to: Float.self, capacity: size)
        bins = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64).bindMemory(to: SIMD2<Float>.self, capacity: size / 2 + 1)
    }

    deinit {
        for context in [forward.context, inverse.context] {
            var context: OpaquePointer? = context
            av_tx_uninit(&context)
        }
        samples.deallocate()
        bins.deallocate()
    }

    /// Spectrum of `size` samples: `size / 2 + 1` bins of a real and an imaginary part.
    func spectrum(of input: [Float]) -> [SIMD2<Float>] {
        samples.update(from: input, count: size)
        forward.run(forward.context, bins, samples, MemoryLayout<Float>.stride)
        // libavutil leaves the imaginary part at the Nyquist frequency unwritten.
        bins[size / 2].y = 0
        return Array(UnsafeBufferPointer(start: bins, count: size / 2 + 1))
    }

    /// Samples of a spectrum.
    func samples(of spectrum: [SIMD2<Float>]) -> [Float] {
        bins.update(from: spectrum, count: size / 2 + 1)
        inverse.run(inverse.context, samples, bins, MemoryLayout<SIMD2<Float>>.stride)
        return Array(UnsafeBufferPointer(start: samples, count: size))
    }
}
