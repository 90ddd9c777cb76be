import Accelerate
import Testing

@Suite("Accelerate's pictures")
struct ImageScalingTests {
    /// Runs a function from one picture of bytes to another; returns the latter.
    private func run(
        _ pixels: [UInt8], _ width: Int, _ components: Int = 1, to size: (width: Int, height: Int), bytes: Int? = nil,
        _ function: (UnsafePointer<vImage_Buffer>, UnsafePointer<vImage_Buffer>) -> vImage_Error
    ) -> [UInt8] {
        var (source, target) = (pixels, [UInt8](repeating: 0, count: size.width * size.height * (bytes ?? components)))
        source.withUnsafeMutableBytes { from in
            target.withUnsafeMutableBytes { to in
                var first = vImage_Buffer(
                    data: from.baseAddress, height: vImagePixelCount(pixels.count / components / width), width: vImagePixelCount(width),
                    rowBytes: width * components)
                var second = vImage_Buffer(
                    data: to.baseAddress, height: vImagePixelCount(size.height), width: vImagePixelCount(size.width),
                    rowBytes: size.width * (bytes ?? components))
                #expect(function(&first, &second) == kvImageNoError)
            }
        }
        return target
    }

    @Test("are scaled without moving their brightness")
    func scaling() {
        #expect(run([UInt8](repeating: 77, count: 12), 4, to: (7, 5)) { vImageScale_Planar8($0, $1, nil, 0) }.allSatisfy { $0 == 77 })
        let ramp = (0..<64).map { UInt8($0 * 4) }
        let half = run(ramp, 64, to: (32, 1)) { vImageScale_Planar8($0, $1, nil, vImage_Flags(kvImageHighQualityResampling)) }
        // The mean of two neighbours of a ramp, away from its ends.
        #expect((8..<24).allSatisfy { abs(Int(half[$0]) - ($0 * 8 + 2)) <= 1 })
        #expect(run([1, 2, 3, 4, 5, 6, 7, 8], 2, 4, to: (2, 1)) { vImageScale_ARGB8888($0, $1, nil, 0) } == [1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test("are turned, mirrored and put in other orders")
    func places() {
        let grey: [UInt8] = [1, 2, 3, 4, 5, 6]
        #expect(run(grey, 3, to: (2, 3)) { vImageRotate90_Planar8($0, $1, kRotate90DegreesClockwise, 0, 0) } == [4, 1, 5, 2, 6, 3])
        #expect(run(grey, 3, to: (2, 3)) { vImageRotate90_Planar8($0, $1, kRotate90DegreesCounterClockwise, 0, 0) } == [3, 6, 2, 5, 1, 4])
        #expect(run(grey, 3, to: (3, 2)) { vImageRotate90_Planar8($0, $1, kRotate180DegreesClockwise, 0, 0) } == [6, 5, 4, 3, 2, 1])
        #expect(run(grey, 3, to: (3, 2)) { vImageHorizontalReflect_Planar8($0, $1, 0) } == [3, 2, 1, 6, 5, 4])
        #expect(run(grey, 3, to: (3, 2)) { vImageVerticalReflect_Planar8($0, $1, 0) } == [4, 5, 6, 1, 2, 3])
        let colours: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        #expect(run(colours, 2, 4, to: (2, 1)) { vImageHorizontalReflect_ARGB8888($0, $1, 0) } == [5, 6, 7, 8, 1, 2, 3, 4])
        #expect(run(colours, 2, 4, to: (2, 1)) { vImagePermuteChannels_ARGB8888($0, $1, [3, 2, 1, 0], 0) } == [4, 3, 2, 1, 8, 7, 6, 5])
        #expect(run(colours, 2, 4, to: (2, 1), bytes: 3) { vImageConvert_BGRA8888toRGB888($0, $1, 0) } == [3, 2, 1, 7, 6, 5])
        #expect(run(colours, 2, 4, to: (2, 1), bytes: 3) { vImageConvert_ARGB8888toRGB888($0, $1, 0) } == [2, 3, 4, 6, 7, 8])
    }

    @Test("become numbers and bytes again")
    func numbers() {
        let every = (0..<256).map { UInt8($0) }
        var floats = [Float](repeating: 0, count: 256)
        floats.withUnsafeMutableBytes { middle in
            var numbers = vImage_Buffer(data: middle.baseAddress, height: 1, width: 256, rowBytes: 1024)
            _ = run(every, 256, to: (1, 1)) { source, _ in vImageConvert_Planar8toPlanarF(source, &numbers, 1, 0, 0) }
            #expect(run(every, 256, to: (256, 1)) { _, target in vImageConvert_PlanarFtoPlanar8(&numbers, target, 1, 0, 0) } == every)
        }
        #expect(floats[0] == 0 && floats[255] == 1 && abs(floats[51] - 0.2) < 1e-6)
    }

    @Test("halve and double their numbers, and exchange bytes")
    func halves() {
        var (floats, halves, wide) = ([Float](arrayLiteral: 1, -0.5, 65504), [Float16](repeating: 0, count: 3), [Float](repeating: 0, count: 3))
        floats.withUnsafeMutableBytes { from in
            halves.withUnsafeMutableBytes { middle in
                wide.withUnsafeMutableBytes { to in
                    var first = vImage_Buffer(data: from.baseAddress, height: 1, width: 3, rowBytes: 12)
                    var second = vImage_Buffer(data: middle.baseAddress, height: 1, width: 3, rowBytes: 6)
                    var third = vImage_Buffer(data: to.baseAddress, height: 1, width: 3, rowBytes: 12)
                    vImageConvert_PlanarFtoPlanar16F(&first, &second, 0)
                    vImageConvert_Planar16FtoPlanarF(&second, &third, 0)
                    vImageByteSwap_Planar16U(&second, &second, 0)
                }
            }
        }
        #expect(wide == floats && halves[0].bitPattern == 0x003C)
    }

    @Test("are refused where their sizes do not fit")
    func refusals() {
        var bytes = [UInt8](repeating: 0, count: 12)
        bytes.withUnsafeMutableBytes { memory in
            var wide = vImage_Buffer(data: memory.baseAddress, height: 2, width: 3, rowBytes: 3)
            var same = wide
            #expect(vImageRotate90_Planar8(&wide, &same, kRotate90DegreesClockwise, 0, 0) == kvImageBufferSizeMismatch)
            #expect(vImageScale_Planar8(&wide, &same, nil, vImage_Flags(kvImageGetTempBufferSize)) == 0)
            var empty = vImage_Buffer()
            #expect(vImageScale_Planar8(&wide, &empty, nil, 0) == kvImageInvalidParameter)
        }
        var made = vImage_Buffer()
        #expect(vImageBuffer_Init(&made, 2, 3, 32, 0) == kvImageNoError && made.rowBytes >= 12 && made.data != nil)
        free(made.data)
    }

    @Test("and their numbers are reckoned with one by one")
    func arithmetic() {
        var result = [Float](repeating: 0, count: 3)
        vDSP_vfltu8([0, 128, 255], 1, &result, 1, 3)
        #expect(result == [0, 128, 255])
        vDSP_vsdiv([2, 4, 6], 1, [2], &result, 1, 3)
        #expect(result == [1, 2, 3])
        vDSP_vsadd([2, 4, 6], 1, [1], &result, 1, 3)
        #expect(result == [3, 5, 7])
        vDSP_vadd([2, 4, 6], 1, [1, 0, -1], 1, &result, 1, 3)
        #expect(result == [3, 4, 5])
        vDSP_vclip([-2, 0.5, 6], 1, [0], [1], &result, 1, 3)
        #expect(result == [0, 0.5, 1])
    }
}
