@testable import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite("Pictures under way", .validated)
struct PendingPictureTests {
    private static let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange

    /// One frame of a little movie in which depth, picture and aperture change; every third has nothing to blur.
    private struct Shot {
        let image: CVPixelBuffer
        let map: DisparityMap
        let circle: CircleOfConfusion

        init(_ index: Int, _ width: Int = 96, _ height: Int = 64) {
            image = TestPicture.textured(width, height, PendingPictureTests.format)
            let first: UnsafeMutablePointer<UInt8> = image.plane(0).row(height / 2)
            for x in 0..<width { first[x] = UInt8(20 * index + 16) }
            map = TestPicture.disparity(width, height) { x, y in x < 10 + 5 * index ? 0.9 : Float(y) / Float(height) }
            circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: index % 3 == 2 ? 0 : 20 + 4 * Double(index))
        }

        func begin(_ lens: VulkanBokehRenderer) throws -> PendingPicture { try lens.begin(image, disparity: map, circle: circle) }
        func serial(_ lens: VulkanBokehRenderer) throws -> [UInt8] { TestPicture.bytes(try lens.render(image, disparity: map, circle: circle)) }
    }

    private static let shots = (0..<9).map { Shot($0) }

    @Test("Begun ahead, pictures are those drawn one by one, bit for bit", arguments: [2, 3])
    func ahead(count: Int) throws {
        let lens = try SharedLens.shining.get()
        let expected = try Self.shots.map { try $0.serial(lens) }
        var pending: [PendingPicture] = []
        var drawn: [[UInt8]] = []
        for shot in Self.shots {
            pending.append(try shot.begin(lens))
            if pending.count == count { drawn.append(TestPicture.bytes(try pending.removeFirst().finish())) }
        }
        drawn += try pending.map { TestPicture.bytes(try $0.finish()) }
        #expect(drawn == expected)
        #expect(lens.validationMessages == [])
    }

    @Test("Pictures may be taken in any order, twice, from another thread, in changing sizes, or never")
    func order() throws {
        let lens = try SharedLens.shining.get()
        let shots = Self.shots[0..<4] + [Shot(0, 48, 32), Shot(1), Shot(4, 48, 32)]
        let expected = try shots.map { try $0.serial(lens) }
        let pending = try shots.map { try $0.begin(lens) }
        for index in shots.indices.reversed() where index != 3 {
            #expect(TestPicture.bytes(try pending[index].finish()) == expected[index])
            #expect(TestPicture.bytes(try pending[index].finish()) == expected[index])
        }
        let taken = Mutex<[Int: Result<[UInt8], any Error>]>([:])
        let taker = DispatchQueue(label: "taker")
        for (index, shot) in shots.enumerated() {
            let picture = try shot.begin(lens)
            taker.async {
                let bytes = Result { TestPicture.bytes(try picture.finish()) }
                taken.withLock { $0[index] = bytes }
            }
        }
        taker.sync {}
        #expect(try taken.withLock { try $0.mapValues { try $0.get() } } == Dictionary(uniqueKeysWithValues: expected.enumerated().map { ($0, $1) }))
        #expect(lens.validationMessages == [])
    }

    @Test("A filter of the user's hears the number of each picture in the order in which they were begun")
    func filter() throws {
        let scratch = try Scratch()
        let source = """
            #version 450
            layout(local_size_x = 8, local_size_y = 8) in;
            layout(binding = 1, rgba32f) writeonly uniform image2D result;
            layout(push_constant) uniform Frame { int number; } frame;
            void main() { imageStore(result, ivec2(gl_GlobalInvocationID.xy), vec4(vec3(frame.number * 10 / 255.0), 1.0)); }
            """
        let path = try scratch.write(source, to: "number.comp")
        let lens = try VulkanBokehRenderer(options: BokehOptions(highlights: 0, shader: UserShader(path: path)))
        let image = TestPicture.bgra(32, 32) { x, y in SIMD3(UInt8(x), UInt8(y), 3) }
        let pending = try (0..<5).map { index in
            let map = TestPicture.disparity(32, 32) { x, _ in x < 16 || index % 2 == 0 ? 0.5 : 0 }
            return try lens.begin(image, disparity: map, circle: CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 30))
        }
        for (number, picture) in pending.enumerated().reversed() {
            #expect(TestPicture.colour(try picture.finish(), 9, 9) == SIMD3(repeating: UInt8(10 * number)))
        }
    }

    @Test(
        "Drawn in the memory of the pictures or by copies, pictures are the same",
        arguments: [(format, 96, 64, 1), (format, 200, 60, 1), (kCVPixelFormatType_32BGRA, 64, 64, 1), (format, 62, 38, 1), (format, 128, 64, 2)])
    func imported(format: OSType, width: Int, height: Int, reduced: Int) throws {
        let lens = try SharedLens.shining.get()
        #expect(lens.importsMemory != (lens.device.type == .discrete), "lavapipe works in the host's memory")
        let image = TestPicture.textured(width, height, format)
        let sharp = TestPicture.bytes(image)
        let columns = width / reduced
        let map = TestPicture.disparity(columns, height / reduced) { x, _ in x < columns / 4 ? 0.9 : Float(x) / Float(columns) }
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 30)
        let drawn = TestPicture.bytes(try lens.render(image, disparity: map, circle: circle))
        lens.importsMemory = false
        defer { lens.importsMemory = true }
        #expect(try drawn == TestPicture.bytes(lens.render(image, disparity: map, circle: circle)))
        #expect(drawn != sharp && TestPicture.bytes(image) == sharp, "what is read stays as it is")
        #expect(lens.validationMessages == [])
    }

    @Test("Pictures with memory of their own are each drawn and let go")
    func fresh() throws {
        let lens = try SharedLens.shining.get()
        weak var first: CVPixelBuffer?
        for index in 0..<20 {
            let shot = Shot(index % 9)
            if index == 0 { first = shot.image }
            let drawn = try shot.begin(lens).finish()
            #expect(index % 9 % 3 == 2 || TestPicture.bytes(drawn) != TestPicture.bytes(shot.image))
        }
        #expect(first == nil)
        #expect(lens.validationMessages == [])
    }

    @Test("A picture that cannot be drawn is refused at once, and the others go on")
    func refused() throws {
        let lens = try SharedLens.plain.get()
        let good = try Self.shots[0].begin(lens)
        let odd = TestPicture.bgra(15, 16) { _, _ in .zero }
        #expect(throws: BokehError.self) {
            try lens.begin(odd, disparity: Self.shots[0].map, circle: Self.shots[0].circle)
        }
        #expect(TestPicture.bytes(try good.finish()) == (try Self.shots[0].serial(lens)))
    }
}
