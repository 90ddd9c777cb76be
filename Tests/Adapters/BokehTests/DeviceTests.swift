@testable import Bokeh
import CoreVideo
import Optics
import Pipeline
import Testing

@Suite("Choosing a device and refusing what cannot be drawn", .validated)
struct DeviceTests {
    @Test("`--gpu` is nothing, an index or part of a name")
    func parsing() {
        #expect(GPUChoice(nil) == .automatic)
        #expect(GPUChoice("Auto") == .automatic)
        #expect(GPUChoice("1") == .index(1))
        #expect(GPUChoice("llvm") == .name("llvm"))
    }

    @Test("The software device is listed and can be named in any case")
    func listing() throws {
        let devices = try VulkanBokehRenderer.devices()
        let software = try #require(devices.first { $0.type == .software })
        #expect(devices.map(\.index) == Array(devices.indices))
        #expect(!software.driverVersion.isEmpty)
        let word = try #require(software.name.split(separator: " ").first)
        #expect(try VulkanBokehRenderer(gpu: GPUChoice(word.uppercased())).device.name.contains(word))
        #expect(try VulkanBokehRenderer(gpu: .index(software.index)).device == software)
    }

    @Test("An unknown device is refused with the list of those there are", arguments: ["quantum", "99"])
    func unknown(choice: String) throws {
        let name = try #require(try VulkanBokehRenderer.devices().first?.name)
        let error = #expect(throws: BokehError.self) { try VulkanBokehRenderer(gpu: GPUChoice(choice)) }
        #expect(error?.code == .unknownDevice)
        #expect(error?.description.contains(choice) == true && error?.description.contains(name) == true)
    }

    @Test("Pictures the lens does not know are refused by name")
    func unsupported() throws {
        let lens = try SharedLens.plain.get()
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 10)
        let map = TestPicture.disparity(16, 16) { _, _ in 0 }
        let grey = CVPixelBuffer(width: 16, height: 16, pixelFormat: kCVPixelFormatType_OneComponent8)
        #expect(throws: BokehError.self) { try lens.render(grey, disparity: map, circle: circle) }
        let odd = TestPicture.bgra(15, 16) { _, _ in .zero }
        #expect(throws: BokehError.self) { try lens.render(odd, disparity: map, circle: circle) }
        let small = TestPicture.bgra(8, 8) { _, _ in .zero }
        #expect(throws: BokehError.self) { try lens.render(small, disparity: map, circle: circle) }
    }

    @Test("One lens draws pictures of changing size and format")
    func changing() throws {
        let lens = try SharedLens.plain.get()
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 20)
        for size in [32, 64, 32] {
            for format in TestPicture.formats {
                let image = TestPicture.textured(size, size, format)
                let drawn = try lens.render(image, disparity: TestPicture.disparity(size, size) { _, _ in 0 }, circle: circle)
                #expect(CVPixelBufferGetWidth(drawn) == size && CVPixelBufferGetPixelFormatType(drawn) == format)
                #expect(TestPicture.bytes(drawn) != TestPicture.bytes(image))
            }
        }
        #expect(lens.validationMessages == [])
    }

    @Test("Validation hears a wrong call, and nothing when a lens comes and goes")
    func validation() throws {
        let context = try VulkanContext(gpu: .automatic, validation: true)
        #expect(throws: BokehError.self) { try VulkanBuffer(context, byteCount: 0) }
        #expect(context.instance.messages?.all.isEmpty == false)

        var lens: VulkanBokehRenderer? = try VulkanBokehRenderer(validation: true)
        let messages = try #require(lens?.messages)
        let image = TestPicture.textured(32, 32, kCVPixelFormatType_32BGRA)
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 20)
        let map = TestPicture.disparity(32, 32) { x, _ in x < 16 ? 0 : 1 }
        let drawn = try #require(try lens?.render(image, disparity: map, circle: circle))
        let (taken, left) = (try lens?.begin(image, disparity: map, circle: circle), try lens?.begin(image, disparity: map, circle: circle))
        lens = nil
        #expect(TestPicture.bytes(try #require(try taken?.finish())) == TestPicture.bytes(drawn), "it is drawn all the same")
        withExtendedLifetime(left) {}
        #expect(messages.all == [])
    }
}
